import WakeEvents

// Every input but saves and deletes: page Rules, 5.3 to 5.9, and those that only set a state (section 2). Rule 5.2, enable,
// is in `Registration.swift`.
extension SchedulerCore {
  /// Applies an input at the present; the caller evaluates the apps (rule 4.5).
  ///
  /// - Parameters:
  ///   - kind: The input's kind: a caller may have it at hand before the input is read.
  /// - Returns: The apps for which evaluating may do anything.
  @inline(always)
  mutating func apply(
    _ kind: InputKind, _ input: OtherInput, _ listener: WakeListener
  ) -> Concern {
    switch kind {
    case .save, .delete, .observed: return .nobody
    case .enable:
      let input = input.brief
      let app = named(input.app)
      return enable(app, input.type, input.frequency) ? .app(app) : .nobody
    case .disable:
      let input = input.brief
      let app = named(input.app)
      return disable(app, input.type, listener) ? .app(app) : .nobody
    case .disableAll:
      let app = named(input.brief.app)
      for slot in slotsByName(of: app) {
        _ = disable(app, coalescer.subscriptions[slot].type, listener)
      }
      return .app(app)
    case .execute:
      let brief = input.brief
      let app = named(brief.app, keepsAnswer: true)
      let replaced = apps[app].queries.execute(
        brief.query, type: brief.type, predicate: input.predicate)
      if let replaced, replaced != brief.type { updateFilter(of: app, on: replaced) }
      updateFilter(of: app, on: brief.type)
      return .nobody
    case .stop:
      let input = input.brief
      let app = named(input.app, keepsAnswer: true)
      if let type = apps[app].queries.stop(input.query) { updateFilter(of: app, on: type) }
      return .nobody
    case .complete:
      let app = named(input.brief.app)
      // Most completions come without a wake: what they answer is not read.
      guard apps[app].activity == .awake, let isLast = complete(app, input.brief.item, listener)
      else {
        counts.ignoredCompletions &+= 1
        return .nobody
      }
      return isLast ? .app(app) : .nobody
    case .launch:
      // Nothing wakes an app in the foreground.
      launch(named(input.brief.app), listener)
      return .nobody
    case .background:
      let app = named(input.brief.app)
      guard apps[app].activity == .foreground else { return .nobody }
      setActivity(.suspended, of: app)
      return .app(app)
    case .terminate:
      let app = named(input.brief.app)
      return terminate(app, listener) ? .app(app) : .nobody
    case .forceQuit:
      let app = named(input.brief.app)
      _ = terminate(app, listener)
      noteInUse(app)
      apps[app].isForceQuit = true
      return .app(app)
    case .push:
      let push = input.brief
      let app = named(push.app, keepsAnswer: true)
      guard let isFirst = receive(push.number, isBackground: push.isOn, for: app) else {
        return .nobody
      }
      if namesPushes { unsafe heldPushIDs.hold(push, of: input.pushIDs, by: app) }
      return isFirst ? .app(app) : .nobody
    case .refreshInterval:
      let input = input.brief
      let app = named(input.app, keepsAnswer: true)
      let before = apps[app].refresh.standing(commonStatus)
      apps[app].refresh.setInterval(
        input.interval, at: present, minimum: policy.minimumRefreshInterval)
      return apps[app].refresh.standing(commonStatus) == before ? .nobody : .app(app)
    case .refreshStatus:
      let input = input.brief
      if input.isOn {
        let before = holds
        commonStatus.set(input.status)
        return .everyone(before: before)
      }
      let app = named(input.app, keepsAnswer: true)
      let before = apps[app].refresh.standing(commonStatus)
      apps[app].refresh.setStatus(input.status, commonStatus)
      return apps[app].refresh.standing(commonStatus) == before ? .nobody : .app(app)
    case .complication:
      let input = input.brief
      let app = named(input.app, keepsAnswer: true)
      apps[app].hasComplication = input.isOn
      guard policy.budget != nil else { return .nobody }
      updateBudget(app)
      return .app(app)
    case .entitlement:
      let input = input.brief
      apps[named(input.app, keepsAnswer: true)].hasEntitlement = input.isOn
      return .nobody
    case .network:
      let before = holds
      holds.set(.network, if: !input.brief.isOn)
      return .everyone(before: before)
    case .power:
      let before = holds
      holds.set(.power, if: !input.brief.isOn)
      return .everyone(before: before)
    case .lock:
      let before = holds
      holds.set(.lock, if: true)
      return .everyone(before: before)
    case .unlock:
      let before = holds
      holds.set(.lock, if: false)
      return .everyone(before: before)
    case .reboot:
      let before = holds
      var restarted = appsToRestart()
      while let app = restarted.popFirst() {
        guard apps[app].leads else { continue }
        takeBackAnswer(app)
        _ = terminate(app, listener)
        apps[app].isForceQuit = false
      }
      holds.set(.lock, if: true)
      return .everyone(before: before)
    }
  }

