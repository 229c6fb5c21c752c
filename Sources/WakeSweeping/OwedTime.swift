/// For how long something was owed to an app (page Rules, 10.1), from its wakes alone.
///
/// Nobody tells when something arrives. A wake that leaves nothing pending ends a time that began with the first save or
/// delete which this wake and those before it, back to another such wake, carried.
struct OwedTime {
  /// Nanoseconds, without the time since ``since``.
  private(set) var total: Int64 = 0
  /// The earliest known time since which something is owed without a break; `Int64.max` if nothing is known to be.
  private var since = Int64.max
  private var beforeWake = (total: Int64(0), since: Int64.max)

  /// A wake begins that carries types.
  ///
  /// - Parameters:
  ///   - oldest: The time of the first save or delete that it carries.
  ///   - leavesSome: Whether something else stays pending.
  @inline(__always)
  mutating func carry(oldest: Int64, at time: Int64, leavesSome: Bool) {
    since = min(since, oldest)
    beforeWake = (total, since)
    if !leavesSome { settle(at: time) }
  }

  /// What was pending goes without a wake, or the device's inputs end.
  mutating func drop(oldest: Int64, at time: Int64, leavesSome: Bool) {
    since = min(since, oldest)
    // It may have been pending before the last wake, which told of the saves that it carried only.
    beforeWake.since = min(beforeWake.since, oldest)
    if !leavesSome { settle(at: time) }
  }

  /// Saves of the last wake come back: they were owed all the time (rule 6.5).
  mutating func giveBack() {
    (total, since) = beforeWake
  }

  @inline(__always)
  private mutating func settle(at time: Int64) {
    total += time - since
    since = .max
  }
}
