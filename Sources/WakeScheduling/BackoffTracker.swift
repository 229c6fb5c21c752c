/// An app's strikes, its growing backoff, and whether it was stopped (SPEC 6.5, 6.6).
struct BackoffTracker {
  private(set) var strikes = 0
  /// The delay after the last strike in nanoseconds; 0 before the first.
  private var delay: Int64 = 0
  /// Health data wakes the app at this time at the earliest.
  private(set) var until = Int64.min
  /// Whether health data wakes the app no more.
  private(set) var isStopped = false

  /// A wake ended at `time` with types outstanding.
  mutating func strike(at time: Int64, policy: Policy) {
    strikes += 1
    if strikes >= policy.maxStrikes {
      isStopped = true
      return
    }
    let grown =
      delay == 0 ? Double(policy.backoffBase) : Double(delay) * policy.backoffFactor
    // The lesser first: the product may lie beyond Int64.
    let bounded = min(grown, Double(policy.backoffMax))
    let next = Int64(bounded.rounded(.toNearestOrEven))
    delay = next
    until = time + next
  }

  /// An answer clears strikes and backoff; a stopped app stays stopped (SPEC 6.6).
  mutating func answer() {
    strikes = 0
    delay = 0
    until = .min
  }

  /// Enabling anew clears everything (SPEC 5.2).
  mutating func rearm() {
    answer()
    isStopped = false
  }
}
