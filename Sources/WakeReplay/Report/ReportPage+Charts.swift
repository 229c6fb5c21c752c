internal import Glibc
import Measurement
import PageDrawing
import WakeEvents
import WakeScheduling

/// Reasons side by side or in rows, as wide as their shares.
struct ReasonBar {
  let element: String

  /// - Parameters:
  ///   - whole: What the bar's width stands for; nil is the sum of its parts.
  ///   - inRows: Whether each reason has a row of its own, as parts that overlap may be more than the whole together.
  ///   - width: In units of which its height has 14, or a row 9.
  init(
    _ part: ReplayResult.Waiting.Part, of whole: Int64? = nil, inRows: Bool = false,
    width: Double = 600,
    _ value: (ReplayResult.Waiting.Sums) -> Int64
  ) {
    let parts = WaitReason.allCases.compactMap { reason in
      part.reasons[reason.word].map { (reason, Double(value($0))) }
    }
    let sum = max(1, whole.map(Double.init) ?? parts.reduce(0) { $0 + $1.1 })
    let shares = parts.filter { $0.1 > 0 }.map { reason, value in
      (reason, value / sum, "\(reason.word) \(Quantity.percentage(value / sum))")
    }
    let label = shares.map(\.2).joined(separator: ", ")
    let (height, step) = inRows ? (8.0, 9.0) : (14.0, 0.0)
    let all = height + step * Double(max(0, shares.count - 1))
    var drawing = Drawing(width: width, height: all, label: label.isEmpty ? "nothing" : label)
    drawing.rectangle((0, 0), (width, all), "rest")
    var (x, y) = (0.0, 0.0)
    for (reason, share, hint) in shares {
      drawing.rectangle(
        (x, y), (x + width * share, y + height), "r\(reason.rawValue)", hint: hint)
      if inRows { y += step } else { x += width * share }
    }
    element = "<div class=\"bar\">\(drawing.element)</div>"
  }
}

extension ReportPage {
  private static let mostCharts = 12

  /// Wakes against staleness, with the bound's curve, for the apps that were behind longest.
  var bounds: String {
    let apps = (result.bounds?.apps ?? []).filter { !$0.curve.isEmpty }
      .sorted { $0.behind > $1.behind }
    guard !apps.isEmpty else {
      return """
        <section id="bounds"><h2>How far from the best</h2><p>Nothing was owed to an app.</p></section>

        """
    }
    let isFleet = result.devices > 1
    let each = isFleet ? " on each device" : ""
    let figures = apps.prefix(Self.mostCharts).map { app in
      """
      <figure class="card"><figcaption><b>\(HTML.escaped(app.app.shown))</b>: behind for \(Self.duration(app.behind)) with \
      \(Self.counted(app.wakes, "wake")) that carried a type; at least \
      \(Self.duration(app.leastBehind)) with as many\(each), at least \(Self.counted(app.fewestWakes, "wake")) to be \
      behind for no longer\(each)</figcaption>
      \(BoundChart(app).element)</figure>

      """
    }
    let meaning =
      isFleet
      ? "The curve is the least time for which an app is behind with so many wakes on all devices together, spread over "
        + "them as is best. The texts have the least with the wakes spread over devices as they were, which is no less. The "
        + "dot is what happened."
      : "The curve is the least time for which an app is behind with so many wakes, whatever the schedule; the dot is what "
        + "happened."
    let rest =
      apps.count > Self.mostCharts
      ? "<p class=\"note\">The table Apps has the figures of \(apps.count - Self.mostCharts) more apps.</p>\n"
      : ""
    return """
      <section id="bounds">
      <h2>How far from the best</h2>
      <p>\(meaning)</p>
      <div class="cards">
      \(figures.joined())</div>
      \(rest)</section>

      """
  }
}

/// The curve of an app's bound, and the app's dot.
private struct BoundChart {
  private(set) var drawing: Drawing
  var element: String { drawing.element }

  /// Lengths of time that make ticks, in seconds.
  private static let lengths: [Double] =
    [1e-3, 1e-2, 0.1, 1, 10, 60, 600, 3_600, 36_000, 86_400, 864_000, 8_640_000, 86_400_000]

