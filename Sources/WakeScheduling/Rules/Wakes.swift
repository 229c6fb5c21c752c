import WakeEvents

// Page Rules, 6.1 to 6.4: when an app is woken, and with what.
extension SchedulerCore {
  /// From when each reason to wake an app holds, if nothing else happens; `Int64.max` is never (rule 6.1).
  struct DueTimes {
    /// The budget is open.
    var budget = Int64.min
    /// The budget is open, health is not blocked, and the backoff is over.
    var health = Int64.max
    /// Health is due: that, and a subscription with pending saves is past its period.
    var pending = Int64.max
    /// A refresh is due.
    var refresh = Int64.max
    /// A push is due.
    var push = Int64.max

    /// Health, a refresh or a push is due.
    var earliest: Int64 { min(pending, refresh, push) }
  }

  /// Rule 6.1. Mutating for speed alone: for another call the compiler moves the whole struct through memory. Inlined where
  /// it is called, so that the times stay in registers.
  @inline(always)
  mutating func dueTimes(_ app: Int) -> DueTimes {
    var due = DueTimes()
    due.budget = budgetOpens(app)
    // Until a completion counted ahead the app is awake; without that acceleration the time is in the past.
    let answered = apps[app].answeredAt
    if !isHealthBlocked(app) {
      due.health = max(due.budget, apps[app].backoff.until, answered)
      due.pending = max(due.health, apps[app].pendingDue)
    }
    if !apps[app].isForceQuit {
      if areConditionsGood {
        due.refresh = max(due.budget, apps[app].refresh.due(commonStatus), answered)
      }
      if apps[app].holdsPush { due.push = max(pushWindowOpens(app), answered) }
    }
    return due
  }

  /// ``DueTimes/earliest`` of an app. Not inlined, as a wake asks for it in the middle of a long function.
  @inline(never)
  mutating func earliestDue(_ app: Int) -> Int64 { dueTimes(app).earliest }

  /// Wakes the app if it is due at the present, else sets its timer (rules 4.4, 6.1, 6.2).
  @inline(never)
  mutating func evaluate(_ app: Int, _ hasher: inout WakeHasher, _ listener: WakeListener) {
    guard apps[app].activity == .terminated || apps[app].activity == .suspended else { return }
    let due = dueTimes(app)
    if due.earliest <= present {
      wake(app, due, &hasher, listener)
    } else {
      noteHeld(app)
      setTimer(app, due: due.earliest)
    }
  }

  /// Wakes the app at the present (rule 6.2).
  mutating func wake(
    _ app: Int, _ due: DueTimes, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    if waits != nil { settleWaits(of: app) }
    var contents = WakeContents()
    contents.hasPush = due.push <= present
    contents.hasRefresh = due.refresh <= present
    apps[app].clearCarried()
    if let time = carriesTypes(app, due) { carryTypes(app, dueBy: time, &contents) }
    if contents.types > 0 || contents.hasRefresh { charge(app) }
    begin(app, contents, isWokenBySavesOnly: false, &hasher, listener)
  }

  /// By when a subscription must be past its period for a wake at the present to carry it; nil if the wake carries none
  /// (rule 6.2), or nothing is pending that it could carry.
  @inline(__always)
  private mutating func carriesTypes(_ app: Int, _ due: DueTimes) -> Int64? {
    guard apps[app].pendingDue != .max, due.budget <= present, !isHealthBlocked(app) else {
      return nil
    }
    switch policy.carry {
    case .always: return Timers.never
    case .launch where apps[app].activity == .terminated: return Timers.never
    case .launch, .due: return due.pending <= present ? present : nil
    }
  }

  /// Moves the pending saves of each subscription that is past its period by `time` to the wake (rule 6.2).
  // `@inline(always)`: in a call the contents would go through memory.
  @inline(always)
  mutating func carryTypes(_ app: Int, dueBy time: Int64, _ contents: inout WakeContents) {
    if apps[app].unripeDue <= time {
      // Most wakes find one.
      if apps[app].places.ripenOnly() {
        apps[app].unripeDue = .max
      } else if time == Timers.never {
        ripenAll(app)
      } else {
        ripen(app, dueBy: time)
      }
    }
    var ripe = apps[app].places.carryRipe()
    while let place = ripe.next(in: &apps[app].places) {
      let slot = apps[app].subscriptions[place]
      let (saves, oldest) = coalescer.takePending(slot)
      addToWake(saves, oldest: oldest, of: slot, &contents)
    }
    apps[app].pendingDue = apps[app].unripeDue
  }

  /// Adds what was pending on a subscription to the wake that begins, and notes that this carries it.
  @inline(__always)
  mutating func carry(
    _ saves: Int, oldest: Int64, of slot: Int, _ app: Int, _ contents: inout WakeContents
  ) {
    apps[app].places.insert(coalescer.subscriptions[slot].place, in: .carried)
    addToWake(saves, oldest: oldest, of: slot, &contents)
  }

  /// ``carry(_:oldest:of:_:_:)`` for a place that is noted already.
  @inline(__always)
  private mutating func addToWake(
    _ saves: Int, oldest: Int64, of slot: Int, _ contents: inout WakeContents
  ) {
    contents.add(saves, oldest: oldest, typeHash: coalescer.typeHash(of: slot))
    coalescer.subscriptions[slot].carry(saves, oldest: oldest, at: present)
  }

