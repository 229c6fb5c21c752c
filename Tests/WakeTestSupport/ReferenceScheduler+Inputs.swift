import WakeEvents
import WakeScheduling

// What an input does (rules, 5).

extension ReferenceScheduler {
  /// A save or delete (rule 5.1); each app that took it is evaluated as soon as it did (rule 4.5).
  mutating func deliver(_ type: SampleType, matches: (Predicate) -> Bool) {
    for number in apps.indices {
      let place = apps[number].subscriptions.firstIndex { $0.type == type }
      guard let place, wants(number, type, matches) else { continue }
      if case .foreground = apps[number].state {
        summary.liveDeliveries += 1
      } else {
        if case .awake = apps[number].state { reach(.savedWhileAwake) }
        apps[number].subscriptions[place].pending.append(present)
        owing.take(number, type, at: present)
      }
      evaluate(number)
    }
  }

  private mutating func wants(
    _ number: Int, _ type: SampleType, _ matches: (Predicate) -> Bool
  ) -> Bool {
    if apps[number].queries.isEmpty { return true }
    let queries = apps[number].queries.values.filter { $0.type == type }
    if queries.isEmpty { return true }
    let wants = queries.contains { $0.predicate.map(matches) ?? true }
    if !wants { reach(.filteredByPredicates) }
    return wants
  }

  /// Whether a sample matches a predicate (rules, 2).
  static func matches(_ predicate: Predicate, _ sample: Sample, writtenAt time: Int64) -> Bool {
    let start = sample.start?.nanoseconds ?? time
    let end = sample.end?.nanoseconds ?? start
    if let source = predicate.source {
      guard sample.source == source else { return false }
    }
    if let from = predicate.start?.nanoseconds {
      let isStrict = predicate.strictStart ?? false
      guard isStrict ? start >= from : end >= from else { return false }
    }
    if let to = predicate.end?.nanoseconds {
      let isStrict = predicate.strictEnd ?? false
      guard isStrict ? end <= to : start < to else { return false }
    }
    if let min = predicate.min {
      guard let value = sample.value, min <= value else { return false }
    }
    if let max = predicate.max {
      guard let value = sample.value, value <= max else { return false }
    }
    return true
  }

  /// Every other input (rules 5.2 to 5.9), without the evaluation after it.
  mutating func apply(_ input: Input) {
    switch input {
    case .save, .delete, .observed: break
    case .enable(let app, let type, let frequency): enable(numberApp(app), type, frequency)
    case .disable(let app, let type): disable(numberApp(app), type)
    case .disableAll(let app):
      let number = numberApp(app)
      for type in apps[number].subscriptions.map(\.type) { disable(number, type) }
    case .execute(let app, let query, let type, let predicate):
      apps[numberApp(app)].queries[query] = .init(type: type, predicate: predicate)
    case .stop(let app, let query): apps[numberApp(app)].queries[query] = nil
    case .complete(let app, let item, _): complete(numberApp(app), item)
    case .launch(let app): launch(numberApp(app))
    case .background(let app):
      let number = numberApp(app)
      if case .foreground = apps[number].state { apps[number].state = .suspended }
    case .terminate(let app): terminate(numberApp(app))
    case .forceQuit(let app):
      let number = numberApp(app)
      terminate(number)
      apps[number].isForceQuit = !lifted.contains("forceQuit")
    case .reboot:
      for number in apps.indices {
        terminate(number)
        apps[number].isForceQuit = false
      }
      lock()
    case .push(let app, let push): receive(push, numberApp(app))
    case .refreshInterval(let app, let interval): setRefresh(numberApp(app), interval)
    case .refreshStatus where lifted.contains("status"): break
    case .refreshStatus(let app?, let status): apps[numberApp(app)].refreshStatus = status
    case .refreshStatus(nil, let status):
      for number in apps.indices { apps[number].refreshStatus = status }
    case .complication(let app, let isActive): apps[numberApp(app)].hasComplication = isActive
    case .entitlement(let app, let isGranted): apps[numberApp(app)].isEntitled = isGranted
    case .network(let isGood):
      conditions.networkIsGood = isGood || lifted.contains("network")
    case .power(let isGood): conditions.powerIsGood = isGood || lifted.contains("power")
    case .lock: lock()
    case .unlock: conditions.isLocked = false
    }
  }

  private mutating func lock() {
    if !lifted.contains("locked") { conditions.isLocked = true }
  }

