import WakeEvents

// Answers that are counted before they come.
//
// Where wakes are only counted, nobody looks at a wake between its beginning and its modelled answer, and nothing
// but an input that names the app, or all apps, can keep the answer from coming. So the wake is counted as
// answered when it begins, and takes no timer: the answer leads to another wake alone if something is pending by
// then. Until it comes the app cannot be woken, as if it were awake (``AppState/awakeUntil``).
extension Scheduler {
  /// Counts the answer to the wake that begins at the present, which comes after it.
  @inline(__always)
  mutating func countAhead(_ app: Int, answeredAt time: Int64) {
    apps[app].activity = .suspended
    apps[app].awakeUntil = time
    apps[app].endWake(.completed, at: time)
    hasher.add(apps, leader: app, count: apps[app].cohort)
    let isPending = apps[app].earliestPending != .max
    setTimerOfPlain(app, due: isPending ? dueTimesOfPlain(app).pending : .max)
  }

  /// Whether an answer is counted that has not come by the present.
  @inline(__always)
  func isCountedAhead(_ app: Int) -> Bool { apps[app].awakeUntil > present }

  /// Takes back an answer that is counted ahead, before an input that may keep it from coming: the wake is in flight
  /// like others.
  mutating func takeBackAnswer(_ app: Int) {
    guard isCountedAhead(app) else { return }
    hasher.remove(apps, leader: app, count: apps[app].cohort)
    apps[app].reopenWake()
    apps[app].activity = .awake
    timers.set(.modelledCompletion, app: app, due: apps[app].awakeUntil)
    apps[app].awakeUntil = .min
  }

  /// Lets the answers come that are counted ahead and due by a time.
  mutating func passAnswers(to time: Int64) {
    guard !tellsAll else { return }
    for app in apps.indices where apps[app].awakeUntil <= time {
      present = max(present, apps[app].awakeUntil)
    }
  }

  /// Sets when an app is due that nothing but pending saves may wake.
  @inline(__always)
  mutating func setTimerOfPlain(_ app: Int, due: Int64) {
    // At the time of an answer it is due after all timers, as if it were due by the answer (SPEC 4.2).
    timers.set(
      due == apps[app].awakeUntil ? .modelledCompletion : .timer, app: app, due: due)
  }
}
