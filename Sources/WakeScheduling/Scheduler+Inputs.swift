import WakeEvents

// Every input but saves and deletes (SPEC 5.2 to 5.9): the cold path.
extension Scheduler {
  /// Applies an input at the present and evaluates every app (SPEC 4.5).
  @discardableResult
  mutating func apply(
    _ input: Input, _ listener: WakeListener
  ) -> RegistrationError? {
    var rejection: RegistrationError?
    switch input {
    case .save, .delete:
      break
    case .enable(let app, let type, let frequency):
      rejection = enable(addressee(app), type, frequency)
    case .disable(let app, let type):
      disable(addressee(app), type, listener)
    case .disableAll(let app):
      let app = addressee(app)
      for slot in apps[app].subscriptions {
        disable(app, coalescer.subscriptions[slot].type, listener)
      }
    case .execute(let app, let query, let type, let predicate):
      let app = addressee(app)
      let replaced = apps[app].queries.execute(query, type: type, predicate: predicate)
      if let replaced, replaced != type { rearm(app, type: replaced) }
      rearm(app, type: type)
    case .stop(let app, let query):
      let app = addressee(app)
      if let type = apps[app].queries.stop(query) { rearm(app, type: type) }
    case .complete(let app, let item, _):
      complete(addressee(app), item, listener)
    case .launch(let app):
      launch(addressee(app), listener)
    case .background(let app):
      let app = addressee(app)
      if apps[app].activity == .foreground { setActivity(.suspended, of: app) }
    case .terminate(let app):
      terminate(addressee(app), listener)
    case .forceQuit(let app):
      let app = addressee(app)
      terminate(app, listener)
      apps[app].isForceQuit = true
    case .push(let app, let push):
      receive(push, for: addressee(app))
    case .refreshInterval(let app, let interval):
      let app = addressee(app)
      apps[app].refresh.set(interval, at: present, minimum: policy.minimumRefreshInterval)
    case .refreshStatus(let app, let status):
      if let app {
        let app = addressee(app)
        apps[app].refresh.status = status
      } else {
        for app in apps.indices {
          // Of the others none can become due for a refresh.
          if apps[app].refresh.interval != nil { takeBackAnswer(app) }
          apps[app].refresh.status = status
        }
      }
    case .complication(let app, let isActive):
      let app = addressee(app)
      apps[app].hasComplication = isActive
    case .entitlement(let app, let isGranted):
      let app = addressee(app)
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
      for app in apps.indices where apps[app].leads {
        takeBackAnswer(app)
        terminate(app, listener)
        apps[app].isForceQuit = false
      }
      isLocked = true
    }
    for app in apps.indices where apps[app].leads { evaluate(app, listener) }
    return rejection
  }

  /// The number of an app that an input names.
  private mutating func addressee(_ app: App) -> Int {
    let number = number(of: app)
    takeBackAnswer(leader(of: number))
    isolate(number)
    return number
  }

  /// SPEC 5.2.
  mutating func enable(_ app: Int, _ type: SampleType, _ frequency: Frequency) -> RegistrationError?
  {
    let name = symbols.types.name(of: type)
    let rejection: RegistrationError.Code? =
      if !apps[app].hasEntitlement {
        .authorizationDenied
      } else if name.utf8.starts(with: "HKCorrelationTypeIdentifier".utf8) {
        .invalidArgument
      } else {
        nil
      }
    if let rejection {
      counts.rejectedRegistrations += 1
      return RegistrationError(code: rejection)
    }

    if apps[app].activity == .foreground || apps[app].subscriptions.isEmpty {
      apps[app].backoff.rearm()
    }
    let cap = policy.cap(of: name)
    let slower = frequency.period < cap.period ? cap : frequency
    if let slot = subscription(of: app, on: type) {
      coalescer.subscriptions[slot].set(slower)
      findEarliestPending(app)
    } else {
      let mode = mode(app: app, type: type, pending: false)
      let slot = coalescer.insert(
        app: app, type: type, typeHash: symbols.types.hash(of: type), frequency: slower,
        mode: mode)
      apps[app].subscriptions.insert(slot, at: place(ofType: name, in: app))
      setFilter(of: slot)
    }
    return nil
  }

  /// SPEC 5.3.
  private mutating func disable(
    _ app: Int, _ type: SampleType, _ listener: WakeListener
  ) {
    guard let slot = subscription(of: app, on: type) else { return }
    let wasOutstanding = answer(app, slot: slot)
    let wasPending = coalescer.subscriptions[slot].oldest != .max
    coalescer.remove(slot)
    apps[app].subscriptions.removeAll { $0 == slot }
    if wasPending { findEarliestPending(app) }
    if wasOutstanding, apps[app].outstanding == 0 {
      end(app, .completed, isAnswer: false, listener)
      setActivity(.suspended, of: app)
    }
  }

  /// SPEC 5.4.
  mutating func complete(
    _ app: Int, _ item: CompletionItem, _ listener: WakeListener
  ) {
    guard apps[app].activity == .awake, answer(app, item) else {
      counts.ignoredCompletions += 1
      return
    }
    guard apps[app].outstanding == 0 else { return }
    end(app, .completed, isAnswer: true, listener)
    setActivity(.suspended, of: app)
  }

  /// Takes an item off those outstanding; false if it was not among them.
  private mutating func answer(_ app: Int, _ item: CompletionItem) -> Bool {
    switch item {
    case .everything:
      // What each of them carried is of no account any more, as the wake ends by this.
      apps[app].outstanding = 0
      return true
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
    apps[app].outstanding -= 1
    return true
  }

  /// Takes a type off those outstanding; false if it was not among them.
  private mutating func answer(_ app: Int, slot: Int) -> Bool {
    guard isOutstanding(app, slot: slot) else { return false }
    coalescer.subscriptions[slot].carriedIn = 0
    apps[app].outstanding -= 1
    return true
  }

  /// SPEC 5.5.
  private mutating func launch(_ app: Int, _ listener: WakeListener) {
    apps[app].isForceQuit = false
    if apps[app].activity == .awake { end(app, .completed, isAnswer: true, listener) }
    for slot in apps[app].subscriptions {
      counts.liveDeliveries += coalescer.take(slot).saves
    }
    apps[app].earliestPending = .max
    if apps[app].heldPush != nil {
      apps[app].heldPush = nil
      counts.pushesDeliveredLive += 1
    }
    setActivity(.foreground, of: app)
  }

  /// SPEC 5.7, for one app.
  private mutating func terminate(_ app: Int, _ listener: WakeListener) {
    if apps[app].activity == .awake { end(app, .aborted, isAnswer: false, listener) }
    if apps[app].heldPush != nil {
      apps[app].heldPush = nil
      counts.pushesDiscarded += 1
    }
    setActivity(.terminated, of: app)
  }

  /// SPEC 5.8.
  private mutating func receive(_ push: Push, for app: Int) {
    if !push.isBackgroundNotification {
      counts.rejectedPushes += 1
    } else if apps[app].activity == .foreground {
      counts.pushesDeliveredLive += 1
    } else if apps[app].isForceQuit {
      counts.pushesDiscarded += 1
    } else {
      if apps[app].heldPush != nil { counts.pushesSuperseded += 1 }
      apps[app].heldPush = push.id
    }
  }
}