  /// Rule 5.2.
  mutating func enable(_ number: Int, _ type: SampleType, _ frequency: Frequency) {
    let name = symbols.types.name(of: type)
    let isCorrelation = name.utf8.starts(with: "HKCorrelationTypeIdentifier".utf8)
    guard apps[number].isEntitled, !isCorrelation else {
      summary.rejectedRegistrations += 1
      return
    }
    let cap = policy.caps[ExactName(name)] ?? policy.defaultCap
    let period = lifted.contains("period") ? 0 : max(frequency.period, cap.period)

    var isForeground = false
    if case .foreground = apps[number].state { isForeground = true }
    if isForeground || apps[number].subscriptions.isEmpty {
      if apps[number].isStopped { reach(.rearmedByEnabling) }
      clearStrikes(of: number)
      apps[number].isStopped = false
    } else if apps[number].isStopped {
      reach(.enabledWhileStopped)
    }

    if let place = apps[number].subscriptions.firstIndex(where: { $0.type == type }) {
      apps[number].subscriptions[place].period = period
    } else {
      apps[number].subscriptions.append(.init(type: type, period: period))
    }
  }

  /// Rule 5.3.
  private mutating func disable(_ number: Int, _ type: SampleType) {
    if apps[number].subscriptions.contains(where: { $0.type == type }) {
      owing.disable(number, type, at: present)
    }
    dropTypes(of: number, "disabled") { $0 == type }
    apps[number].subscriptions.removeAll { $0.type == type }
    if case .awake(var flight) = apps[number].state, flight.answer(.type(type)) {
      reach(.disabledInFlight)
      apps[number].state = .awake(flight)
      if flight.isAnswered {
        reach(.completedByDisabling)
        endWake(of: number, as: .completed)
        apps[number].state = .suspended
      }
    }
  }

  /// Rules 5.4 and 6.6.
  mutating func complete(_ number: Int, _ item: CompletionItem) {
    guard case .awake(var flight) = apps[number].state, flight.answer(item) else {
      summary.ignoredCompletions += 1
      return
    }
    apps[number].state = .awake(flight)
    if flight.isAnswered {
      completeWake(of: number)
      apps[number].state = .suspended
    } else {
      reach(.answeredInPart)
    }
  }

  /// Rule 5.5.
  private mutating func launch(_ number: Int) {
    owing.launch(number, at: present)
    apps[number].isForceQuit = false
    if case .awake = apps[number].state {
      reach(.launchedWhileAwake)
      completeWake(of: number)
    }
    dropTypes(of: number, "deliveredLive") { _ in true }
    dropPush(of: number, "deliveredLive")
    for place in apps[number].subscriptions.indices {
      summary.liveDeliveries += apps[number].subscriptions[place].pending.count
      apps[number].subscriptions[place].pending = []
      apps[number].subscriptions[place].waits = []
    }
    if apps[number].heldPush != nil {
      apps[number].heldPush = nil
      summary.pushesDeliveredLive += 1
    }
    apps[number].state = .foreground
  }

  /// The part of rule 5.7 that is common to terminate, forceQuit and reboot.
  private mutating func terminate(_ number: Int) {
    abandonWake(of: number, as: .aborted)
    dropPush(of: number, "discarded")
    if apps[number].heldPush != nil {
      apps[number].heldPush = nil
      summary.pushesDiscarded += 1
    }
    apps[number].state = .terminated
  }

  /// Rule 5.8.
  private mutating func receive(_ push: Push, _ number: Int) {
    var isBackground = (push.pushType ?? "background") == "background"
    if push.priority ?? 5 != 5 { isBackground = false }
    if let aps = push.aps {
      if aps.contentAvailable != .some(1) { isBackground = false }
      if aps.isShownToUser { isBackground = false }
    }
    if !isBackground {
      summary.rejectedPushes += 1
    } else if case .foreground = apps[number].state {
      summary.pushesDeliveredLive += 1
    } else if apps[number].isForceQuit {
      summary.pushesDiscarded += 1
    } else {
      dropPush(of: number, "superseded")
      if apps[number].heldPush != nil { summary.pushesSuperseded += 1 }
      apps[number].heldPush = push.id
      apps[number].heldSince = present
      apps[number].pushWaits = []
    }
  }

  /// Rule 5.9.
  private mutating func setRefresh(_ number: Int, _ interval: RefreshInterval) {
    let least = policy.minimumRefreshInterval
    let wanted: Int64
    switch interval {
    case .never:
      apps[number].refreshInterval = nil
      return
    case .minimum: wanted = least
    case .seconds(let seconds):
      wanted = Int64((seconds * 1_000_000_000).rounded(.toNearestOrEven))
    }
    if apps[number].refreshInterval == nil { apps[number].lastRefresh = present }
    apps[number].refreshInterval = max(wanted, least)
  }
}
