import WakeEvents
import WakeScheduling

// The wake (rules, 6).

extension ReferenceScheduler {
  /// Wakes the app if anything is due at the present (rules 6.1, 6.2).
  mutating func evaluate(_ number: Int) {
    let isLaunch: Bool
    switch apps[number].state {
    case .awake, .foreground: return
    case .terminated: isLaunch = true
    case .suspended: isLaunch = false
    }
    let budgetIsOpen = apps[number].isBudgetOpen(at: present, policy)
    let isBlocked = apps[number].isHealthBlocked(policy, conditions)
    let healthIsDue = apps[number].isHealthDue(at: present, policy, conditions)
    let refreshIsDue = apps[number].isRefreshDue(at: present, policy, conditions)
    let pushIsDue = apps[number].isPushDue(at: present, policy)
    guard healthIsDue || refreshIsDue || pushIsDue else {
      noteWaiting(number, budgetIsOpen: budgetIsOpen, isBlocked: isBlocked)
      return
    }

    var carried: [SampleType: [Int64]] = [:]
    var waits: [SampleType: [ReferenceWait.Stretch]] = [:]
    if budgetIsOpen && !isBlocked {
      let carriesAll = policy.carry == .always || (policy.carry == .launch && isLaunch)
      for place in apps[number].subscriptions.indices {
        let subscription = apps[number].subscriptions[place]
        let isDue = apps[number].isDue(subscription, at: present)
        if isDue || (carriesAll && !subscription.pending.isEmpty) {
          carried[subscription.type] = subscription.pending
          waits[subscription.type] = subscription.waits
          apps[number].subscriptions[place].pending = []
          apps[number].subscriptions[place].waits = []
          apps[number].subscriptions[place].lastWake = present
          if !isDue { reach(.carriedBeforeDue) }
        }
      }
    }
    owing.carry(number, Set(carried.keys), in: wakes.count, at: present)
    if !carried.isEmpty || refreshIsDue { apps[number].chargedWakes.append(present) }
    for type in sorted(carried.keys) {
      guard let saves = carried[type], let stretches = waits[type] else { continue }
      logWait(number, .type(type, saves: saves.count), since: saves[0], stretches, isCarried: true)
    }
    if let push = apps[number].heldPush, let since = apps[number].heldSince, pushIsDue {
      logWait(number, .push(push), since: since, apps[number].pushWaits, isCarried: true)
      apps[number].pushWaits = []
    }
    if let since = apps[number].overdueSince, refreshIsDue {
      logWait(number, .refresh, since: since, apps[number].refreshWaits, isCarried: true)
      apps[number].overdueSince = nil
      apps[number].refreshWaits = []
    }
    if refreshIsDue { apps[number].lastRefresh = present }
    var push: String?
    if pushIsDue {
      push = apps[number].heldPush
      apps[number].heldPush = nil
      apps[number].pushWakes.append(present)
    }
    apps[number].wakes += 1
    if carried.count + (refreshIsDue ? 1 : 0) + (pushIsDue ? 1 : 0) > 1 { reach(.severalItems) }

    apps[number].state = .awake(
      ReferenceApp.Flight(
        place: wakes.count,
        deadline: present + policy.completionTimeout,
        answer: answerTime(ofWake: apps[number].wakes, isLaunch: isLaunch),
        carriedTypes: !carried.isEmpty,
        types: carried,
        waits: waits,
        hasPush: pushIsDue,
        hasRefresh: refreshIsDue))
    wakes.append(
      Wake(
        number: wakes.count + 1,
        time: Timestamp(nanoseconds: present),
        app: apps[number].app,
        types: sorted(carried.keys),
        saves: carried.values.map(\.count).reduce(0, +),
        oldest: carried.values.compactMap(\.first).min().map(Timestamp.init(nanoseconds:)),
        push: push,
        refresh: refreshIsDue,
        outcome: .open,
        end: nil))
  }

  /// Counts what kept an app from a wake, for the tests of the random inputs.
  private mutating func noteWaiting(_ number: Int, budgetIsOpen: Bool, isBlocked: Bool) {
    if apps[number].heldPush != nil { reach(.pushWaits) }
    if apps[number].subscriptions.allSatisfy({ $0.pending.isEmpty }) { return }
    if !budgetIsOpen { reach(.healthWaitsForBudget) }
    if isBlocked { reach(.healthIsBlocked) }
    if let until = apps[number].backedOffUntil, present < until { reach(.healthIsBackedOff) }
  }

  /// When a modelled app answers its wake of that number, if it does (rule 6.4).
  private func answerTime(ofWake wake: Int, isLaunch: Bool) -> Int64? {
    if lifted.contains("inFlight") { return present }
    let behaviour = policy.behaviour
    guard let completesAfter = behaviour.completesAfter else { return nil }
    if behaviour.ignoresEvery != 0 && wake % behaviour.ignoresEvery == 0 { return nil }
    return present + completesAfter + (isLaunch ? behaviour.coldStart : 0)
  }

  func sorted(_ types: some Sequence<SampleType>) -> [SampleType] {
    types.map { (type: $0, name: symbols.types.name(of: $0)) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      .map(\.type)
  }

  /// Writes the end of the app's wake in flight; what the app does then is the caller's to say.
  mutating func endWake(of number: Int, as outcome: WakeOutcome) {
    guard case .awake(let flight) = apps[number].state else { return }
    wakes[flight.place].outcome = outcome
    wakes[flight.place].end = Timestamp(nanoseconds: present)
  }

  /// A wake in flight ends `completed` by rule 5.4 or 5.5, which clears strikes (rule 6.6).
  mutating func completeWake(of number: Int) {
    guard case .awake(let flight) = apps[number].state else { return }
    endWake(of: number, as: .completed)
    if flight.carriedTypes {
      if apps[number].strikes > 0 { reach(.strikesCleared) }
      clearStrikes(of: number)
    }
  }

  /// A wake in flight, if there is one, ends `expired` or `aborted` (rule 6.5).
  mutating func abandonWake(of number: Int, as outcome: WakeOutcome) {
    guard case .awake(let flight) = apps[number].state else { return }
    endWake(of: number, as: outcome)
    if flight.types.isEmpty || lifted.contains("unanswered") { return }
    for place in apps[number].subscriptions.indices {
      let type = apps[number].subscriptions[place].type
      if let saves = flight.types[type] {
        apps[number].subscriptions[place].pending.insert(contentsOf: saves, at: 0)
        apps[number].subscriptions[place].waits = (flight.waits[type] ?? [])
        apps[number].subscriptions[place].waits.append(
          from: wakes[flight.place].time.nanoseconds, to: present, ["unanswered"])
        noteReturn(of: type, wake: flight.place + 1)
        owing.giveBack(type, ofWake: flight.place)
      }
    }
    apps[number].strikes += 1
    reach(.strike)
    if apps[number].strikes == policy.maxStrikes, !lifted.contains("stopped") {
      reach(.stopped)
      apps[number].isStopped = true
    } else if !lifted.contains("backoff") {
      let delay = nextDelay(after: apps[number].lastDelay)
      apps[number].lastDelay = delay
      apps[number].backedOffUntil = present + delay
    }
  }

  private func nextDelay(after last: Int64?) -> Int64 {
    guard let last else { return min(policy.backoffBase, policy.backoffMax) }
    let grown = Double(last) * policy.backoffFactor
    return Int64(min(grown, Double(policy.backoffMax)).rounded(.toNearestOrEven))
  }

  mutating func clearStrikes(of number: Int) {
    apps[number].strikes = 0
    apps[number].lastDelay = nil
    apps[number].backedOffUntil = nil
  }
}
