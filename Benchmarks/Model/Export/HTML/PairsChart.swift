internal import Glibc
import Measurement
import PageDrawing

/// The ratio of each pair in the order of time, with median, interval and noise floor.
enum PairsChart {
  private static let width = 360.0
  private static let height = 132.0
  private static let shownDots = 400

  /// The picture; nil if there is no pair.
  static func draw(_ result: BenchmarkComparison.Result, rule: JudgementRule) -> String? {
    let pairs = result.pairs.filter { $0.before > 0 && $0.after > 0 }.sorted { $0.at < $1.at }
    let ratios = pairs.map { $0.after / $0.before }
    guard let spread = Axis.robustRange(ratios) else { return nil }
    let judgement = result.judgement
    let marks = [
      1 + rule.noiseFloor, 1 / (1 + rule.noiseFloor), judgement.lower, judgement.upper,
      judgement.ratio,
    ].compactMap { $0 }.filter { $0.isFinite && $0 > 0 }
    let low = min(spread.lowerBound, marks.min() ?? 1)
    let high = max(spread.upperBound, marks.max() ?? 1)
    let room = pow(high / low, 0.06)
    let bottom = height - 20
    let y = Axis(low / room, high * room, from: bottom, to: 6, logarithmic: true)
    let x = Axis(0, Double(max(1, pairs.count - 1)), from: 56, to: width - 10)
    var drawing = Drawing(
      width: width, height: height,
      label: "Ratio after to before of each pair of \(result.name), in the order of time")
    drawing.rectangle(
      (48, y.place(1 + rule.noiseFloor)), (width - 2, y.place(1 / (1 + rule.noiseFloor))), "floor",
      hint: "noise floor ±\(Quantity.percentage(rule.noiseFloor))")
    if let lower = judgement.lower, let upper = judgement.upper, lower > 0, upper >= lower {
      drawing.rectangle(
        (48, y.place(upper)), (width - 2, y.place(lower)),
        "interval \(judgement.verdict.rawValue)", hint: judgement.intervalText)
    }
    // Ticks are round percentages, not round ratios.
    let changes = Axis(
      (y.values.lowerBound - 1) * 100, (y.values.upperBound - 1) * 100, from: 0, to: 1)
    for tick in changes.ticks(4) {
      let place = y.place(1 + tick / 100)
      drawing.line((48, place), (width - 2, place), tick == 0 ? "axis" : "grid")
      drawing.text(label(ofChange: tick), (44, place + 4), anchor: .end)
    }
    drawing.line((48, y.place(judgement.ratio)), (width - 2, y.place(judgement.ratio)), "verdict")
    draw(pairs, ratios, x: x, y: y, to: &drawing)
    drawing.text("first pair", (48, height - 4))
    if pairs.count > 1 {
      drawing.text(
        "pair \(Quantity.count(pairs.count))", (width - 2, height - 4), anchor: .end)
    }
    return drawing.element
  }

  private static func draw(
    _ pairs: [BenchmarkComparison.Pair], _ ratios: [Double], x: Axis, y: Axis,
    to drawing: inout Drawing
  ) {
    let step = max(1, (pairs.count + shownDots - 1) / shownDots)
    for index in stride(from: 0, to: pairs.count, by: step) {
      let pair = pairs[index]
      let hint = """
        pair \(index + 1), round \(pair.round): \(ReportText.change(ratios[index])) \
        (\(Quantity.duration(nanoseconds: pair.before)) → \
        \(Quantity.duration(nanoseconds: pair.after)))
        """
      let far = y.shows(ratios[index]) ? "" : " far"
      // Successive rounds have alternating tones.
      drawing.dot(
        (x.place(Double(index)), y.place(ratios[index])), radius: pairs.count > 150 ? 1.6 : 2.4,
        "dot pair\(pair.round.isMultiple(of: 2) ? "" : " odd")\(far)", hint: hint)
    }
  }

  private static func label(ofChange percent: Double) -> String {
    if percent.magnitude < 1e-9 { return "0 %" }
    let digits = percent.magnitude < 1 ? 2 : percent.magnitude < 10 ? 1 : 0
    let text = DecimalText.fixed(percent.magnitude, decimals: digits)
    let short = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    return (percent < 0 ? "−" : "+") + short + " %"
  }
}
