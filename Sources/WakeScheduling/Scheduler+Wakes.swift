import WakeEvents

// Waking and the end of a wake (SPEC 6), and what is due (SPEC 4.2, 4.4).
extension Scheduler {
  /// Lets the first thing that is due happen, at its own time.
  @inline(never)
  mutating func happen(_ onWake: (WakePhase, borrowing Wake) -> Void) {
    guard let (due, app, purpose) = timers.first else { return }
    present = max(present, due)
    switch purpose {
    case .modelledCompletion:
      complete(app, .everything, onWake)
      setTimer(app)
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
    guard apps[app].mayBeWoken else { return }
    let due = earliestWake(app)
    if due <= present {
      wake(app, onWake)
    } else {
      timers.set(.timer, app: app, due: due)
    }
  }

  /// Sets the timer of an app that is not evaluated now (SPEC 4.4).
  private mutating func setTimer(_ app: Int) {
    guard apps[app].mayBeWoken else { return }
    let due = earliestWake(app)
    timers.set(.timer, app: app, due: max(due, present))
  }

  /// The time from which each reason to wake holds, if nothing else happens; `Int64.max` is never.
  private struct DueTimes {
    /// From when the budget is open.
    var budget: Int64
    /// From when health data may wake the app, its period aside; includes the budget.
    var health: Int64
    var refresh: Int64
    var push: Int64
  }

  /// SPEC 6.1.
  private func dueTimes(_ app: Int) -> DueTimes {
    let state = apps[app]
    var due = DueTimes(budget: .min, health: .max, refresh: .max, push: .max)
    if let budget = policy.budget {
      let limit = state.hasComplication ? budget.limit : budget.limitWithoutComplication
      due.budget = state.chargedWakes.opens(limit: limit, window: budget.window)
    }
    if !isHealthBlocked(app) { due.health = max(due.budget, state.backoff.until) }
    if isNetworkGood, isPowerGood, !state.isForceQuit {
      due.refresh = max(due.budget, state.refresh.dueFrom)
    }
    if state.heldPush != nil, !state.isForceQuit {
      due.push = state.pushWakes.opens(limit: policy.pushLimit, window: policy.pushWindow)
    }
    return due
  }

  private func isHealthBlocked(_ app: Int) -> Bool {
    apps[app].backoff.isStopped || (apps[app].isForceQuit && policy.forceQuitBlocksHealth)
      || (isLocked && policy.lockBlocksHealth)
  }

  /// The earliest time at which §6 would wake the app if nothing else happened.
  private func earliestWake(_ app: Int) -> Int64 {
    let due = dueTimes(app)
    return min(max(due.health, apps[app].earliestPending), due.refresh, due.push)
  }

  /// Wakes the app (SPEC 6.2 to 6.4).
  private mutating func wake(_ app: Int, _ onWake: (WakePhase, borrowing Wake) -> Void) {
    let due = dueTimes(app)
    let wasTerminated = apps[app].activity == .terminated
    let time = Timestamp(nanoseconds: present)
    counts.wakes += 1
    apps[app].wakeCount += 1
    apps[app].wake.number = counts.wakes
    apps[app].wake.time = time
    apps[app].wake.outcome = .open
    apps[app].wake.end = nil

    carryTypes(app, wasTerminated: wasTerminated, healthFrom: due.health, budgetFrom: due.budget)
    let carriesTypes = !apps[app].items.isEmpty
    let carriesRefresh = due.refresh <= present
    let carriesPush = due.push <= present
    apps[app].wake.refresh = carriesRefresh
    apps[app].isRefreshOutstanding = carriesRefresh
    apps[app].isPushOutstanding = carriesPush
    apps[app].outstanding = apps[app].items.count
    if carriesTypes { counts.wakesWithHealth += 1 }
    if carriesRefresh {
      counts.wakesWithRefresh += 1
      apps[app].outstanding += 1
      apps[app].refresh.refreshed(at: present)
    }
    if carriesPush {
      counts.wakesWithPush += 1
      apps[app].outstanding += 1
      apps[app].pushWakes.append(present)
      apps[app].wake.push = apps[app].heldPush
      apps[app].heldPush = nil
    } else {
      apps[app].wake.push = nil
    }
    if carriesTypes || carriesRefresh { apps[app].chargedWakes.append(present) }

    apps[app].activity = .awake
    timers.set(.timer, app: app, due: present + policy.completionTimeout)
    if let completesAfter = policy.behaviour.completesAfter,
      policy.behaviour.ignoresEvery == 0
        || !apps[app].wakeCount.isMultiple(of: policy.behaviour.ignoresEvery)
    {
      let coldStart = wasTerminated ? policy.behaviour.coldStart : 0
      timers.set(.modelledCompletion, app: app, due: present + completesAfter + coldStart)
    }
    onWake(.began, apps[app].wake)
  }

  /// Moves pending saves from subscriptions to the wake (SPEC 6.2).
  private mutating func carryTypes(
    _ app: Int, wasTerminated: Bool, healthFrom: Int64, budgetFrom: Int64
  ) {
    apps[app].items.removeAll(keepingCapacity: true)
    apps[app].wake.types.removeAll(keepingCapacity: true)
    apps[app].typesHash = 0
    var saves = 0
    var oldest = Int64.max
    if budgetFrom <= present, !isHealthBlocked(app) {
      let carriesAll =
        policy.carry == .always || (policy.carry == .launch && wasTerminated)
      for index in apps[app].subscriptions.indices {
        let slot = apps[app].subscriptions[index]
        let subscription = coalescer.subscriptions[slot]
        guard subscription.oldest != .max,
          carriesAll || (healthFrom <= present && subscription.dueFrom <= present)
        else { continue }
        let taken = coalescer.take(slot)
        coalescer.subscriptions[slot].lastWake = present
        apps[app].items.append(
          AppState.Item(
            slot: slot, type: subscription.type, saves: taken.saves, oldest: taken.oldest))
        apps[app].wake.types.append(subscription.type)
        apps[app].typesHash &+= symbols.types.hash(of: subscription.type)
        saves += taken.saves
        oldest = min(oldest, taken.oldest)
      }
      findEarliestPending(app)
    }
    apps[app].wake.saves = saves
    apps[app].wake.oldest = oldest == .max ? nil : Timestamp(nanoseconds: oldest)
  }

  /// Ends the wake in flight at the present (SPEC 6.5, 6.6); the caller sets the app's activity.
  mutating func end(
    _ app: Int, _ outcome: WakeOutcome, isAnswer: Bool,
    _ onWake: (WakePhase, borrowing Wake) -> Void
  ) {
    timers.set(.timer, app: app, due: .max)
    timers.set(.modelledCompletion, app: app, due: .max)
    if outcome == .completed {
      if isAnswer, !apps[app].items.isEmpty { apps[app].backoff.answer() }
    } else {
      var isStrike = false
      for item in apps[app].items where item.slot >= 0 {
        isStrike = true
        coalescer.giveBack(item.saves, oldest: item.oldest, to: item.slot)
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
    apps[app].wake.outcome = outcome
    apps[app].wake.end = end.map(Timestamp.init(nanoseconds:))
    counts.digest.value &+= hash(of: apps[app].wake, typesHash: apps[app].typesHash, app: app)
    onWake(.ended, apps[app].wake)
  }

  private func hash(of wake: borrowing Wake, typesHash: UInt64, app: Int) -> UInt64 {
    var hash = WakeHash()
    hash.combine(deviceHash)
    hash.combine(Int64(wake.number))
    hash.combine(wake.time.nanoseconds)
    hash.combine(apps[app].nameHash)
    hash.combine(typesHash)
    hash.combine(Int64(wake.saves))
    hash.combine(wake.oldest?.nanoseconds ?? 0)
    hash.combine(wake.push.map(NameHash.of) ?? 0)
    hash.combine(wake.refresh ? 1 as UInt64 : 0)
    hash.combine(UInt64(wake.outcome.rawValue))
    hash.combine(wake.end?.nanoseconds ?? 0)
    return hash.value
  }
}
