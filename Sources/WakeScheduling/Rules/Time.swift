package import WakeEvents

// Page Rules, 4: time.
extension SchedulerCore {
  /// Takes one input (rules 4.1 to 4.5); returns why an `enable` was rejected.
  @discardableResult
  package mutating func take(
    _ input: Input, at time: Timestamp, _ hasher: inout WakeHasher,
    _ listener: (WakePhase, borrowing WakeView) -> Void
  ) -> RegistrationError? {
    defer { hasher.tellBegan(listener) }
    switch input {
    case .save(let sample):
      takeSample(
        sample, ofType: Int(sample.type.index), isDelete: false, at: time, &hasher, listener)
      return nil
    case .delete(let type, _):
      takeSample(nil, ofType: Int(type.index), isDelete: true, at: time, &hasher, listener)
      return nil
    case .observed:
      // Rules, 11: an observation is no input.
      return nil
    default:
      guard let brief = BriefInput(input) else { return nil }
      rejection = nil
      enter(time.nanoseconds, &hasher, listener)
      OtherInput.with(input, brief) {
        takeOther($0, &hasher, listener)
        heldPushIDs.keepLent(of: apps)
      }
      return rejection
    }
  }

  /// Takes an input other than a save or delete at the present and evaluates the apps (rule 4.5).
  @inline(never)
  mutating func takeOther(
    _ input: OtherInput, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    if evaluatesAtOnce { return takeOtherAtOnce(input.brief.kind, input, &hasher, listener) }
    takeOtherInFull(input, &hasher, listener)
  }

  /// ``takeOther(_:_:_:)`` where not ``evaluatesAtOnce``.
  @inline(never)
  mutating func takeOtherInFull(
    _ input: OtherInput, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    if waits != nil { settleAllWaits() }
    guard policy.lifted.isEmpty else { return takeEdited(input, &hasher, listener) }
    let kind = input.brief.kind
    let concern = apply(kind, input, listener)
    evaluate(concern, after: kind, &hasher, listener)
  }

  /// Takes an input as it is where reasons are lifted.
  @inline(never)
  private mutating func takeEdited(
    _ input: OtherInput, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    let brief = policy.lifted.edited(input.brief)
    let concern = unsafe withUnsafePointer(to: brief) {
      apply(brief.kind, unsafe OtherInput($0, insteadOf: input), listener)
    }
    evaluate(concern, after: brief.kind, &hasher, listener)
  }

  /// Evaluates the apps that an input concerns, as far as accelerations know them, or every app.
  private mutating func evaluate(
    _ concern: Concern, after kind: InputKind, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    if seesArrivals { noteInput() }
    switch concern {
    case .app(let app) where accelerations.contains(.namedApps):
      updateIsWokenBySavesOnly(of: app)
      evaluateQuickly(app, &hasher, listener)
    case .nobody where accelerations.contains(.namedApps): break
    case .everyone(let before) where accelerations.contains(.heldApps):
      evaluateHeld(after: kind, from: before, &hasher, listener)
    default: evaluateApps(&hasher, listener)
    }
  }

  /// Evaluates every app (rule 4.5).
  private mutating func evaluateApps(_ hasher: inout WakeHasher, _ listener: WakeListener) {
    for app in apps.indices where apps[app].leads {
      updateIsWokenBySavesOnly(of: app)
      evaluate(app, &hasher, listener)
    }
  }

  /// Counts an input at `time` and moves the present to its effective time (rule 4.1).
  @inline(__always)
  mutating func enter(_ time: Int64, _ hasher: inout WakeHasher, _ listener: WakeListener) {
    counts.inputs &+= 1
    if time < present { counts.lateInputs &+= 1 }
    advancePresent(to: max(time, present), &hasher, listener)
  }

  /// Lets everything due at or before `time` happen, then makes it the present (rule 4.2).
  @inline(__always)
  mutating func advancePresent(
    to time: Int64, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    if timers.mayBeDue(by: time) { letHappen(until: time, &hasher, listener) }
    present = time
  }

  @inline(never)
  private mutating func letHappen(
    until time: Int64, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    // What is not due has the due time `Int64.max`.
    let last = min(time, Timers.never)
    while timers.nextDue <= last { letFirstHappen(&hasher, listener) }
  }

  /// Lets what is due first happen at its own time (rules 4.2, 4.4).
  @inline(__always)
  private mutating func letFirstHappen(_ hasher: inout WakeHasher, _ listener: WakeListener) {
    if dropEarlyTimer() { return }
    let (due, app, purpose) = timers.first
    present = max(present, due)
    if apps[app].activity == .awake {
      // Rules 6.3 and 6.4: the deadline, or the modelled completion.
      let isCompletion = purpose == .modelledCompletion
      endWake(
        of: app, isCompletion ? .completed : .expired, isAnswer: isCompletion, listener)
      apps[app].activity = .suspended
    }
    evaluateQuickly(app, &hasher, listener)
  }

  /// Sets the timer of an app that is neither awake nor in the foreground (rule 4.4).
  @inline(__always)
  mutating func setTimer(_ app: Int, due: Int64) {
    // At the time of a completion counted ahead, the app is due in the place of the completion (rule 4.2).
    let isCompletion = due == apps[app].answeredAt
    timers.set(isCompletion ? .modelledCompletion : .timer, app: app, due: due)
  }

  /// Lets everything due at or before `time` happen, as a daemon does when ``nextDue`` has come (rule 4.2).
  ///
  /// - Complexity: O(1) if nothing is due; O(apps) where wakes are only counted.
  package mutating func advance(
    to time: Timestamp, _ hasher: inout WakeHasher,
    _ listener: (WakePhase, borrowing WakeView) -> Void
  ) {
    defer { hasher.tellBegan(listener) }
    letHappen(until: time.nanoseconds, &hasher, listener)
    passAnswers(to: min(time.nanoseconds, Timers.never))
  }

  /// Ends the run (rule 4.3): wakes in flight are `open`, and everything is counted (rules, 7). After it the scheduler
  /// takes nothing but ``restart(like:device:hash:)``.
  ///
  /// - Parameter eachApp: Takes the standing of each app, in app order.
  /// - Returns: The counts. Their stopped apps are in no order, and they have no digest.
  @discardableResult
  package mutating func close(
    _ hasher: inout WakeHasher, _ listener: (WakePhase, borrowing WakeView) -> Void,
    eachApp: (AppStanding) -> Void = { _ in }
  ) -> Summary {
    closeWaits()
    if seesArrivals { endArrivals() }
    var summary = Summary(counts)
    for app in apps.indices where apps[app].leads {
      takeBackAnswer(app)
      let standing = standing(of: app)
      let count = apps[app].cohort
      forEachApp(ledBy: app, standing, eachApp)
      if standing.isAwake { report(app, .open, end: nil, listener) }
      addHash(of: app, &hasher)
      if apps[app].activity == .foreground {
        for slot in apps[app].subscriptions { coalescer.materialize(slot) }
      }
      summary.completed += count * standing.completed
      summary.expired += count * standing.expired
      summary.aborted += count * standing.aborted
      if standing.isAwake { summary.open += count }
      summary.pendingAtEnd += count * standing.pending
      if standing.holdsPush { summary.pushesHeldAtEnd += count }
      if standing.isStopped { summary.stoppedApps += stoppedNames(app..<app + count) }
    }
    summary.liveDeliveries += coalescer.liveDeliveries
    return summary
  }
}
