// Acceleration `answersAhead`.
//
// Rule: 6.4, the modelled completion of a wake.
// Plain: the completion has a timer; when it is due, the wake ends and the app is evaluated.
// Here: the wake is counted as completed when it begins, and its timer is left out. Until the completion the app
// cannot be woken (``AppState/answeredAt``); at that time it is evaluated, if anything is pending by then.
// Condition: wakes are only counted (``SchedulerCore/reportsEnds`` is off), so nobody sees a wake between its beginning
// and its end, or the listener takes answers ahead (``SchedulerCore/reportsAnswersAhead``); nothing but pending saves can wake the app; it has no strikes, which the completion would clear. An
// input that names the app and a reboot take the completion back first.
// Waits (rules, 9) are told when a wake begins; until the completion, a time like others, they have `inFlight`.
// Tests: CountedWakesTests, WaitsTests.
// Gain: 684 to 455 instructions a wake in coalescer/busy/10; 4 to 8 % on fleet (page Performance).
extension SchedulerCore {
  /// Whether the modelled completion of a wake that begins may be counted ahead.
  @inline(__always)
  func mayAnswerAhead(_ app: Int) -> Bool {
    answersAhead && apps[app].backoff.strikes == 0 && apps[app].isWokenBySavesOnly
  }

  /// Counts the completion of the wake that begins now, which comes at a later `time`.
  @inline(__always)
  mutating func answerAhead(_ app: Int, at time: Int64) {
    apps[app].activity = .suspended
    apps[app].answeredAt = time
    apps[app].endWake(.completed, at: time)
    if apps[app].pendingDue == .max {
      timers.set(app: app, due: .max)
    } else {
      setTimer(app, due: pendingSavesDue(app))
    }
  }

  /// Whether a completion is counted that has not come yet.
  @inline(__always)
  func isAnsweredAhead(_ app: Int) -> Bool { apps[app].answeredAt > present }

  /// Takes a completion back that is counted ahead: the wake is in flight as without this acceleration.
  mutating func takeBackAnswer(_ app: Int) {
    guard isAnsweredAhead(app) else { return }
    apps[app].reopenWake()
    apps[app].activity = .awake
    timers.set(.modelledCompletion, app: app, due: apps[app].answeredAt)
    apps[app].answeredAt = .min
  }

  /// Moves the present past the completions that are counted ahead and due by a time.
  mutating func passAnswers(to time: Int64) {
    guard answersAhead else { return }
    for app in apps.indices where apps[app].answeredAt <= time {
      present = max(present, apps[app].answeredAt)
    }
  }
}
