/// What the replay of a policy shows of the parameters that it asked for.
struct RowWitness: Sendable {
  /// Wakes that ended without an answer.
  var unanswered = 0
  /// Wakes that expired.
  var expired = 0
  /// The most strikes that an app had at a time.
  var mostStrikes = 0
  /// Whether a wake left anything pending.
  var leftSome = false
  /// The longest time in nanoseconds for which a wake was in flight that did not expire; where every wake has a modelled
  /// answer it is not looked for.
  var longestFlight: Int64 = 0
  /// The most wakes of an app on a device.
  var mostWakes = 0
  /// The most wakes of an app that a budget is charged with, in each window that the sweep asks for.
  var charged: [Int64: Int] = [:]
  /// The same of wakes with a push.
  var pushes: [Int64: Int] = [:]
}
