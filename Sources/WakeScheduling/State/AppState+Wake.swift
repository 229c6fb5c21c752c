import WakeEvents

// The record of an app's wake. Counts of wakes and saves do not overflow: no device lives to see 2^63 of them.
extension AppState {
  /// Begins a wake at `time` with its contents.
  @inline(__always)
  mutating func beginWake(
    number: Int, at time: Int64, _ contents: WakeContents, pushLimit: Int
  ) {
    activity = .awake
    isRefreshOutstanding = contents.hasRefresh
    isPushOutstanding = contents.hasPush
    wake = WakeRecord(
      number: number, time: time, app: wake.app, types: contents.typesHash, saves: contents.saves,
      oldest: contents.types == 0 ? 0 : contents.oldest, refresh: contents.hasRefresh ? 1 : 0)
    if contents.hasRefresh { refresh.refreshed(at: time) }
    if contents.hasPush { pushWakes.append(time, capacity: pushLimit) }
    carryPush(contents.hasPush)
  }

  /// Begins a wake at `time` with its contents, which is answered at a later time.
  @inline(__always)
  mutating func beginAnswered(
    number: Int, at time: Int64, _ contents: WakeContents, pushLimit: Int, answeredAt end: Int64
  ) {
    activity = .suspended
    isRefreshOutstanding = contents.hasRefresh
    isPushOutstanding = contents.hasPush
    wake = WakeRecord(
      number: number, time: time, app: wake.app, types: contents.typesHash, saves: contents.saves,
      oldest: contents.types == 0 ? 0 : contents.oldest, refresh: contents.hasRefresh ? 1 : 0,
      outcome: UInt64(WakeOutcome.completed.rawValue), end: end)
    if contents.hasRefresh { refresh.refreshed(at: time) }
    if contents.hasPush { pushWakes.append(time, capacity: pushLimit) }
    carryPush(contents.hasPush)
    answeredAt = end
    completed &+= 1
    savesCarried &+= contents.saves
  }

  /// Forgets what the last wake carried, before the next one carries something.
  @inline(__always)
  mutating func clearCarried() {
    places.removeAll(from: .carried)
  }

  /// Sets a type of ``carriedTypes``, after those before it. It replaces one of the last wake, which mostly is the same,
  /// so that the array rarely changes.
  @inline(__always)
  mutating func report(_ type: SampleType, at place: Int) {
    if place == carriedTypes.count {
      carriedTypes.append(type)
    } else if carriedTypes[place] != type {
      carriedTypes[place] = type
    }
  }

  /// Drops the types of the last wake that ``report(_:at:)`` did not replace.
  @inline(__always)
  mutating func dropTypes(from count: Int) {
    if count < carriedTypes.count { carriedTypes.removeLast(carriedTypes.count - count) }
  }

  /// Notes how the wake ended, and when.
  @inline(__always)
  mutating func endWake(_ outcome: WakeOutcome, at time: Int64?) {
    switch outcome {
    case .completed: completed &+= 1
    case .expired: expired &+= 1
    case .aborted: aborted &+= 1
    case .open: break
    }
    savesCarried &+= wake.saves
    wake.end(outcome, at: time)
  }

  /// Undoes ``endWake(_:at:)`` of a completed wake.
  mutating func reopenWake() {
    completed -= 1
    savesCarried -= wake.saves
    wake.end(.open, at: nil)
  }
}
