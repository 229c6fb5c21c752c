/// Statistics of small samples of finite values in any order, such as the times of a benchmark.
///
/// - Complexity: O(n log n) for n values.
public enum Statistics {
  /// The median: the middle value, or the mean of the middle two; nil without values.
  public static func median(of values: [Double]) -> Double? {
    percentile(50, of: values)
  }

  /// A percentile by linear interpolation between neighbouring values (R's and NumPy's default, type 7 of
  /// Hyndman and Fan, 1996); nil without values.
  ///
  /// - Parameters:
  ///   - percentile: Clamped to 0 to 100; NaN counts as 0.
  ///   - values: In any order.
  public static func percentile(_ percentile: Double, of values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let fraction = percentile > 0 ? min(percentile, 100) / 100 : 0
    let place = fraction * Double(sorted.count - 1)
    let below = Int(place)
    let above = min(below + 1, sorted.count - 1)
    let weight = place - Double(below)
    return sorted[below] * (1 - weight) + sorted[above] * weight
  }

  /// The median absolute deviation from the median, unscaled; nil without values.
  public static func medianAbsoluteDeviation(of values: [Double]) -> Double? {
    guard let median = median(of: values) else { return nil }
    return self.median(of: values.map { abs($0 - median) })
  }
}
