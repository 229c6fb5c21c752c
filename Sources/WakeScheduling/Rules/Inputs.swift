import WakeEvents

// Page Rules, 5.3 to 5.9: every input but saves, deletes and enable.
extension SchedulerCore {
  /// Applies an input at the present; the caller evaluates the apps (rule 4.5).
  ///
  /// - Returns: The apps for which evaluating may do anything.
  @inline(__always)
  mutating func apply(
    _ input: BriefInput, _ whole: WholeInput, _ listener: WakeListener
  ) -> Concern {
    switch input {
    case .observed: return .nobody
    case .enable(let app, let type, let frequency):
      let app = named(app)
      return enable(app, type, frequency) ? .app(app) : .nobody
    case .disable(let app, let type):
      let app = named(app)
      return disable(app, type, listener) ? .app(app) : .nobody
    case .disableAll(let app):
      let app = named(app)
      for slot in slotsByName(of: app) {
        _ = disable(app, coalescer.subscriptions[slot].type, listener)
      }
      return .app(app)
    case .execute(let app, let query, let type, let hasPredicate):
      let app = named(app)
      let replaced = apps[app].queries.execute(
        query, type: type, predicate: hasPredicate ? whole.predicate : nil)
      if let replaced, replaced != type { updateFilter(of: app, on: replaced) }
      updateFilter(of: app, on: type)
      return .nobody
    case .stop(let app, let query):
      let app = named(app)
      if let type = apps[app].queries.stop(query) { updateFilter(of: app, on: type) }
      return .nobody
    case .complete(let app, let item):
      let app = named(app)
      return complete(app, item, listener) ? .app(app) : .nobody
    case .launch(let app):
      // Nothing wakes an app in the foreground.
      launch(named(app), listener)
      return .nobody
    case .background(let app):
      let app = named(app)
      guard apps[app].activity == .foreground else { return .nobody }
      setActivity(.suspended, of: app)
      return .app(app)
    case .terminate(let app):
      let app = named(app)
      return terminate(app, listener) ? .app(app) : .nobody
    case .forceQuit(let app):
      let app = named(app)
      _ = terminate(app, listener)
      apps[app].isForceQuit = true
      return .app(app)
    case .push(let app, let id, let isBackground):
      let app = named(app)
      return receive(id, isBackground: isBackground, whole, for: app) ? .app(app) : .nobody
    case .refreshInterval(let app, let interval):
      let app = named(app)
      let before = apps[app].refresh.standing(commonStatus)
      apps[app].refresh.setInterval(
        interval, at: present, minimum: policy.minimumRefreshInterval)
      return apps[app].refresh.standing(commonStatus) == before ? .nobody : .app(app)
    case .refreshStatus(let app?, let status):
      let app = named(app)
      let before = apps[app].refresh.standing(commonStatus)
      apps[app].refresh.setStatus(status, commonStatus)
      return apps[app].refresh.standing(commonStatus) == before ? .nobody : .app(app)
    case .refreshStatus(nil, let status):
      let before = holds
      commonStatus.set(status)
      return .everyone(before: before)
    case .complication(let app, let isActive):
      let app = named(app)
      apps[app].hasComplication = isActive
      guard policy.budget != nil else { return .nobody }
      updateBudget(app)
      return .app(app)
    case .entitlement(let app, let isGranted):
      let app = named(app)
      apps[app].hasEntitlement = isGranted
      return .nobody
    case .network(let isGood):
      let before = holds
      holds.set(.network, if: !isGood)
      return .everyone(before: before)
    case .power(let isGood):
      let before = holds
      holds.set(.power, if: !isGood)
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
      var restarted = appsToRestart
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
  @inline(__always)
  private mutating func named(_ app: App) -> Int {
    let number = number(of: app)
    if apps[number].cohort != 1 || isAnsweredAhead(number) { setApart(number) }
    noteInUse(number)
    return number
  }

  @inline(never)
  private mutating func setApart(_ app: Int) {
    takeBackAnswer(leader(of: app))
    splitCohort(around: app)
  }

  /// Rule 5.3. Returns whether it changes when the app is woken.
  private mutating func disable(
    _ app: Int, _ type: SampleType, _ listener: WakeListener
  ) -> Bool {
    guard let slot = subscription(of: app, on: type) else { return false }
    let wasOutstanding = answer(app, slot: slot)
    if waits != nil { dropWaits(ofDisabled: slot, app, wasOutstanding: wasOutstanding) }
    let oldest = coalescer.subscriptions[slot].oldest
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

  /// Rule 5.4. Returns whether a wake ends.
  private mutating func complete(
    _ app: Int, _ item: CompletionItem, _ listener: WakeListener
  ) -> Bool {
    guard apps[app].activity == .awake, answer(app, item) else {
      counts.ignoredCompletions += 1
      return false
    }
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
    setActivity(.foreground, of: app)
  }

  /// Delivers all that is pending to an app that comes to the foreground (rule 5.5).
  @inline(never)
  private mutating func deliverPending(_ app: Int) {
    let oldest = listeners == nil ? .max : oldestPending(app)
    // All that is pending becomes ripe, whatever its period, and is taken.
    if apps[app].unripeDue != .max { ripen(app, dueBy: Timers.never) }
    var ripe = apps[app].places.takeRipe()
    while let place = ripe.next(in: &apps[app].places) {
      counts.liveDeliveries += coalescer.takePending(apps[app].subscriptions[place]).saves
    }
    apps[app].clearPending()
    if listeners != nil { tellDrop(app, oldest: oldest) }
  }

  /// Rule 5.7, for one app. Returns whether it changes when the app is woken.
  private mutating func terminate(_ app: Int, _ listener: WakeListener) -> Bool {
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

  /// Rule 5.8. Returns whether a push waits, and none waited before it.
  private mutating func receive(
    _ id: UInt64, isBackground: Bool, _ whole: WholeInput, for app: Int
  ) -> Bool {
    guard isBackground else {
      counts.rejectedPushes += 1
      return false
    }
    guard apps[app].activity != .foreground else {
      counts.pushesDeliveredLive += 1
      return false
    }
    guard !apps[app].isForceQuit else {
      counts.pushesDiscarded += 1
      return false
    }
    let isFirst = !apps[app].holdsPush
    if !isFirst {
      if waits != nil { dropPush(of: app, .superseded) }
      counts.pushesSuperseded += 1
    }
    apps[app].hold(id, name: reportsContents ? whole.pushName : nil)
    waits?.hold(app, at: present)
    return isFirst
  }
}

/// The input to which a ``BriefInput`` belongs, for what that lacks. It refers to the input, which whoever takes it holds
/// meanwhile, as a copy would count references for every input.
@safe
struct WholeInput {
  private let inputs: UnsafePointer<Input>
  private let place: Int
  private var input: UnsafePointer<Input> { unsafe inputs + place }

  /// - Parameter place: Its place from the address on. Added where the input is looked at, which is rare.
  init(_ inputs: UnsafePointer<Input>, place: Int = 0) {
    unsafe self.inputs = unsafe inputs
    self.place = place
  }

  /// The predicate of an observer query that starts.
  var predicate: Predicate? {
    guard case .execute(_, _, _, let predicate) = unsafe input.pointee else { return nil }
    return predicate
  }

  /// The id of a push.
  var pushName: String? {
    guard case .push(_, let push) = unsafe input.pointee else { return nil }
    return push.id
  }
}
