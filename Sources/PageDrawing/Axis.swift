internal import Glibc

/// Maps values to positions on an axis of a drawing.
package struct Axis {
  /// The values shown.
  package let values: ClosedRange<Double>
  /// The positions of the least and the greatest value.
  package let start: Double
  package let end: Double
  package let isLogarithmic: Bool

  /// An axis from `low` to `high`, which is widened if they are equal. Invalid bounds, as a forged file may have, give a
  /// valid axis.
  package init(
    _ low: Double, _ high: Double, from start: Double, to end: Double, logarithmic: Bool = false
  ) {
    self.start = start
    self.end = end
    isLogarithmic = logarithmic
    let least = logarithmic ? 1e-12 : -1e18
    let (low, high) = (min(max(low, least), 1e18), min(max(high, least), 1e18))
    if low < high {
      values = low...high
    } else if logarithmic, low == high {
      values = low / 1.1...high * 1.1
    } else {
      // Also for a low end that is not a number.
      let middle = low.isFinite ? low : 1
      let room = max(middle.magnitude * 0.05, 1e-9)
      values = logarithmic ? 1...2 : middle - room...middle + room
    }
  }

  /// The position of a value, clamped to the ends.
  package func place(_ value: Double) -> Double {
    let inside = min(max(value, values.lowerBound), values.upperBound)
    let fraction =
      isLogarithmic
      ? log(inside / values.lowerBound) / log(values.upperBound / values.lowerBound)
      : (inside - values.lowerBound) / (values.upperBound - values.lowerBound)
    return start + fraction * (end - start)
  }

  package func shows(_ value: Double) -> Bool { values.contains(value) }

  /// Round values along a linear axis, about `count` of them.
  package func ticks(_ count: Int) -> [Double] {
    let span = values.upperBound - values.lowerBound
    let raw = span / Double(max(count, 1))
    guard raw.isFinite, raw > 0 else { return [] }
    let power = pow(10, floor(log10(raw)))
    let step = ([1, 2, 2.5, 5, 10].first { $0 * power >= raw } ?? 10) * power
    let first = (values.lowerBound / step).rounded(.up)
    let last = (values.upperBound / step).rounded(.down)
    guard last - first < 50, last >= first else { return [] }
    return (0...Int(last - first)).map { (first + Double($0)) * step }
  }

  /// Powers of ten along a logarithmic axis, at most `count`; with few of them, also their multiples by 2 and 5.
  package func decades(_ count: Int) -> [Double] {
    let first = Int(floor(log10(values.lowerBound)))
    let last = Int(ceil(log10(values.upperBound)))
    guard last - first < 40 else { return [] }
    let all = (first...last).map { pow(10, Double($0)) }
    var shown = all.filter(shows)
    if shown.count < 3 { shown = all.flatMap { [$0, $0 * 2, $0 * 5] }.filter(shows) }
    if shown.count < 2 { return [values.lowerBound, values.upperBound] }
    let step = (shown.count + count - 1) / count
    return stride(from: 0, to: shown.count, by: step).map { shown[$0] }
  }

  /// The labels of ticks, in one unit and with enough decimals to differ.
  package static func times(_ ticks: [Double]) -> [String] {
    let units: [(Double, String)] = [(1e9, " s"), (1e6, " ms"), (1e3, " µs"), (1, " ns")]
    let greatest = ticks.map(\.magnitude).max() ?? 0
    let unit = units.first { greatest >= $0.0 } ?? (1, " ns")
    let texts = (0...6).map { decimals in
      ticks.map { DecimalText.fixed($0 / unit.0, decimals: decimals) }
    }
    // The fewest decimals with which each label equals its tick.
    let fitting = texts.first { texts in
      zip(texts, ticks).allSatisfy { text, tick in
        (Double(text) ?? 0) * unit.0 - tick < max(tick.magnitude, 1e-9) * 1e-9
          && tick - (Double(text) ?? 0) * unit.0 < max(tick.magnitude, 1e-9) * 1e-9
      }
    }
    return (fitting ?? texts[3]).map { $0 + unit.1 }
  }
}
