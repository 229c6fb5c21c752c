import WakeEvents

// The record of an app's wake.
extension AppState {
  /// Begins a wake at `time` with its contents.
  @inline(__always)
  mutating func beginWake(number: Int, at time: Int64, _ contents: WakeContents) {
    activity = .awake
    wakeCount += 1
    typesHash = contents.typesHash
    outstanding = contents.items
    isRefreshOutstanding = contents.hasRefresh
    isPushOutstanding = contents.hasPush
    wake.number = number
    wake.time = Timestamp(nanoseconds: time)
    wake.saves = contents.saves
    wake.oldest = contents.types == 0 ? nil : Timestamp(nanoseconds: contents.oldest)
    wake.refresh = contents.hasRefresh
    wake.outcome = .open
    wake.end = nil
    if contents.hasRefresh { refresh.refreshed(at: time) }
    if contents.hasPush {
      pushWakes.append(time)
      wake.push = heldPush
      heldPush = nil
    } else if wake.push != nil {
      wake.push = nil
    }
  }

  /// Adds a type to ``Wake/types``. It replaces one of the wake before, which mostly is the same, so that the array
  /// rarely changes.
  @inline(__always)
  mutating func report(_ type: SampleType) {
    if reportedTypes == wake.types.count {
      wake.types.append(type)
    } else if wake.types[reportedTypes] != type {
      wake.types[reportedTypes] = type
    }
    reportedTypes += 1
  }

  /// Drops the types of the wake before that ``report(_:)`` did not replace.
  @inline(__always)
  mutating func dropUnreportedTypes() {
    if reportedTypes < wake.types.count {
      wake.types.removeLast(wake.types.count - reportedTypes)
    }
  }

  /// Whether the wake carried types at its start; each of them had at least one save.
  var wakeCarriedTypes: Bool { wake.saves > 0 }

  /// Notes how the wake ended, and when.
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

  /// Undoes ``endWake(_:at:)`` of a completed wake.
  mutating func reopenWake() {
    completed -= 1
    savesCarried -= wake.saves
    wake.outcome = .open
    wake.end = nil
  }
}
