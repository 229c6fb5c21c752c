import WakeEvents

extension Policy {
  /// A hash of all values, which depends neither on the order of the caps nor on the program's build. Lifted reasons are
  /// left out: a result tells them.
  ///
  /// - Complexity: O(caps + subscriptions), without an allocation.
  package var contentHash: Digest {
    var hash = WakeHash()
    // A sum has no order.
    var sum: UInt64 = 0
    for (type, cap) in caps {
      var entry = WakeHash()
      entry.combine(NameHash.of(type.string))
      entry.combine(cap.period)
      sum &+= entry.value
    }
    hash.combine(sum)
    hash.combine(defaultCap.period)
    hash.combine(UInt64(budget == nil ? 0 : 1))
    if let budget {
      hash.combine(budget.window)
      hash.combine(Int64(budget.limit))
      hash.combine(Int64(budget.limitWithoutComplication))
    }
    hash.combine(completionTimeout)
    hash.combine(Int64(maxStrikes))
    hash.combine(backoffBase)
    hash.combine(backoffFactor.bitPattern)
    hash.combine(backoffMax)
    hash.combine(Int64(pushLimit))
    hash.combine(pushWindow)
    hash.combine(minimumRefreshInterval)
    hash.combine(NameHash.of(carry.rawValue))
    hash.combine(UInt64(forceQuitBlocksHealth ? 1 : 0))
    hash.combine(UInt64(lockBlocksHealth ? 1 : 0))
    hash.combine(UInt64(subscriptions.count))
    for subscription in subscriptions {
      hash.combine(NameHash.of(subscription.app))
      hash.combine(NameHash.of(subscription.type))
      hash.combine(subscription.frequency.period)
    }
    hash.combine(UInt64(behaviour.completesAfter == nil ? 0 : 1))
    hash.combine(behaviour.completesAfter ?? 0)
    hash.combine(behaviour.coldStart)
    hash.combine(Int64(behaviour.ignoresEvery))
    return Digest(value: hash.value)
  }
}