  /// Begins the wake, counts and reports it, and sets when it ends by itself: at its deadline (rule 6.3) or by the
  /// modelled completion (rule 6.4).
  ///
  /// - Parameter isWokenBySavesOnly: Whether ``AppState/isWokenBySavesOnly`` is known to be set.
  // `@inline(always)`: in a call the contents would go through memory.
  @inline(always)
  mutating func begin(
    _ app: Int, _ contents: WakeContents, isWokenBySavesOnly: Bool, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    if delaysAhead.suspended >= 0,
      beginAnswered(app, contents, isWokenBySavesOnly: isWokenBySavesOnly, &hasher, listener)
    {
      return
    }
    beginInFlight(
      app, types: contents.types, typesHash: contents.typesHash, saves: contents.saves,
      oldest: contents.oldest, hasPush: contents.hasPush, hasRefresh: contents.hasRefresh, &hasher,
      listener)
  }

  /// ``begin(_:_:isWokenBySavesOnly:_:_:)`` where ``beginAnswered(_:_:isWokenBySavesOnly:_:_:)`` does not begin the wake. The
  /// contents are passed field by field: a struct would be written to the stack also where this is not called.
  private mutating func beginInFlight(
    _ app: Int, types: Int, typesHash: UInt64, saves: Int, oldest: Int64, hasPush: Bool,
    hasRefresh: Bool, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    let contents = WakeContents(
      hasRefresh: hasRefresh, hasPush: hasPush, types: types, typesHash: typesHash, saves: saves,
      oldest: oldest)
    let isColdStart = apps[app].activity == .terminated
    if isColdStart { noteInUse(app) }
    let delay = isColdStart ? answerDelays.terminated : answerDelays.suspended
    addHash(of: app, &hasher)
    apps[app].beginWake(number: counts.wakes + 1, at: present, contents)
    if contents.hasPush {
      notePushWake(app)
      updateIsWokenBySavesOnly(of: app)
      if reportsEnds, reportsPushes { apps[app].carriedPushID = heldPushIDs[app] }
    }
    if reportsContents { noteContents(contents, of: app) }
    let isIgnored = isIgnored(app)
    countWake(of: app, isIgnored: isIgnored)
    counts.addWake(contents, times: apps[app].cohort)
    // At equal times the deadline, a timer, comes first (rule 4.2).
    if let delay, !isIgnored {
      if delay > 0, mayAnswerAhead(app, contents) {
        answerAhead(app, at: present + delay)
      } else {
        timers.set(.modelledCompletion, app: app, due: present + delay)
      }
    } else {
      timers.set(.timer, app: app, due: present + policy.completionTimeout)
    }
    tellBegan(app, contents, isOneApp: apps[app].cohort == 1, &hasher, listener)
  }

  /// Whether a modelled app leaves its next wake unanswered (rule 6.4). Mutating for speed alone, as ``dueTimes(_:)``.
  @inline(__always)
  mutating func isIgnored(_ app: Int) -> Bool {
    apps[app].wakesUntilIgnored == 1
  }

  /// Counts the wake that begins for ``isIgnored(_:)``.
  @inline(__always)
  mutating func countWake(of app: Int, isIgnored: Bool) {
    if isIgnored {
      apps[app].wakesUntilIgnored = policy.behaviour.ignoresEvery
    } else {
      apps[app].wakesUntilIgnored &-= 1
    }
  }

  /// Names the types that the wake which begins carries, for reports of its end.
  @inline(__always)
  private mutating func nameTypes(of app: Int, count: Int) {
    // Mostly the one type of the last wake.
    if count == 1, apps[app].carriedTypes.count == 1,
      let place = apps[app].places.firstBelow64(in: .carried)
    {
      let type = coalescer.subscriptions[apps[app].subscriptions[place]].type
      return apps[app].setCarriedType(type, at: 0)
    }
    nameAllTypes(of: app)
  }

  @inline(never)
  private mutating func nameAllTypes(of app: Int) {
    var carried = apps[app].places.all(in: .carried)
    var count = 0
    while let type = nextType(of: app, in: &carried) {
      apps[app].setCarriedType(type, at: count)
      count &+= 1
    }
    apps[app].dropTypes(from: count)
    if !apps[app].arePlacesSorted { sortTypes(of: app) }
  }

  /// Notes what the wake that begins carries, for those who want to know.
  @inline(__always)
  private mutating func noteContents(_ contents: WakeContents, of app: Int) {
    if reportsEnds { nameTypes(of: app, count: contents.types) }
    if waits != nil {
      endWaitsOfTypes(app)
      endWaitsOfPushAndRefresh(app)
    }
    if bounds != nil, contents.types > 0 { noteCarrying(app, oldest: contents.oldest) }
    if history.isKept { keepBeginning(app, contents) }
  }
}

extension Policy {
  /// Nanoseconds after which a modelled app answers a wake (rule 6.4); nil if it does not, or its deadline comes before.
  @inline(__always)
  func answerDelay(isColdStart: Bool) -> Int64? {
    guard let delay = behaviour.completesAfter else { return nil }
    let whole = delay + (isColdStart ? behaviour.coldStart : 0)
    return whole < completionTimeout ? whole : nil
  }
}
