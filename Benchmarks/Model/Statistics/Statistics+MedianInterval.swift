extension Statistics {
  /// A confidence interval of the median of a sample's distribution.
  public struct MedianInterval: Hashable, Sendable {
    /// The lower bound, a value of the sample.
    public let lower: Double
    /// The upper bound, a value of the sample.
    public let upper: Double
    /// The probability that such an interval contains the median: at least the requested confidence.
    public let confidence: Double
  }

  /// The confidence interval of the median, from order statistics.
  ///
  /// It assumes only that the values are independent and from one continuous distribution. Each is then below the median
  /// with probability 1/2, the number of those is binomial, and the k-th least and k-th greatest values enclose the median
  /// with probability 1 − 2 · P(X < k). The greatest k that reaches `confidence` gives the narrowest interval.
  ///
  /// - Parameters:
  ///   - values: the sample.
  ///   - confidence: the probability asked for, above 0 and below 1.
  /// - Returns: nil if the whole sample does not reach the confidence: below 6 values for 0.95.
  /// - Complexity: O(n log n) for n values.
  public static func confidenceIntervalOfMedian(
    of values: [Double], confidence: Double = 0.95
  ) -> MedianInterval? {
    guard let (rank, reached) = medianRank(count: values.count, confidence: confidence) else {
      return nil
    }
    let sorted = values.sorted()
    return MedianInterval(
      lower: sorted[rank - 1], upper: sorted[sorted.count - rank], confidence: reached)
  }

  /// The rank k, from 1, for which the k-th least and k-th greatest of `count` values are the narrowest interval that
  /// reaches `confidence`, and its confidence.
  package static func medianRank(count: Int, confidence: Double) -> (rank: Int, confidence: Double)?
  {
    guard count > 0, confidence > 0, confidence < 1 else { return nil }
    // weights[x] is C(count, x) relative to the greatest, so that no power of two underflows for many values. Far from the
    // middle they become 0, which is negligible.
    let half = count / 2
    var weights = [Double](repeating: 1, count: half + 1)
    for below in stride(from: half, to: 0, by: -1) {
      weights[below - 1] = weights[below] * Double(below) / Double(count - below + 1)
    }
    // By symmetry the sum is twice that below the middle, plus the middle weight for an even count.
    let lesser = weights.reduce(0, +)
    let all = count.isMultiple(of: 2) ? 2 * lesser - 1 : 2 * lesser

    var best: (rank: Int, confidence: Double)?
    var outside = 0.0
    for rank in stride(from: 1, through: (count + 1) / 2, by: 1) {
      outside += 2 * weights[rank - 1]
      let reached = 1 - outside / all
      // A small tolerance for rounding, so that an exact 0.96875 is reached.
      guard reached + 1e-12 >= confidence else { break }
      best = (rank, reached)
    }
    return best
  }
}
