import WakeEvents

// The record of an app's wake. Counts of wakes and saves do not overflow: no device lives to see 2^63 of them.
extension AppState {
  /// Begins a wake at `time` with its contents.
  @inline(__always)
  mutating func beginWake(
    number: Int, at time: Int64, _ contents: WakeContents
  ) {
    activity = .awake
    begin(WakeRecord(number: number, at: time, of: wake.app, contents), contents)
  }

  /// Begins a wake at `time` with its contents, which is answered at a later time.
  @inline(__always)
  mutating func beginAnswered(
    number: Int, at time: Int64, _ contents: WakeContents, answeredAt end: Int64
  ) {
    activity = .suspended
    var wake = WakeRecord(number: number, at: time, of: wake.app, contents)
    wake.end(.completed, at: end)
    begin(wake, contents)
    answeredAt = end
    completed &+= 1
    savesCarried &+= contents.saves
  }

  @inline(__always)
  private mutating func begin(_ wake: WakeRecord, _ contents: WakeContents) {
    isRefreshOutstanding = contents.hasRefresh
    isPushOutstanding = contents.hasPush
    self.wake = wake
    if contents.hasRefresh { refresh.refreshed(at: wake.time) }
    carryPush(contents.hasPush)
  }

  /// Forgets what the last wake carried, before the next one carries something.
  @inline(__always)
  mutating func clearCarried() {
    places.removeAll(from: .carried)
  }

  /// Sets a type of ``carriedTypes``, after those before it. It replaces one of the last wake, which mostly is the same,
  /// so that the array rarely changes.
  @inline(__always)
  mutating func setCarriedType(_ type: SampleType, at place: Int) {
    if place == carriedTypes.count {
      carriedTypes.append(type)
    } else if carriedTypes[place] != type {
      carriedTypes[place] = type
    }
  }

  /// Drops the types of the last wake that the wake that begins did not replace.
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
