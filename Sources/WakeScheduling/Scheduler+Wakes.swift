import WakeEvents

// Waking and the end of a wake (SPEC 6), and what is due (SPEC 4.2, 4.4).
extension Scheduler {
  /// Lets the first thing that is due happen, at its own time.
  @inline(never)
  mutating func happen(_ listener: WakeListener) {
    let (due, app, purpose) = timers.first
    present = max(present, due)
    if apps[app].activity == .awake {
      // A timer ends the wake as well, at its deadline.
      let isAnswer = purpose == .modelledCompletion
      end(app, isAnswer ? .completed : .expired, isAnswer: isAnswer, listener)
      apps[app].activity = .suspended
    }
    // Its timer would be next in any case, as every other timer due by now went before.
    evaluate(app, listener)
  }

  /// Wakes the app if it is due at the present, and sets its timer (SPEC 4.4, 6.1).
  @inline(__always)
  mutating func evaluate(_ app: Int, _ listener: WakeListener) {
    guard apps[app].activity.mayBeWoken else { return }
    if apps[app].isPlain {
      let due = dueTimesOfPlain(app)
      if due.pending <= present {
        wakeForHealth(app, health: due.health, listener)
      } else {
        setTimerOfPlain(app, due: due.pending)
      }
    } else {
      evaluateFully(app, listener)
    }
  }

  @inline(never)
  private mutating func evaluateFully(_ app: Int, _ listener: WakeListener) {
    let due = dueTimes(app)
    if due.earliest <= present {
      wake(app, due, listener)
    } else {
      timers.set(app: app, due: due.earliest)
    }
  }

  /// Wakes an app, or each of a cohort, that is due for pending saves and may not be for anything else.
  @inline(never)
  private mutating func wakeForHealth(_ app: Int, health: Int64, _ listener: WakeListener) {
    wake(app, DueTimes(health: health, pending: health), listener)
  }

  /// Whether a save or delete wakes an app for the sake of one subscription, on which nothing is pending yet,
  /// and for nothing else.
  @inline(__always)
  func wakes(_ app: Int, for slot: Int) -> Bool {
    apps[app].earliestPending == .max && apps[app].activity.mayBeWoken && apps[app].isPlain
      && !isHealthBlocked(app)
      && max(apps[app].backoff.until, apps[app].awakeUntil, coalescer.subscriptions[slot].opens)
        <= present
  }

