// Acceleration `answersAhead`.
//
// Rule: 6.4, the modelled completion of a wake.
// Plain: the completion has a timer; when it is due, the wake ends and the app is evaluated.
// Here: the wake is counted as completed when it begins, and its timer is left out. Until the completion the app
// cannot be woken (``AppState/answeredAt``); at that time it is evaluated, if anything is pending by then.
// Condition: wakes are only counted or kept (``SchedulerCore/reportsEnds`` is off), so nobody sees a wake between its
// beginning and its end, or the listener takes answers ahead (``SchedulerCore/reportsAnswersAhead``). A reboot takes the
// completion back first, and so do inputs that name the app, but for those that neither end a wake nor ask whether there is
// one. Where the completion clears strikes (rule 6.6), they are cleared as the wake begins, unless waits are observed, which
// tell of the backoff until then.
// A history (``WakeHistory``) has the completion from the beginning on, though it may be taken back. Then the wake ends at that
// time or before, and its end is noted again. So a wake may be removed once the present is after its end: no timer of that time
// is left then.
// A completion without delay comes before the next input, even one at the same time (rule 4.2), and after the last input not at
// all. So it is counted ahead only while another input of the same rows follows (``setFollowed(_:)``).
// Waits (rules, 9) are told when a wake begins; until the completion, a time like others, they have `inFlight`.
// Tests: AnswersAheadTests, CountedWakesTests, WaitsTests, LongRowsTests, OtherShapesTests.
// Gain: 518 to 286 instructions a wake in coalescer/busy/10; 4 to 8 % on fleet (page Performance).
extension SchedulerCore {
  /// Whether the modelled completion of a wake that begins may be counted ahead.
  @inline(__always)
  func mayAnswerAhead(_ app: Int, _ contents: WakeContents) -> Bool {
    answersAhead && (apps[app].backoff.strikes == 0 || contents.types == 0 || waits == nil)
  }

  /// Counts the completion of the wake that begins now, which comes at a later `time`.
  @inline(__always)
  mutating func answerAhead(_ app: Int, at time: Int64) {
    apps[app].activity = .suspended
    apps[app].answeredAt = time
    apps[app].endWake(.completed, at: time)
    if history.isKept { keepEnd(of: app, .completed, at: time) }
    if apps[app].backoff.strikes != 0 || apps[app].keepsBackoff { clearAhead(app) }
    setTimerAhead(app, isWokenBySavesOnly: apps[app].isWokenBySavesOnly)
  }

  /// Sets the timer of an app whose wake is counted as completed ahead.
  @inline(always)
  private mutating func setTimerAhead(_ app: Int, isWokenBySavesOnly: Bool) {
    if isWokenBySavesOnly {
      setTimer(app, due: apps[app].pendingDue == .max ? .max : pendingSavesDue(app))
    } else {
      setTimer(app, due: earliestDue(app))
      noteHeld(app)
    }
  }

  /// Begins a wake whose completion is counted ahead, as ``begin(_:_:isWokenBySavesOnly:_:_:)`` does, in one go; false if it
  /// is not, or somebody but a history wants to know more than its figures.
  @inline(always)
  mutating func beginAnswered(
    _ app: Int, _ contents: WakeContents, isWokenBySavesOnly: Bool, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) -> Bool {
    var delay = delaysAhead.suspended
    if apps[app].activity == .terminated {
      // Before the guard, as `beginInFlight` notes it, too.
      noteInUse(app)
      delay = delaysAhead.terminated
    }
    guard delay >= 0, apps[app].cohort == 1, !isIgnored(app) else { return false }
    // As `addHash(of:_:)`, where wakes are hashed, and in lanes (`updateDelaysAhead()`).
    if apps[app].wake.number > 0 { hasher.add(apps[app].wake, start: hashStart) }
    counts.addWake(contents, times: 1)
    countWake(of: app, isIgnored: false)
    apps[app].beginAnswered(
      number: counts.wakes, at: present, contents, answeredAt: present &+ delay)
    if contents.hasPush {
      notePushWake(app)
      updateIsWokenBySavesOnly(of: app)
    }
    if apps[app].backoff.strikes != 0 || apps[app].keepsBackoff { clearAhead(app) }
    setTimerAhead(app, isWokenBySavesOnly: isWokenBySavesOnly || apps[app].isWokenBySavesOnly)
    if history.isKept {
      keepBeginning(app, contents, answeredAt: apps[app].answeredAt)
    }
    tellBegan(app, contents, isOneApp: true, &hasher, listener)
    return true
  }

  /// Updates ``delaysAhead``.
  mutating func updateDelaysAhead() {
    delaysAhead = Self.noDelaysAhead
    answersWithoutDelay = false
    guard answersAhead, !reportsEnds, waits == nil, bounds == nil, hashesWakes,
      accelerations.contains(.hashLanes), let delay = answerDelays.suspended
    else { return }
    answersWithoutDelay = delay == 0
    if delay > 0 { delaysAhead = (delay, answerDelays.terminated ?? -1) }
  }

  /// ``delaysAhead`` where no completion is counted ahead.
  static var noDelaysAhead: (suspended: Int64, terminated: Int64) { (-1, -1) }

  /// Sets whether another input follows, before which completions without delay come.
  @inline(__always)
  mutating func setFollowed(_ isFollowed: Bool) {
    guard answersWithoutDelay else { return }
    delaysAhead = isFollowed ? (0, answerDelays.terminated ?? -1) : Self.noDelaysAhead
  }

  /// Clears the strikes that the answer to the wake clears.
  @inline(never)
  private mutating func clearAhead(_ app: Int) {
    apps[app].keepsBackoff = false
    guard apps[app].backoff.strikes > 0, apps[app].wake.saves > 0 else { return }
    apps[app].keepsBackoff = true
    apps[app].unansweredBackoff = apps[app].backoff
    apps[app].backoff.clear()
  }

  /// Whether a completion is counted that has not come yet.
  @inline(__always)
  func isAnsweredAhead(_ app: Int) -> Bool { apps[app].answeredAt > present }

  /// Takes a completion back that is counted ahead: the wake is in flight as without this acceleration.
  mutating func takeBackAnswer(_ app: Int) {
    guard isAnsweredAhead(app) else { return }
    apps[app].reopenWake()
    apps[app].activity = .awake
    if apps[app].keepsBackoff {
      apps[app].backoff = apps[app].unansweredBackoff
      apps[app].keepsBackoff = false
    }
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
