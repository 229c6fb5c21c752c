internal import Glibc
import Measurement
import PageDrawing

/// The distribution of samples: a dot for each, the density above, and the median.
enum DistributionChart {
  struct Series {
    var label: String
    /// `before`, `after` or `only`.
    var style: String
    /// Nanoseconds an operation.
    var values: [Double]
  }

  private static let width = 360.0
  private static let densityHeight = 44.0
  private static let dotsHeight = 18.0
  private static let shownDots = 300

  /// The picture; nil if there are no values.
  static func draw(_ series: [Series], name: String) -> String? {
    let values = series.flatMap(\.values).filter(\.isFinite)
    guard let range = Axis.robustRange(values) else { return nil }
    let room = (range.upperBound - range.lowerBound) * 0.06
    let axis = Axis(
      max(0, range.lowerBound - room), range.upperBound + room, from: 8, to: width - 8)
    let lane = densityHeight + dotsHeight + 8
    let bottom = lane * Double(series.count) + 4
    var drawing = Drawing(width: width, height: bottom + 22, label: "Distribution of \(name)")
    let ticks = axis.ticks(4)
    for (tick, text) in zip(ticks, Axis.times(ticks)) {
      let x = axis.place(tick)
      drawing.line((x, 4), (x, bottom), "grid")
      drawing.text(text, (min(max(x, 26), width - 26), bottom + 15), anchor: .middle)
    }
    drawing.line((axis.start, bottom), (axis.end, bottom), "axis")
    let peak = series.flatMap { density(of: $0.values, along: axis).map(\.1) }.max() ?? 0
    for (place, one) in series.enumerated() {
      draw(one, top: lane * Double(place) + 4, peak: peak, axis: axis, to: &drawing)
    }
    return drawing.element
  }

  private static func draw(
    _ series: Series, top: Double, peak: Double, axis: Axis, to drawing: inout Drawing
  ) {
    let base = top + densityHeight
    let curve = density(of: series.values, along: axis)
    if let first = curve.first, let last = curve.last, peak > 0 {
      let points = curve.map { value, density in
        (x: axis.place(value), y: base - density / peak * (densityHeight - 6))
      }
      drawing.path(
        [(axis.place(first.0), base)] + points + [(axis.place(last.0), base)],
        "density \(series.style)", closed: true)
    }
    let values = series.values.filter(\.isFinite)
    let step = max(1, (values.count + shownDots - 1) / shownDots)
    for index in stride(from: 0, to: values.count, by: step) {
      let value = values[index]
      // A deterministic vertical spread: multiples of the golden ratio are evenly distributed.
      let height = (Double(index) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1)
      drawing.dot(
        (axis.place(value), base + 4 + height * (dotsHeight - 6)), radius: 2.2,
        axis.shows(value) ? "dot \(series.style)" : "dot far \(series.style)",
        hint: Quantity.duration(nanoseconds: value))
    }
    if let median = Statistics.median(of: values) {
      let x = axis.place(median)
      drawing.line((x, top + 4), (x, base + dotsHeight), "median \(series.style)")
    }
    if !series.label.isEmpty {
      drawing.text(series.label, (width - 8, top + 10), "key \(series.style)", anchor: .end)
    }
  }

  /// A kernel density (Gaussian, Silverman's bandwidth), in arbitrary units; empty for too few values.
  private static func density(of all: [Double], along axis: Axis) -> [(Double, Double)] {
    let values = all.filter(\.isFinite)
    guard values.count >= 5, let low = Statistics.percentile(25, of: values),
      let high = Statistics.percentile(75, of: values)
    else { return [] }
    let span = axis.values.upperBound - axis.values.lowerBound
    let bandwidth = max(
      0.9 * (high - low) / 1.34 * pow(Double(values.count), -0.2), span / 150)
    let steps = 120
    return (0...steps).map { step in
      let at = axis.values.lowerBound + span * Double(step) / Double(steps)
      let sum = values.reduce(0.0) { sum, value in
        let distance = (at - value) / bandwidth
        return distance.magnitude < 5 ? sum + exp(-distance * distance / 2) : sum
      }
      return (at, sum / (Double(values.count) * bandwidth))
    }
  }
}