  /// Steps between ticks where fewer than three of those lengths are shown, in seconds.
  private static let steps: [Double] =
    [1e-3, 1e-2, 0.1, 1, 2, 5, 10, 20, 60, 120, 300, 600, 1_200, 3_600, 7_200, 14_400, 28_800]
    + [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000].map { $0 * 86_400 }

  /// Ticks of an axis of nanoseconds.
  private static func ticks(_ axis: Axis) -> [Double] {
    let ticks = lengths.map { $0 * 1e9 }.filter(axis.shows)
    let (low, high) = (axis.values.lowerBound, axis.values.upperBound)
    guard ticks.count < 3, high < low * 10,
      let step = steps.map({ $0 * 1e9 }).first(where: { $0 * 5 >= high - low })
    else { return ticks }
    return (1...10).map { (low / step).rounded(.down) * step + Double($0) * step }
      .filter(axis.shows)
  }

  init(_ app: ReplayResult.Bounds.App) {
    let (left, right, top, bottom) = (74.0, 410.0, 12.0, 190.0)
    drawing = Drawing(
      width: 430, height: 224,
      label: "Least time behind of \(app.app.shown) by wakes, and the time it was behind")
    let most = Double(max(app.behind, app.curve.map(\.leastBehind).max() ?? 1, 1))
    // Below a thousandth the curve only falls.
    let least = app.curve.map { Double($0.leastBehind) }.filter { $0 > 0 }.min() ?? most
    let low = max(least, most / 1e3)
    // As much room beside as a fraction of what is shown, so that the curve fills the drawing.
    let room = max(1.01, exp(0.12 * log(most / low)))
    // No wake has a place, too: the axis is that of wakes + 1.
    let x = Axis(
      1, Double(max(app.wakes, app.curve.map(\.wakes).max() ?? 1, 2) + 1), from: left, to: right,
      logarithmic: true)
    let y = Axis(low / room, most * room, from: bottom, to: top, logarithmic: true)
    let across = { (wakes: Double) in x.place(max(wakes, 0) + 1) }
    for tick in Self.ticks(y) {
      drawing.line((left, y.place(tick)), (right, y.place(tick)), "grid")
      drawing.text(
        Quantity.duration(nanoseconds: tick), (left - 6, y.place(tick) + 4), anchor: .end)
    }
    let counts = Axis(1, x.values.upperBound - 1, from: left, to: right, logarithmic: true)
    for tick in [0] + counts.decades(5).filter({ $0 >= 1 }) {
      let place = across(tick)
      drawing.line((place, top), (place, bottom), "grid")
      drawing.text(Quantity.count(Int(tick)), (place, bottom + 15), anchor: .middle)
    }
    drawing.text("wakes", (right, bottom + 30), anchor: .end)
    var points: [(x: Double, y: Double)] = []
    for point in app.curve {
      let place = (
        x: across(Double(point.wakes)), y: y.place(Double(max(point.leastBehind, 0)))
      )
      // Points less than a pixel apart look the same.
      if let last = points.last, place.x - last.x < 1, (place.y - last.y).magnitude < 1 { continue }
      points.append(place)
    }
    drawing.path(points, "curve")
    let dot = (x: across(Double(app.wakes)), y: y.place(Double(app.behind)))
    drawing.line(dot, (dot.x, Self.height(of: points, at: dot.x)), "gap")
    drawing.line(dot, (Self.place(on: points, at: dot.y), dot.y), "gap")
    drawing.dot(
      dot, radius: 4.5, "actual",
      hint: "\(ReportPage.counted(app.wakes, "wake")), behind for "
        + Quantity.duration(nanoseconds: app.behind))
  }

  /// How high a curve that falls to the right is at a place.
  private static func height(of curve: [(x: Double, y: Double)], at x: Double) -> Double {
    for (one, next) in zip(curve, curve.dropFirst()) where one.x <= x && x <= next.x {
      return next.x == one.x ? next.y : one.y + (next.y - one.y) * (x - one.x) / (next.x - one.x)
    }
    return curve.last?.y ?? 0
  }

  /// Where such a curve comes down to a height first.
  private static func place(on curve: [(x: Double, y: Double)], at y: Double) -> Double {
    for (one, next) in zip(curve, curve.dropFirst()) where next.y >= y {
      return next.y == one.y || one.y >= y
        ? one.x : one.x + (next.x - one.x) * (y - one.y) / (next.y - one.y)
    }
    return curve.last?.x ?? 0
  }
}