  /// The number of an app that an input names. Accelerations let go of it: from here on it has a state of its own.
  ///
  /// - Parameter keepsAnswer: Whether a completion that is counted ahead for this app alone stays so, as the input neither ends
  ///   a wake nor asks whether there is one. When the app is due takes account of it (``dueTimes(_:)``).
  @inline(__always)
  private mutating func named(_ app: App, keepsAnswer: Bool = false) -> Int {
    let guess = Int(app.index)
    // As in `number(of:)`, with one address for all that is asked.
    if guess < apps.count, apps[guess].symbol == app, apps[guess].cohort == 1,
      keepsAnswer || !isAnsweredAhead(guess)
    {
      return guess
    }
    return namedOtherwise(app, keepsAnswer: keepsAnswer)
  }

  /// ``named(_:keepsAnswer:)`` for an app whose number is not that of its symbol, or that accelerations hold.
  @inline(never)
  private mutating func namedOtherwise(_ app: App, keepsAnswer: Bool) -> Int {
    let number = tabledNumber(of: app)
    if apps[number].cohort != 1 || !keepsAnswer && isAnsweredAhead(number) {
      takeBackAnswer(leader(of: number))
      splitCohort(around: number)
    }
    return number
  }

  /// Rule 5.3. Returns whether it changes when the app is woken.
  private mutating func disable(
    _ app: Int, _ type: SampleType, _ listener: WakeListener
  ) -> Bool {
    guard let slot = subscription(of: app, on: type) else { return false }
    let wasOutstanding = answer(app, slot: slot)
    if waits != nil { dropWaits(ofDisabled: slot, app, wasOutstanding: wasOutstanding) }
    let oldest = coalescer.subscriptions[slot].oldest
    if bounds != nil { noteOwed(app) }
    remove(slot, of: app)
    if listeners != nil { tellDrop(app, oldest: oldest) }
    if seesArrivals { noteEpisodeEnd(app) }
    if wasOutstanding, !apps[app].isOutstanding {
      apps[app].cutShort = .disabled
      endWake(of: app, .completed, isAnswer: false, listener)
      apps[app].cutShort = nil
      setActivity(.suspended, of: app)
      return true
    }
    return oldest != .max
  }

  /// Rule 5.4, for an app that is awake. Returns nil if the item is not outstanding, else whether it is the last and the wake
  /// ends.
  private mutating func complete(
    _ app: Int, _ item: CompletionItem, _ listener: WakeListener
  ) -> Bool? {
    guard answer(app, item) else { return nil }
    guard !apps[app].isOutstanding else { return false }
    endWake(of: app, .completed, isAnswer: true, listener)
    setActivity(.suspended, of: app)
    return true
  }

