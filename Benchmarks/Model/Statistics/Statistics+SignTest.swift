extension Statistics {
  /// The probability that at least `heads` of `count` fair coins fall heads.
  ///
  /// Exact except for rounding of the last digits.
  ///
  /// - Complexity: O(count).
  public static func probabilityOfHeads(atLeast heads: Int, of count: Int) -> Double {
    guard heads > 0 else { return 1 }
    guard heads <= count else { return 0 }
    // Relative to the greatest weight, so that no power of two underflows.
    var weight = 1.0
    var weights = [1.0]
    for below in stride(from: count / 2, to: 0, by: -1) {
      weight *= Double(below) / Double(count - below + 1)
      weights.append(weight)
    }
    // weights[d] is C(count, count / 2 - d).
    func relative(_ number: Int) -> Double { weights[count / 2 - min(number, count - number)] }
    var all = 0.0
    var tail = 0.0
    // The least terms first, so that they are not lost in large sums.
    for number in (0...count).reversed() {
      all += relative(number)
      if number == heads { tail = all }
    }
    return min(1, tail / all)
  }

  /// The exact p-value of the sign test for the hypothesis that the median lies within ±`floor`: the probability, under
  /// it, of values at least as far beyond, on either side.
  ///
  /// With the same confidence, ``confidenceIntervalOfMedian(of:confidence:)`` lies beyond the floor
  /// if and only if this is at most 1 − confidence.
  ///
  /// - Complexity: O(n) for n values.
  public static func signTest(_ values: [Double], beyond floor: Double = 0) -> Double {
    let above = values.count { $0 > floor }
    let below = values.count { $0 < -floor }
    return min(1, 2 * probabilityOfHeads(atLeast: max(above, below), of: values.count))
  }

  /// Holm's correction: adjusted p-values, such that taking all those up to α as significant is wrong about any of them
  /// with a probability of at most α.
  ///
  /// - Complexity: O(n log n) for n p-values.
  public static func holm(_ pValues: [Double]) -> [Double] {
    var adjusted = pValues
    var least = 0.0
    let order = pValues.indices.sorted { pValues[$0] < pValues[$1] }
    for (step, index) in order.enumerated() {
      least = max(least, min(1, Double(pValues.count - step) * pValues[index]))
      adjusted[index] = least
    }
    return adjusted
  }
}
