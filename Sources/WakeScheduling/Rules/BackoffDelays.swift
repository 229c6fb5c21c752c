/// The delays after successive strikes of an app (rule 6.5), worked out once for a policy: a product of doubles and its
/// rounding take some 50 cycles, and when the app is woken next depends on them.
struct BackoffDelays: Sendable {
  /// The strike that stops the app.
  let maxStrikes: Int
  private let base: Int64
  private let factor: Double
  private let most: Int64
  /// Those after the first strikes.
  private var first: [Int64] = []
  /// Whether all further strikes have the delay of the one before.
  private var isLastForAll = false

  /// So many are kept. Where delays grow for longer, the others are worked out at each strike.
  private static let mostKept = 64

  /// - Complexity: O(1): 64 products at most.
  init(_ policy: Policy) {
    maxStrikes = policy.maxStrikes
    (base, factor, most) = (policy.backoffBase, policy.backoffFactor, policy.backoffMax)
    var last: Int64 = 0
    while first.count < min(maxStrikes - 1, Self.mostKept), !isLastForAll {
      let next = delay(after: last)
      // A delay depends on the last one alone.
      isLastForAll = next == last
      first.append(next)
      last = next
    }
  }

  /// The delay after a strike, in nanoseconds.
  ///
  /// - Parameters:
  ///   - strike: Which in a row, from 1 to less than ``maxStrikes``.
  ///   - last: The delay after the one before; 0 before the first.
  /// - Complexity: O(1).
  @inline(__always)
  func delay(ofStrike strike: Int, after last: Int64) -> Int64 {
    if strike <= first.count { return first[strike &- 1] }
    return isLastForAll ? last : delay(after: last)
  }

  @inline(never)
  private func delay(after last: Int64) -> Int64 {
    let grown = last == 0 ? Double(base) : Double(last) * factor
    // The lesser before the conversion: the product may be beyond Int64.
    return Int64(min(grown, Double(most)).rounded(.toNearestOrEven))
  }
}
