import Measurement
import PageDrawing
import WakeEvents
import WakeScheduling

/// Reasons side by side, as wide as their shares.
struct ReasonBar {
  let element: String

  /// - Parameters:
  ///   - whole: What the bar's width stands for; nil is the sum of its parts.
  ///   - width: In units of which its height has 14.
  init(
    _ part: ReplayResult.Waiting.Part, of whole: Int64? = nil, width: Double = 600,
    _ value: (ReplayResult.Waiting.Sums) -> Int64
  ) {
    let parts = WaitReason.allCases.compactMap { reason in
      part.reasons[reason.word].map { (reason, Double(value($0))) }
    }
    let sum = max(whole.map(Double.init) ?? 0, parts.reduce(0) { $0 + $1.1 })
    let shares = parts.filter { $0.1 > 0 }.map { reason, value in
      (reason, value / sum, "\(reason.word) \(Quantity.percentage(value / sum))")
    }
    let label = shares.map(\.2).joined(separator: ", ")
    var drawing = Drawing(width: width, height: 14, label: label.isEmpty ? "nothing" : label)
    drawing.rectangle((0, 0), (width, 14), "rest")
    var x = 0.0
    for (reason, share, hint) in shares {
      drawing.rectangle((x, 0), (x + width * share, 14), "r\(reason.rawValue)", hint: hint)
      x += width * share
    }
    element = "<div class=\"bar\">\(drawing.element)</div>"
  }
}

extension ReportPage {
  private static let mostCharts = 12

  private static func wakes(_ count: Int) -> String {
    Quantity.count(count) + (count == 1 ? " wake" : " wakes")
  }

  /// Wakes against staleness, with the bound's curve, for the apps that were behind longest.
  var bounds: String {
    let apps = (result.bounds?.apps ?? []).filter { !$0.curve.isEmpty }
      .sorted { $0.behind > $1.behind }
    guard !apps.isEmpty else {
      return """
        <section id="bounds"><h2>How far from the best</h2><p>Nothing was owed to an app.</p></section>

        """
    }
    let figures = apps.prefix(Self.mostCharts).map { app in
      """
      <figure class="card"><figcaption><b>\(HTML.escaped(app.app.shown))</b>: behind for \(Self.duration(app.behind)) with \
      \(Self.wakes(app.wakes)); at least \(Self.duration(app.leastBehind)) with as many, at least \
      \(Self.wakes(app.fewestWakes)) to be behind for no longer</figcaption>
      \(BoundChart(app).element)</figure>

      """
    }
    let rest =
      apps.count > Self.mostCharts
      ? "<p class=\"note\">The table Apps has the figures of \(apps.count - Self.mostCharts) more apps.</p>\n"
      : ""
    return """
      <section id="bounds">
      <h2>How far from the best</h2>
      <p>The curve is the least time for which an app is behind with so many wakes, whatever the schedule; the dot is what \
      happened.</p>
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
    let low = max(least, most / 1e3) / 1.5
    let x = Axis(
      1, Double(max(app.wakes, app.curve.map(\.wakes).max() ?? 1, 2)), from: left, to: right,
      logarithmic: true)
    let y = Axis(low, most * 1.3, from: bottom, to: top, logarithmic: true)
    for tick in Self.ticks(y) {
      drawing.line((left, y.place(tick)), (right, y.place(tick)), "grid")
      drawing.text(
        Quantity.duration(nanoseconds: tick), (left - 6, y.place(tick) + 4), anchor: .end)
    }
    for tick in x.decades(5) {
      drawing.line((x.place(tick), top), (x.place(tick), bottom), "grid")
      drawing.text(
        Quantity.count(Int(tick)), (x.place(tick), bottom + 15), anchor: .middle)
    }
    drawing.text("wakes", (right, bottom + 30), anchor: .end)
    var points: [(x: Double, y: Double)] = []
    for point in app.curve {
      let place = (
        x: x.place(Double(max(point.wakes, 1))), y: y.place(Double(max(point.leastBehind, 0)))
      )
      // Points less than a pixel apart look the same.
      if let last = points.last, place.x - last.x < 1, (place.y - last.y).magnitude < 1 { continue }
      points.append(place)
    }
    drawing.path(points, "curve")
    let dot = (x: x.place(Double(max(app.wakes, 1))), y: y.place(Double(app.behind)))
    drawing.line(dot, (dot.x, y.place(Double(app.leastBehind))), "gap")
    drawing.line(dot, (x.place(Double(max(app.fewestWakes, 1))), dot.y), "gap")
    drawing.dot(
      dot, radius: 4.5, "actual",
      hint: "\(Quantity.count(app.wakes)) wakes, behind for "
        + Quantity.duration(nanoseconds: app.behind))
  }
}
