import WakeEvents

// Waking and the end of a wake (SPEC 6), and what is due (SPEC 4.2, 4.4).
extension Scheduler {
  /// Lets the first thing that is due happen, at its own time.
  @inline(never)
  mutating func happen(_ onWake: (WakePhase, borrowing Wake) -> Void) {
    let (due, app, purpose) = timers.first
    present = max(present, due)
    switch purpose {
    case .modelledCompletion:
      complete(app, .everything, onWake)
      // Its timer would be next in any case, as every other timer due by now went before.
      evaluate(app, onWake)
    case .timer where apps[app].activity == .awake:
      end(app, .expired, isAnswer: false, onWake)
      setActivity(.suspended, of: app)
      evaluate(app, onWake)
    case .timer:
      evaluate(app, onWake)
    }
  }

  /// Wakes the app if it is due at the present, and sets its timer (SPEC 4.4, 6.1).
  mutating func evaluate(_ app: Int, _ onWake: (WakePhase, borrowing Wake) -> Void) {
    guard apps[app].activity.mayBeWoken else { return }
    let due = dueTimes(app)
    if due.earliest <= present {
      wake(app, due, onWake)
    } else {
      timers.set(app: app, due: due.earliest)
    }
  }

  /// The time from which each reason to wake holds, if nothing else happens; `Int64.max` is never.
  struct DueTimes {
    /// From when the budget is open.
    var budget = Int64.min
    /// From when health data may wake the app, whatever is pending; includes the budget.
    var health = Int64.max
    /// From when a subscription with pending saves does.
    var pending = Int64.max
    var refresh = Int64.max
    var push = Int64.max
    /// Whether health data wakes the app at no time, blocked or without budget.
    var isHealthBlocked: Bool { health == .max }
    /// From when any of them does.
    var earliest: Int64 { min(pending, refresh, push) }
  }

  /// SPEC 6.1.
  @inline(always)
  func dueTimes(_ app: Int) -> DueTimes {
    var due = DueTimes()
    if let budget = policy.budget {
      let limit = apps[app].hasComplication ? budget.limit : budget.limitWithoutComplication
      due.budget = apps[app].chargedWakes.opens(limit: limit, window: budget.window)
    }
    if !isHealthBlocked(app) {
      due.health = max(due.budget, apps[app].backoff.until)
      due.pending = max(due.health, apps[app].earliestPending)
    }
    let isForceQuit = apps[app].isForceQuit
    if isNetworkGood, isPowerGood, !isForceQuit {
      due.refresh = max(due.budget, apps[app].refresh.dueFrom)
    }
    if apps[app].heldPush != nil, !isForceQuit {
      due.push = apps[app].pushWakes.opens(limit: policy.pushLimit, window: policy.pushWindow)
    }
    return due
  }

  private func isHealthBlocked(_ app: Int) -> Bool {
    apps[app].backoff.isStopped || (apps[app].isForceQuit && policy.forceQuitBlocksHealth)
      || (isLocked && policy.lockBlocksHealth)
  }

  /// Wakes the app (SPEC 6.2 to 6.4).
  private mutating func wake(
    _ app: Int, _ due: DueTimes, _ onWake: (WakePhase, borrowing Wake) -> Void
  ) {
    let wasTerminated = apps[app].activity == .terminated
    let carriesRefresh = due.refresh <= present
    let carriesPush = due.push <= present
    counts.wakes += 1
    if carriesRefresh { counts.wakesWithRefresh += 1 }
    if carriesPush { counts.wakesWithPush += 1 }
    apps[app].beginWake(
      number: counts.wakes, at: present, withRefresh: carriesRefresh, withPush: carriesPush)
    if due.budget <= present, !due.isHealthBlocked {
      carryTypes(app, wasTerminated: wasTerminated, healthFrom: due.health)
    }
    let carriesTypes = apps[app].wakeCarriedTypes
    if carriesTypes { counts.wakesWithHealth += 1 }
    if carriesTypes || carriesRefresh { apps[app].chargedWakes.append(present) }

    awaitEnd(app, wasTerminated: wasTerminated)
    apps[app].tell(.began, onWake)
  }

  /// Sets when the wake that begins at the present ends by itself: at its deadline or, if that comes
  /// before, by the modelled completion (SPEC 6.3, 6.4).
  private mutating func awaitEnd(_ app: Int, wasTerminated: Bool) {
    let deadline = present + policy.completionTimeout
    let behaviour = policy.behaviour
    if let completesAfter = behaviour.completesAfter,
      behaviour.ignoresEvery == 0 || !apps[app].wakeCount.isMultiple(of: behaviour.ignoresEvery)
    {
      let completion = present + completesAfter + (wasTerminated ? behaviour.coldStart : 0)
      if completion < deadline {
        timers.set(.modelledCompletion, app: app, due: completion)
        return
      }
    }
    timers.set(app: app, due: deadline)
  }

  /// Moves pending saves from subscriptions to the wake (SPEC 6.2).
  private mutating func carryTypes(_ app: Int, wasTerminated: Bool, healthFrom: Int64) {
    let carriesAll = policy.carry == .always || (policy.carry == .launch && wasTerminated)
    var earliestPending = Int64.max
    for index in apps[app].subscriptions.indices {
      let slot = apps[app].subscriptions[index]
      guard coalescer.subscriptions[slot].oldest != .max else { continue }
      let dueFrom = coalescer.subscriptions[slot].dueFrom
      if carriesAll || (healthFrom <= present && dueFrom <= present) {
        coalescer.carry(slot, in: apps[app].wakeCount, at: present)
        apps[app].carry(coalescer.subscriptions[slot], tellingType: tellsTypes)
      } else {
        earliestPending = min(earliestPending, dueFrom)
      }
    }
    apps[app].earliestPending = earliestPending
  }

  /// Ends the wake in flight at the present (SPEC 6.5, 6.6); the caller sets the app's activity and
  /// its timer, which is still that of the wake.
  mutating func end(
    _ app: Int, _ outcome: WakeOutcome, isAnswer: Bool,
    _ onWake: (WakePhase, borrowing Wake) -> Void
  ) {
    if outcome == .completed {
      if isAnswer, apps[app].wakeCarriedTypes { apps[app].backoff.answer() }
    } else {
      var isStrike = false
      for index in apps[app].subscriptions.indices {
        let slot = apps[app].subscriptions[index]
        guard isOutstanding(app, slot: slot) else { continue }
        isStrike = true
        coalescer.giveBack(slot)
      }
      if isStrike {
        apps[app].backoff.strike(at: present, policy: policy)
        findEarliestPending(app)
      }
    }
    report(app, outcome, end: present, onWake)
  }

  /// Counts a wake, adds it to the digest and tells of it (SPEC 7).
  mutating func report(
    _ app: Int, _ outcome: WakeOutcome, end: Int64?,
    _ onWake: (WakePhase, borrowing Wake) -> Void
  ) {
    switch outcome {
    case .completed: counts.completed += 1
    case .expired: counts.expired += 1
    case .aborted: counts.aborted += 1
    case .open: counts.open += 1
    }
    apps[app].endWake(outcome, at: end, &hasher)
    apps[app].tell(.ended, onWake)
  }
}
