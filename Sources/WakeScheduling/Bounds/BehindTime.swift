/// For how long something was owed to an app (rules, 10.1).
///
/// Whether a wake carries its saves for good is known only at its end. Until then it counts as if it did; what the times
/// were before it is kept for the case that saves come back (rule 6.5).
struct BehindTime {
  /// Nanoseconds, without the time since ``since``.
  private(set) var total: Int64 = 0
  /// Since when something is owed without a break; `Int64.max` if nothing is.
  private var since = Int64.max
  private var beforeWake = (total: Int64(0), since: Int64.max)

  /// Whether ``owe(since:)`` has been told since when something is owed.
  var isOwed: Bool { since != .max }

  /// Notes the time of the oldest save or delete that is owed; `Int64.max` if nothing is. Call it before a wake carries what
  /// is owed, or before that is dropped.
  mutating func owe(since time: Int64) {
    if since == .max { since = time }
  }

  /// A wake begins that carries types.
  ///
  /// - Parameter leavesSome: Whether it leaves other types pending.
  mutating func carry(at time: Int64, leavesSome: Bool) {
    beforeWake = (total, since)
    if !leavesSome { settle(at: time) }
  }

  /// Saves of the last wake come back: they were owed all the time.
  mutating func giveBack() {
    (total, since) = beforeWake
  }

  /// Nothing is owed any more.
  mutating func settle(at time: Int64) {
    guard since != .max else { return }
    total += time - since
    since = .max
  }
}
