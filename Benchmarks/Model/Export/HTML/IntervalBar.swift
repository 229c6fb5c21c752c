internal import Glibc
import PageDrawing

/// A confidence interval in a table cell, on an axis that all rows share.
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
    // The range of most intervals; the range of all would make most of them too small to see.
    let extents = ratios.map { max($0, 1 / $0) }
    let usual = pow(Statistics.percentile(75, of: extents) ?? 1, 1.5)
    let reach = min(2, max(usual, 1 + 5 * floor, 1.02))
    axis = Axis(1 / reach, reach, from: 6, to: Self.width - 6, logarithmic: true)
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
    guard judgement.ratio > 0, !judgement.rounds.isEmpty else { return drawing.element }
    let place = axis.place(judgement.ratio)
    if axis.shows(judgement.ratio) {
      drawing.dot((place, middle), radius: 3.6, "estimate \(style)")
    } else {
      // An arrow for a value beyond the axis.
      let tip = judgement.ratio > 1 ? 5.0 : -5.0
      drawing.path(
        [(place - tip, middle - 5), (place + tip, middle), (place - tip, middle + 5)],
        "estimate \(style)", closed: true)
    }
    return drawing.element
  }
}
