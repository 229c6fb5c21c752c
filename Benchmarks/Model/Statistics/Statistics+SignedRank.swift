import Synchronization

// The signed-rank test (Wilcoxon, 1945) and the estimate and interval that belong to it (Hodges and Lehmann, 1963).
//
// A Walsh average is the mean of two values, or a value itself. For values that are independent and symmetric about a
// centre, the number of Walsh averages above the centre has the known distribution of the signed-rank statistic. So the
// test, the interval and the estimate (the median of the Walsh averages) all come from counting Walsh averages, and never
// contradict each other. Where values are about normal, they need two thirds of the values that a sign test needs.
extension Statistics {
  /// The estimate of the centre of a symmetric distribution: the median of the Walsh averages; nil without values.
  ///
  /// - Complexity: O(n² log n) for n values.
  public static func centre(of values: [Double]) -> Double? { median(of: walshAverages(values)) }

  /// The exact p-value of the signed-rank test for the hypothesis that the centre lies within ±`floor`, on either side.
  ///
  /// With the same confidence, ``confidenceIntervalOfCentre(of:confidence:)`` lies beyond the floor if and only if this is
  /// at most 1 − confidence.
  ///
  /// - Complexity: O(n log n) for n values, and once O(n³) for each n.
  public static func signedRankTest(_ values: [Double], beyond floor: Double = 0) -> Double {
    let sorted = values.sorted()
    let above = walshAverages(ofSorted: sorted, above: floor)
    let below = walshAverages(ofSorted: sorted.reversed().map(-), above: floor)
    let tails = SignedRankTails.of(count: values.count)
    return min(1, 2 * tails[max(above, below)])
  }

  /// The confidence interval of the centre of a symmetric distribution, from order statistics of the Walsh averages.
  ///
  /// - Returns: nil if the whole sample does not reach the confidence: below 6 values for 0.95.
  /// - Complexity: O(n² log n) for n values, and once O(n³) for each n.
  public static func confidenceIntervalOfCentre(
    of values: [Double], confidence: Double = 0.95
  ) -> MedianInterval? {
    let tails = SignedRankTails.of(count: values.count)
    let all = tails.count - 2
    // The least number of averages that is too many to be above the centre.
    guard all > 0, let least = tails.firstIndex(where: { 2 * $0 <= 1 - confidence + 1e-12 }),
      least <= all
    else { return nil }
    let sorted = walshAverages(values).sorted()
    return MedianInterval(
      lower: sorted[all - least], upper: sorted[least - 1], confidence: 1 - 2 * tails[least])
  }

  private static func walshAverages(_ values: [Double]) -> [Double] {
    var averages: [Double] = []
    averages.reserveCapacity(values.count * (values.count + 1) / 2)
    for (place, value) in values.enumerated() {
      for other in values[place...] { averages.append((value + other) / 2) }
    }
    return averages
  }

  /// How many Walsh averages of ascending values are above a bound.
  private static func walshAverages(ofSorted values: [Double], above bound: Double) -> Int {
    var (low, high) = (0, values.count - 1)
    var found = 0
    while low <= high {
      if (values[low] + values[high]) / 2 > bound {
        found += high - low + 1
        high -= 1
      } else {
        low += 1
      }
    }
    return found
  }
}

/// The distribution of the signed-rank statistic.
private enum SignedRankTails {
  private static let known = Mutex<[Int: [Double]]>([:])

  /// The probability that the statistic of `count` values is at least its index: from 0 to one more than the greatest.
  static func of(count: Int) -> [Double] {
    known.withLock { known in
      if let tails = known[count] { return tails }
      let tails = make(count)
      known[count] = tails
      return tails
    }
  }

  private static func make(_ count: Int) -> [Double] {
    let greatest = count * (count + 1) / 2
    // The ranks 1, 2, … are each positive with probability 1/2, so the probabilities of their sum are folded one rank at a
    // time.
    var chances = [Double](repeating: 0, count: greatest + 1)
    chances[0] = 1
    for rank in stride(from: 1, through: count, by: 1) {
      for sum in stride(from: rank * (rank + 1) / 2, through: 0, by: -1) {
        chances[sum] = (chances[sum] + (sum >= rank ? chances[sum - rank] : 0)) / 2
      }
    }
    var tails = [Double](repeating: 0, count: greatest + 2)
    for sum in (0...greatest).reversed() { tails[sum] = min(1, tails[sum + 1] + chances[sum]) }
    return tails
  }
}
