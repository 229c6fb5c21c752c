import CScheduling
import WakeEvents

// The wake of an app: what it carries, how it ends, and its hash.
extension AppState {
  /// Starts a wake that carries no types yet.
  @inline(__always)
  mutating func beginWake(number: Int, at time: Int64, withRefresh: Bool, withPush: Bool) {
    activity = .awake
    wakeCount += 1
    typesHash = 0
    wake.number = number
    wake.time = Timestamp(nanoseconds: time)
    typesTold = 0
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
    } else if wake.push != nil {
      wake.push = nil
    }
  }

  /// Adds what the wake has just begun to carry of a subscription.
  @inline(__always)
  mutating func carry(_ saves: Int, oldest: Int64, typeHash: UInt64) {
    outstanding += 1
    typesHash &+= typeHash
    wake.saves += saves
    wake.oldest = Timestamp(nanoseconds: min(oldest, wake.oldest?.nanoseconds ?? .max))
  }

  /// Adds a type that the wake tells: in place of one of the wake before, which mostly told the same.
  @inline(__always)
  mutating func tell(_ type: SampleType) {
    if typesTold == wake.types.count {
      wake.types.append(type)
    } else if wake.types[typesTold] != type {
      wake.types[typesTold] = type
    }
    typesTold += 1
  }

  /// Drops the types that the wake before told beyond those of this one.
  @inline(__always)
  mutating func endTypes() {
    if typesTold < wake.types.count { wake.types.removeLast(wake.types.count - typesTold) }
  }

  /// Whether the wake carried types at its start: each of them had at least one save.
  var wakeCarriedTypes: Bool { wake.saves > 0 }

  /// Notes how the wake ended, and when, if it did.
  @inline(__always)
  mutating func endWake(_ outcome: WakeOutcome, at time: Int64?) {
    switch outcome {
    case .completed: completed += 1
    case .expired: expired += 1
    case .aborted: aborted += 1
    case .open: break
    }
    savesCarried += wake.saves
    wake.outcome = outcome
    wake.end = time.map(Timestamp.init(nanoseconds:))
  }

  /// Tells the fields that the hash of a wake that has ended is made of, and their places (SPEC 7).
  @inline(__always)
  func tellWake(_ field: (Int, UInt64) -> Void) {
    field(HASHING_NUMBER, UInt64(truncatingIfNeeded: wake.number))
    field(HASHING_TIME, UInt64(bitPattern: wake.time.nanoseconds))
    field(HASHING_APP, nameHash)
    field(HASHING_TYPES, typesHash)
    field(HASHING_SAVES, UInt64(truncatingIfNeeded: wake.saves))
    field(HASHING_OLDEST, UInt64(bitPattern: wake.oldest?.nanoseconds ?? 0))
    field(HASHING_PUSH, wake.push.map(NameHash.of) ?? 0)
    field(HASHING_REFRESH, wake.refresh ? 1 : 0)
    field(HASHING_OUTCOME, UInt64(wake.outcome.rawValue))
    field(HASHING_END, UInt64(bitPattern: wake.end?.nanoseconds ?? 0))
  }
}