  /// Removes an item from those outstanding; false if it is not outstanding (rule 5.4).
  private mutating func answer(_ app: Int, _ item: CompletionItem) -> Bool {
    switch item {
    case .everything:
      apps[app].isPushOutstanding = false
      apps[app].isRefreshOutstanding = false
      apps[app].places.removeAll(from: .carried)
    case .push:
      guard apps[app].isPushOutstanding else { return false }
      apps[app].isPushOutstanding = false
    case .refresh:
      guard apps[app].isRefreshOutstanding else { return false }
      apps[app].isRefreshOutstanding = false
    case .type(let type):
      guard let slot = subscription(of: app, on: type) else { return false }
      return answer(app, slot: slot)
    }
    return true
  }

  /// Removes a type from those outstanding; false if it is not outstanding.
  private mutating func answer(_ app: Int, slot: Int) -> Bool {
    guard isOutstanding(slot, of: app) else { return false }
    apps[app].places.remove(coalescer.subscriptions[slot].place, from: .carried)
    return true
  }

  /// Rule 5.5.
  private mutating func launch(_ app: Int, _ listener: WakeListener) {
    apps[app].isForceQuit = false
    if apps[app].activity == .awake {
      apps[app].cutShort = .deliveredLive
      endWake(of: app, .completed, isAnswer: true, listener)
      apps[app].cutShort = nil
    }
    if waits != nil { dropWaitsAtLaunch(of: app) }
    if apps[app].pendingDue != .max { deliverPending(app) }
    if seesArrivals { noteEpisodeEnd(app) }
    if apps[app].holdsPush {
      apps[app].dropPush()
      counts.pushesDeliveredLive += 1
    }
    noteInUse(app)
    setActivity(.foreground, of: app)
  }

  /// Delivers all that is pending to an app that comes to the foreground (rule 5.5).
  @inline(never)
  private mutating func deliverPending(_ app: Int) {
    let oldest = listeners == nil ? .max : oldestPending(app)
    if bounds != nil { noteOwed(app) }
    // All that is pending becomes ripe, whatever its period, and is taken.
    if apps[app].unripeDue != .max { ripenAll(app) }
    var ripe = apps[app].places.takeRipe()
    while let place = ripe.next(in: &apps[app].places) {
      counts.liveDeliveries += coalescer.takePending(apps[app].subscriptions[place]).saves
    }
    apps[app].pendingDue = .max
    if listeners != nil { tellDrop(app, oldest: oldest) }
  }

  /// Rule 5.7, for one app. Returns whether it changes when the app is woken.
  @inline(__always)
  private mutating func terminate(_ app: Int, _ listener: WakeListener) -> Bool {
    let old = apps[app].activity
    guard old == .awake || old == .foreground || apps[app].holdsPush else {
      apps[app].activity = .terminated
      return false
    }
    return terminateInUse(app, listener)
  }

  /// ``terminate(_:_:)`` for an app that runs, or holds a push.
  @inline(never)
  private mutating func terminateInUse(_ app: Int, _ listener: WakeListener) -> Bool {
    let old = apps[app].activity
    let held = apps[app].holdsPush
    if old == .awake { endWake(of: app, .aborted, isAnswer: false, listener) }
    if held {
      if waits != nil { dropPush(of: app, .discarded) }
      apps[app].dropPush()
      counts.pushesDiscarded += 1
    }
    setActivity(.terminated, of: app)
    return held || old == .awake || old == .foreground
  }

  /// Rule 5.8. Returns nil if the push does not wait, else whether none waited before it.
  private mutating func receive(_ id: UInt64, isBackground: Bool, for app: Int) -> Bool? {
    guard isBackground else {
      counts.rejectedPushes += 1
      return nil
    }
    guard apps[app].activity != .foreground else {
      counts.pushesDeliveredLive += 1
      return nil
    }
    guard !apps[app].isForceQuit else {
      counts.pushesDiscarded += 1
      return nil
    }
    let isFirst = !apps[app].holdsPush
    if waits != nil { noteWaitingPush(of: app, supersedes: !isFirst) }
    apps[app].hold(id)
    if isFirst { noteInUse(app) } else { counts.pushesSuperseded += 1 }
    return isFirst
  }
}
