extension Statistics {
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
