import WakeEvents

// The wake of an app: what it carries, how it ends, and its hash.
extension AppState {
  /// Starts a wake that carries no types yet.
  mutating func beginWake(number: Int, at time: Int64, withRefresh: Bool, withPush: Bool) {
    activity = .awake
    wakeCount += 1
    typesHash = 0
    wake.number = number
    wake.time = Timestamp(nanoseconds: time)
    wake.types.removeAll(keepingCapacity: true)
    wake.saves = 0
    wake.oldest = nil
    wake.refresh = withRefresh
    wake.outcome = .open
    wake.end = nil
    isRefreshOutstanding = withRefresh
    isPushOutstanding = withPush
    outstanding = (withRefresh ? 1 : 0) + (withPush ? 1 : 0)
    if withRefresh { refresh.refreshed(at: time) }
    if withPush {
      pushWakes.append(time)
      wake.push = heldPush
      heldPush = nil
    } else {
      wake.push = nil
    }
  }

  /// Adds what the wake has just begun to carry of a subscription.
  mutating func carry(_ subscription: SubscriptionState) {
    outstanding += 1
    typesHash &+= subscription.typeHash
    wake.types.append(subscription.type)
    wake.saves += subscription.carriedSaves
    let oldest = min(subscription.carriedOldest, wake.oldest?.nanoseconds ?? .max)
    wake.oldest = Timestamp(nanoseconds: oldest)
  }

  /// Tells of the wake as it is. Mutating, as else the caller would copy the whole state for it.
  mutating func tell(_ phase: WakePhase, _ onWake: (WakePhase, borrowing Wake) -> Void) {
    onWake(phase, wake)
  }

  /// Notes how the wake ended, and when, if it did; returns its hash, which begins with that of the
  /// device (SPEC 7).
  mutating func endWake(_ outcome: WakeOutcome, at time: Int64?, after device: WakeHash) -> UInt64 {
    wake.outcome = outcome
    wake.end = time.map(Timestamp.init(nanoseconds:))
    var hash = device
    hash.combine(Int64(wake.number))
    hash.combine(wake.time.nanoseconds)
    hash.combine(nameHash)
    hash.combine(typesHash)
    hash.combine(Int64(wake.saves))
    hash.combine(wake.oldest?.nanoseconds ?? 0)
    hash.combine(wake.push.map(NameHash.of) ?? 0)
    hash.combine(wake.refresh ? 1 as UInt64 : 0)
    hash.combine(UInt64(wake.outcome.rawValue))
    hash.combine(wake.end?.nanoseconds ?? 0)
    return hash.value
  }
}
