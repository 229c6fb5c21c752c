internal import WakeScheduling

/// Sums by ``WaitReason/rawValue``.
extension [ReplayResult.Waiting.Sums] {
  static var ofNoWait: Self { Self(repeating: .init(), count: WaitReason.allCases.count) }

  /// Adds a wait that is over.
  mutating func add(_ wait: borrowing Wait) {
    var last: WaitReason?
    for place in wait.stretches.indices {
      let (nanoseconds, why) = (wait.stretches[place].nanoseconds, wait.stretches[place].reasons)
      let isAlone = why.count == 1
      for reason in why {
        self[Int(reason.rawValue)].any.addClamped(nanoseconds)
        if isAlone { self[Int(reason.rawValue)].alone.addClamped(nanoseconds) }
      }
      last = why.first
    }
    if let last { self[Int(last.rawValue)].last.addClamped(wait.until - wait.since) }
  }

  /// Adds other sums.
  mutating func add(_ other: Self) {
    for reason in indices { self[reason].add(other[reason]) }
  }
}
