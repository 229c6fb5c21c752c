internal import Glibc
import Measurement
import PageDrawing

/// The cost of an operation by the amount of work: points and the fitted power law, with logarithmic axes.
enum GrowthChart {
  private static let width = 360.0
  private static let height = 210.0

  /// The picture; nil if there is no positive point.
  static func draw(_ curve: ScalingCurve) -> String? {
    let points = curve.points.filter {
      $0.size > 0 && $0.nanosecondsPerOperation > 0 && $0.size.isFinite
        && $0.nanosecondsPerOperation.isFinite
    }
    let sizes = points.map(\.size)
    let costs = points.map(\.nanosecondsPerOperation)
    guard let least = sizes.min(), let most = sizes.max(), let low = costs.min(),
      let high = costs.max()
    else { return nil }
    let bottom = height - 38
    let x = Axis(least / 1.4, most * 1.4, from: 56, to: width - 8, logarithmic: true)
    // At least a decade, so that a constant curve looks flat.
    let spare = max(1.3, (10 / (high / low)).squareRoot())
    let y = Axis(low / spare, high * spare, from: bottom, to: 8, logarithmic: true)
    var drawing = Drawing(
      width: width, height: height,
      label:
        "Cost an operation of \(curve.name) by \(curve.variable): "
        + (curve.isPower ? "exponent \(curve.exponentText)" : "no power, \(curve.missText)"))
    for tick in y.decades(6) {
      drawing.line((56, y.place(tick)), (width - 8, y.place(tick)), "grid")
      drawing.text(
        Quantity.duration(nanoseconds: tick), (51, y.place(tick) + 4), anchor: .end)
    }
    for tick in x.decades(7) {
      drawing.line((x.place(tick), 8), (x.place(tick), bottom), "grid")
      drawing.text(size(tick), (x.place(tick), bottom + 15), anchor: .middle)
    }
    drawing.line((56, bottom), (width - 8, bottom), "axis")
    drawing.line((56, 8), (56, bottom), "axis")
    drawing.text(curve.variable, ((56 + width - 8) / 2, height - 5), "tick", anchor: .middle)
    drawing.path(fit(points, exponent: curve.exponent, x: x, y: y), "fit")
    drawing.path(
      points.map { (x.place($0.size), y.place($0.nanosecondsPerOperation)) }, "join")
    for point in points {
      drawing.dot(
        (x.place(point.size), y.place(point.nanosecondsPerOperation)), radius: 4, "dot only",
        hint: """
          \(point.benchmark): \(Quantity.duration(nanoseconds: point.nanosecondsPerOperation)) at \
          \(ReportText.count(point.size)) \(curve.variable)
          """)
    }
    return drawing.element
  }

  /// The fitted line, through the mean of the logarithms.
  private static func fit(
    _ points: [ScalingCurve.Point], exponent: Double, x: Axis, y: Axis
  ) -> [(x: Double, y: Double)] {
    let count = Double(points.count)
    let meanX = points.reduce(0) { $0 + log($1.size) } / count
    let meanY = points.reduce(0) { $0 + log($1.nanosecondsPerOperation) } / count
    func cost(_ size: Double) -> Double { exp(meanY + exponent * (log(size) - meanX)) }
    return (0...40).map { step in
      let size =
        x.values.lowerBound
        * pow(x.values.upperBound / x.values.lowerBound, Double(step) / 40)
      return (size, cost(size))
    }.filter { y.shows($0.1) }.map { (x.place($0.0), y.place($0.1)) }
  }

  /// `100`, `10k`, `1M`.
  private static func size(_ size: Double) -> String {
    let units: [(Double, String)] = [(1e9, "G"), (1e6, "M"), (1e3, "k")]
    guard let unit = units.first(where: { size >= $0.0 }) else { return ReportText.count(size) }
    return ReportText.count(size / unit.0) + unit.1
  }
}
