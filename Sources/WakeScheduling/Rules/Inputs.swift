import WakeEvents

// Page Rules, 5.3 to 5.9: every input but saves, deletes and enable.
extension SchedulerCore {
  /// Applies an input at the present; the caller evaluates the apps (rule 4.5). Returns why an `enable` was rejected.
  mutating func apply(
    _ input: BriefInput, _ parts: InputParts, _ listener: WakeListener
  ) -> RegistrationError? {
    switch input {
    case .observed: break
    case .enable(let app, let type, let frequency):
      return enable(named(app), type, frequency)
    case .disable(let app, let type):
      disable(named(app), type, listener)
    case .disableAll(let app):
      let app = named(app)
      for slot in slotsByName(of: app) {
        disable(app, coalescer.subscriptions[slot].type, listener)
      }
    case .execute(let app, let query, let type, let hasPredicate):
      let app = named(app)
      let replaced = apps[app].queries.execute(
        query, type: type, predicate: hasPredicate ? parts.predicate : nil)
      if let replaced, replaced != type { updateFilter(of: app, on: replaced) }
      updateFilter(of: app, on: type)
    case .stop(let app, let query):
      let app = named(app)
      if let type = apps[app].queries.stop(query) { updateFilter(of: app, on: type) }
    case .complete(let app, let item):
      complete(named(app), item, listener)
    case .launch(let app):
      launch(named(app), listener)
    case .background(let app):
      let app = named(app)
      if apps[app].activity == .foreground { setActivity(.suspended, of: app) }
    case .terminate(let app):
      terminate(named(app), listener)
    case .forceQuit(let app):
      let app = named(app)
      terminate(app, listener)
      apps[app].isForceQuit = true
    case .push(let app, let id, let isBackground):
      receive(id, isBackground: isBackground, name: parts.pushName, for: named(app))
    case .refreshInterval(let app, let interval):
      let app = named(app)
      apps[app].refresh.setInterval(
        interval, at: present, minimum: policy.minimumRefreshInterval)
    case .refreshStatus(let app?, let status):
      let app = named(app)
      apps[app].refresh.setStatus(status, commonStatus)
    case .refreshStatus(nil, let status):
      commonStatus.set(status)
    case .complication(let app, let isActive):
      let app = named(app)
      apps[app].hasComplication = isActive
      updateBudget(app)
    case .entitlement(let app, let isGranted):
      let app = named(app)
      apps[app].hasEntitlement = isGranted
    case .network(let isGood):
      isNetworkGood = isGood
    case .power(let isGood):
      isPowerGood = isGood
    case .lock:
      isLocked = true
    case .unlock:
      isLocked = false
    case .reboot:
      var restarted = appsToRestart
      while let app = restarted.popFirst() {
        guard apps[app].leads else { continue }
        takeBackAnswer(app)
        terminate(app, listener)
        apps[app].isForceQuit = false
      }
      isLocked = true
    }
    return nil
  }

  /// The number of an app that an input names. Accelerations let go of it: from here on it has a state of its own.
  @inline(__always)
  private mutating func named(_ app: App) -> Int {
    let number = number(of: app)
    namedApp = number
    if apps[number].cohort != 1 || isAnsweredAhead(number) { setApart(number) }
    noteInUse(number)
    return number
  }

  @inline(never)
  private mutating func setApart(_ app: Int) {
    takeBackAnswer(leader(of: app))
    splitCohort(around: app)
  }

  /// Rule 5.3.
  private mutating func disable(
    _ app: Int, _ type: SampleType, _ listener: WakeListener
  ) {
    guard let slot = subscription(of: app, on: type) else { return }
    let wasOutstanding = answer(app, slot: slot)
    if waits != nil { dropWaits(ofDisabled: slot, app, wasOutstanding: wasOutstanding) }
    let oldest = coalescer.subscriptions[slot].oldest
    remove(slot, of: app)
    if onDrop != nil { tellDrop(app, oldest: oldest) }
    if seesArrivals { noteEpisodeEnd(app) }
    if wasOutstanding, !apps[app].isOutstanding {
      apps[app].cutShort = .disabled
      endWake(of: app, .completed, isAnswer: false, listener)
      apps[app].cutShort = nil
      setActivity(.suspended, of: app)
    }
  }

  /// Rule 5.4.
  private mutating func complete(
    _ app: Int, _ item: CompletionItem, _ listener: WakeListener
  ) {
    guard apps[app].activity == .awake, answer(app, item) else {
      counts.ignoredCompletions += 1
      return
    }
    guard !apps[app].isOutstanding else { return }
    endWake(of: app, .completed, isAnswer: true, listener)
    setActivity(.suspended, of: app)
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
    let oldest = onDrop == nil ? .max : oldestPending(app)
    // All that is pending becomes ripe, whatever its period, and is taken.
    if apps[app].unripeDue != .max { ripen(app, dueBy: Timers.never) }
    var ripe = apps[app].places.takeRipe()
    while let place = ripe.next(in: &apps[app].places) {
      counts.liveDeliveries += coalescer.takePending(apps[app].subscriptions[place]).saves
    }
    apps[app].clearPending()
    if onDrop != nil { tellDrop(app, oldest: oldest) }
    if seesArrivals { noteEpisodeEnd(app) }
    if apps[app].holdsPush {
      apps[app].dropPush()
      counts.pushesDeliveredLive += 1
    }
    setActivity(.foreground, of: app)
  }

  /// Rule 5.7, for one app.
  private mutating func terminate(_ app: Int, _ listener: WakeListener) {
    if apps[app].activity == .awake {
      endWake(of: app, .aborted, isAnswer: false, listener)
    }
    if apps[app].holdsPush {
      if waits != nil { dropPush(of: app, .discarded) }
      apps[app].dropPush()
      counts.pushesDiscarded += 1
    }
    setActivity(.terminated, of: app)
  }

  /// Rule 5.8.
  private mutating func receive(
    _ id: UInt64, isBackground: Bool, name: String?, for app: Int
  ) {
    beganToHold = false
    if !isBackground {
      counts.rejectedPushes += 1
    } else if apps[app].activity == .foreground {
      counts.pushesDeliveredLive += 1
    } else if apps[app].isForceQuit {
      counts.pushesDiscarded += 1
    } else {
      if apps[app].holdsPush {
        if waits != nil { dropPush(of: app, .superseded) }
        counts.pushesSuperseded += 1
      } else {
        beganToHold = true
      }
      apps[app].hold(id, name: name)
      waits?.hold(app, at: present)
    }
  }
}

/// What a ``BriefInput`` lacks, where the rules or those who observe them look at it. It refers to the whole input, which
/// whoever takes that holds meanwhile, as a copy would count references for every input.
@safe
struct InputParts {
  private let input: UnsafePointer<Input>?

  /// Those of no input.
  @inline(__always)
  init() { unsafe input = nil }

  init(_ input: UnsafePointer<Input>) { unsafe self.input = unsafe input }

  /// The predicate of an observer query that starts.
  var predicate: Predicate? {
    guard let input = unsafe input, case .execute(_, _, _, let predicate) = unsafe input.pointee
    else { return nil }
    return predicate
  }

  /// The id of a push.
  var pushName: String? {
    guard let input = unsafe input, case .push(_, let push) = unsafe input.pointee
    else { return nil }
    return push.id
  }
}

extension SchedulerCore {
  /// Whether the parts of an input matter.
  @inline(__always)
  func needsParts(_ input: BriefInput) -> Bool {
    switch input {
    case .execute(_, _, _, let hasPredicate): hasPredicate
    case .push: reportsContents
    default: false
    }
  }
}