  /// Wakes an app, or each of a cohort, for a save or delete at the present that nothing was pending before.
  @inline(never)
  mutating func wakeForOne(_ app: Int, _ slot: Int, _ listener: WakeListener) {
    var cargo = WakeCargo()
    apps[app].typesTold = 0
    carry(1, oldest: present, of: slot, app, &cargo)
    beginWake(app, cargo, listener)
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

  /// ``dueTimes(_:)`` of an app that is plain, where there is no budget.
  @inline(__always)
  func dueTimesOfPlain(_ app: Int) -> (health: Int64, pending: Int64) {
    guard !isHealthBlocked(app) else { return (.max, .max) }
    let health = max(apps[app].backoff.until, apps[app].awakeUntil)
    return (health, max(health, apps[app].earliestPending))
  }

  /// SPEC 6.1.
  @inline(__always)
  func dueTimes(_ app: Int) -> DueTimes {
    var due = DueTimes()
    if let budget = policy.budget {
      let limit = apps[app].hasComplication ? budget.limit : budget.limitWithoutComplication
      due.budget = apps[app].chargedWakes.opens(limit: limit, window: budget.window)
    }
    if !isHealthBlocked(app) {
      // Where a budget or more than health counts, no answer is counted ahead: then the last is in the past.
      due.health = max(due.budget, apps[app].backoff.until, apps[app].awakeUntil)
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

  /// Wakes each app of a cohort (SPEC 6.2 to 6.4).
  @inline(__always)
  private mutating func wake(
    _ app: Int, _ due: DueTimes, _ listener: WakeListener
  ) {
    var cargo = WakeCargo(refresh: due.refresh <= present, push: due.push <= present)
    apps[app].typesTold = 0
    if due.budget <= present, !due.isHealthBlocked {
      let carriesAll =
        policy.carry == .always
        || (policy.carry == .launch && apps[app].activity == .terminated)
      if carriesAll {
        carryTypes(app, pendingUpTo: .max - 1, &cargo)
      } else if due.health <= present {
        carryTypes(app, pendingUpTo: present, &cargo)
      }
    }
    if policy.budget != nil, cargo.types > 0 || cargo.refresh {
      apps[app].chargedWakes.append(present)
    }
    if cargo.refresh { counts.wakesWithRefresh += apps[app].cohort }
    if cargo.push { counts.wakesWithPush += apps[app].cohort }
    beginWake(app, cargo, listener)
  }

  /// Begins a wake of each app of a cohort at the present and tells of it; sets when it ends by itself: at its
  /// deadline or, if that comes before, by the modelled completion (SPEC 6.3, 6.4).
  @inline(__always)
  private mutating func beginWake(_ app: Int, _ cargo: WakeCargo, _ listener: WakeListener) {
    let behaviour = policy.behaviour
    let timeout = policy.completionTimeout
    let wasTerminated = apps[app].activity == .terminated
    let delay = (behaviour.completesAfter ?? timeout) + (wasTerminated ? behaviour.coldStart : 0)
    apps[app].beginWake(number: counts.wakes + 1, at: present, cargo)
    counts.wakes += apps[app].cohort
    if cargo.types > 0 { counts.wakesWithHealth += apps[app].cohort }
    if tellsAll { apps[app].endTypes() }
    let every = behaviour.ignoresEvery
    let isAnswered =
      delay < timeout && (every == 0 || !apps[app].wakeCount.isMultiple(of: every))
    if isAnswered, delay > 0, !tellsAll, apps[app].isPlain, apps[app].backoff.strikes == 0 {
      countAhead(app, answeredAt: present + delay)
    } else {
      timers.set(
        isAnswered ? .modelledCompletion : .timer, app: app,
        due: present + (isAnswered ? delay : timeout))
    }
    unsafe listener(.began, WakeView(apps.address(of: app)))
  }

  /// Moves what is pending from subscriptions to the wake, of those that may start one up to a time
  /// (SPEC 6.2).
  @inline(__always)
  private mutating func carryTypes(
    _ app: Int, pendingUpTo limit: Int64, _ cargo: inout WakeCargo
  ) {
    var earliestPending = Int64.max
    for index in apps[app].subscriptions.indices {
      let slot = apps[app].subscriptions[index]
      let pendingFrom = coalescer.subscriptions[slot].pendingFrom
      if pendingFrom <= limit {
        let (saves, oldest) = coalescer.take(slot)
        carry(saves, oldest: oldest, of: slot, app, &cargo)
      } else {
        earliestPending = min(earliestPending, pendingFrom)
      }
    }
    apps[app].earliestPending = earliestPending
  }

  /// Lets the wake that is to begin at the present carry what was pending on a subscription.
  @inline(__always)
  private mutating func carry(
    _ saves: Int, oldest: Int64, of slot: Int, _ app: Int, _ cargo: inout WakeCargo
  ) {
    cargo.add(saves, oldest: oldest, typeHash: coalescer.typeHash(of: slot))
    if tellsAll { apps[app].tell(coalescer.subscriptions[slot].type) }
    coalescer.subscriptions[slot].carry(
      saves, oldest: oldest, in: apps[app].wakeCount + 1, at: present)
  }

  /// Ends the wake in flight at the present (SPEC 6.5, 6.6); the caller sets the app's activity and
  /// its timer, which is still that of the wake.
  @inline(__always)
  mutating func end(
    _ app: Int, _ outcome: WakeOutcome, isAnswer: Bool,
    _ listener: WakeListener
  ) {
    if outcome == .completed {
      if isAnswer, apps[app].wakeCarriedTypes { apps[app].backoff.answer() }
    } else {
      giveBack(app)
    }
    report(app, outcome, end: present, listener)
  }

  /// Puts back what the wake in flight carried and nobody answered: a strike if there is anything
  /// (SPEC 6.5).
  @inline(never)
  private mutating func giveBack(_ app: Int) {
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

  /// Counts a wake of each app of a cohort, adds it to the digest and tells of it (SPEC 7).
  @inline(__always)
  mutating func report(
    _ app: Int, _ outcome: WakeOutcome, end: Int64?,
    _ listener: WakeListener
  ) {
    apps[app].endWake(outcome, at: end)
    hasher.add(apps, leader: app, count: apps[app].cohort)
    if tellsAll { unsafe listener(.ended, WakeView(apps.address(of: app))) }
  }
}
