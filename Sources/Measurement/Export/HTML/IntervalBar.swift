internal import Glibc

/// A confidence interval in a table's cell, on an axis that all rows share.
struct IntervalBar {
  private static let width = 150.0
  private static let height = 20.0
  private let axis: Axis
  private let floor: Double

  init(_ comparison: BenchmarkComparison) {
    floor = comparison.rule.noiseFloor
    let ratios = comparison.results.flatMap {
      [$0.judgement.ratio, $0.judgement.lower, $0.judgement.upper].compactMap { $0 }
    }.filter { $0.isFinite && $0 > 0 }
    let greatest = ratios.map { max($0, 1 / $0) }.max() ?? 1
    // Beyond a factor of 2 the small ones could not be seen.
    let reach = min(2, max(pow(greatest, 1.1), 1 + 3 * floor, 1.01))
    axis = Axis(1 / reach, reach, from: 4, to: Self.width - 4, logarithmic: true)
  }

  func draw(_ judgement: Judgement) -> String {
    let middle = Self.height / 2
    var drawing = Drawing(
      width: Self.width, height: Self.height,
      label: judgement.intervalText ?? "no interval")
    drawing.rectangle(
      (axis.place(1 / (1 + floor)), 1), (axis.place(1 + floor), Self.height - 1), "floor")
    drawing.line((axis.place(1), 1), (axis.place(1), Self.height - 1), "axis")
    let style = judgement.verdict.rawValue
    if let lower = judgement.lower, let upper = judgement.upper, lower > 0 {
      drawing.line((axis.place(lower), middle), (axis.place(upper), middle), "whisker \(style)")
    }
    if judgement.ratio > 0 {
      drawing.dot((axis.place(judgement.ratio), middle), radius: 3.6, "estimate \(style)")
    }
    return drawing.element
  }
}
