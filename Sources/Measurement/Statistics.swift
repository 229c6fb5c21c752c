/// Statistics of small samples, such as the times of a benchmark's rounds.
///
/// All are pure functions of finite values in any order; each sorts a copy.
///
/// - Complexity: O(n log n) for n values.
public enum Statistics {
  /// The median: the middle value, or the mean of the middle two; nil of no values.
  public static func median(of values: [Double]) -> Double? {
    percentile(50, of: values)
  }

  /// The value at `percentile`, between neighbouring values by linear interpolation; nil of no
  /// values.
  ///
  /// The sorted values are taken to stand at equal distances from percentile 0 to 100 (R's and
  /// NumPy's default, "type 7").
  ///
  /// - Parameter percentile: 0 to 100; what lies outside is taken as the nearest bound, and what is
  ///   not a number as 0.
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

  /// The median of the distances from the median, a spread that outliers do not move; nil of no
  /// values.
  ///
  /// It is not scaled: for normally distributed values the standard deviation is 1.4826 times it.
  public static func medianAbsoluteDeviation(of values: [Double]) -> Double? {
    guard let median = median(of: values) else { return nil }
    return self.median(of: values.map { abs($0 - median) })
  }
}
