import CScheduling
import WakeEvents

// The wake of an app: what it carries, how it ends, and its hash.
extension AppState {
  /// Begins a wake with what it carries, which takes it from where it waited.
  @inline(__always)
  mutating func beginWake(number: Int, at time: Int64, _ cargo: WakeCargo) {
    activity = .awake
    wakeCount += 1
    typesHash = cargo.typesHash
    outstanding = cargo.items
    isRefreshOutstanding = cargo.refresh
    isPushOutstanding = cargo.push
    wake.number = number
    wake.time = Timestamp(nanoseconds: time)
    wake.saves = cargo.saves
    wake.oldest = cargo.types == 0 ? nil : Timestamp(nanoseconds: cargo.oldest)
    wake.refresh = cargo.refresh
    wake.outcome = .open
    wake.end = nil
    if cargo.refresh { refresh.refreshed(at: time) }
    if cargo.push {
      pushWakes.append(time)
      wake.push = heldPush
      heldPush = nil
    } else if wake.push != nil {
      wake.push = nil
    }
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

  /// Takes back that the wake has ended.
  mutating func reopenWake() {
    completed -= 1
    savesCarried -= wake.saves
    wake.outcome = .open
    wake.end = nil
  }

  /// Tells the fields that the hash of the wake is made of but for the first, which is its device's, and their places
  /// (SPEC 7).
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
