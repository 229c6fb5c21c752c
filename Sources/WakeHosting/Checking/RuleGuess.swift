import WakeEvents
import WakeScheduling

/// Finds out which rule a scheduler departs from.
///
/// A scheduler that breaks a rule often does what the rules would do under another policy or with other inputs: one that
/// knows no budget gives the wakes of a policy without a budget. So the rules are run with each such change, and the
/// first that gives the scheduler's wakes names the rule. Where none does, the kind of the difference does.
struct RuleGuess {
  let events: [Event]
  let policy: Policy
  let symbols: Symbols
  let wakes: [HostedRun.DeviceWake]
  let summary: Summary

  /// The rule, and in words why it is thought to be that one.
  ///
  /// - Parameter preferred: The changes that explained the departure before it was shrunk.
  func rule(
    _ departure: Departure, preferring preferred: [Int]
  ) -> (rule: String, reason: String) {
    let found = explanations(of: departure)
    guard let change = found.first(where: preferred.contains) ?? found.first else {
      let guess = rule(ofKind: departure)
      assert(Self.named.contains(guess.rule), "\(guess.rule) is not among those that are named")
      return guess
    }
    return (Self.changes[change].rule, Self.changes[change].words)
  }

  /// The changes under which the rules give the scheduler's wakes.
  func explanations(of departure: Departure) -> [Int] {
    Self.changes.indices.filter { explains(Self.changes[$0], departure) }
  }

  private func explains(_ change: Change, _ departure: Departure) -> Bool {
    let (changed, policy) = change.apply(events, policy)
    guard changed != events || policy != self.policy else { return false }
    let outcome = RulesRun.run(changed, policy: policy, symbols: symbols)
    guard outcome.wakes.count == wakes.count,
      zip(outcome.wakes, wakes).allSatisfy({ Self.areEqual($0, $1) })
    else { return false }
    guard case .count = departure else { return true }
    return outcome.summary.stoppedApps == summary.stoppedApps
      && Summary.counts.allSatisfy { key, path in
        // Counts of inputs differ where inputs are left out.
        Self.inputCounts.contains(key) || outcome.summary[keyPath: path] == summary[keyPath: path]
      }
  }

  private static let inputCounts: Set<String> = ["inputs", "saves", "deletes", "lateInputs"]

  private static func areEqual(_ one: HostedRun.DeviceWake, _ other: HostedRun.DeviceWake) -> Bool {
    one.device == other.device && one.wake.time == other.wake.time
      && one.wake.app == other.wake.app && Departure.field(one.wake, other.wake) == nil
  }

  // MARK: Changes

  private struct Change: Sendable {
    let rule: String
    let words: String
    let apply: @Sendable ([Event], Policy) -> ([Event], Policy)
  }

  private static func policy(
    _ rule: String, _ words: String, _ change: @escaping @Sendable (inout Policy) -> Void
  ) -> Change {
    Change(rule: rule, words: words) { events, policy in
      var policy = policy
      change(&policy)
      return (events, policy)
    }
  }

  private static func lifting(_ rule: String, _ reason: WaitReason, _ words: String) -> Change {
    Change(rule: rule, words: words) { ($0, $1.without(WaitReasons(reason))) }
  }

  private static func inputs(
    _ rule: String, _ words: String, _ change: @escaping @Sendable (Input) -> Input?
  ) -> Change {
    Change(rule: rule, words: words) { events, policy in
      let changed = events.compactMap { event in
        change(event.input).map { Event(time: event.time, device: event.device, input: $0) }
      }
      return (changed, policy)
    }
  }

  private static func predicates(
    _ words: String, _ change: @escaping @Sendable (inout Predicate) -> Void
  ) -> Change {
    inputs("5.1", words) { input in
      guard case .execute(let app, let query, let type, var predicate?) = input else {
        return input
      }
      change(&predicate)
      return .execute(app: app, query: query, type: type, predicate: predicate)
    }
  }

  private static func without(_ rule: String, _ kind: InputKind) -> Change {
    inputs(rule, "it does what it would do without inputs `\(kind.word)`") {
      $0.kind == kind ? nil : $0
    }
  }

  /// Those of narrow effect come first: a change of wide effect, such as no caps, explains much by chance.
  private static let changes: [Change] = [
    policy("6.1", "it does what it would do if a lock kept nothing back") {
      $0.lockBlocksHealth = false
    },
    policy("6.1", "it does what it would do if a force-quit kept nothing back") {
      $0.forceQuitBlocksHealth = false
    },
    policy("6.1", "it takes no notice of complications") {
      let limit = $0.budget?.limit ?? 0
      $0.budget?.limitWithoutComplication = limit
    },
    policy("6.1", "it takes no notice of complications") {
      let limit = $0.budget?.limitWithoutComplication ?? 0
      $0.budget?.limit = limit
    },
    lifting("6.1", .budget, "it does what it would do without a budget"),
    policy("6.1", "its budget is by one too large") {
      $0.budget?.limit += 1
      $0.budget?.limitWithoutComplication += 1
    },
    lifting("6.1", .throttle, "it does what it would do if any number of wakes carried a push"),
    policy("6.1", "its limit of pushes is by one too large") { $0.pushLimit += 1 },
    policy("6.2", "it carries types as with `carry` due") { $0.carry = .due },
    policy("6.2", "it carries types as with `carry` launch") { $0.carry = .launch },
    policy("6.2", "it carries types as with `carry` always") { $0.carry = .always },
    policy("6.5", "it stops an app by one strike too late") { $0.maxStrikes += 1 },
    policy("6.5", "it stops an app by one strike too early") {
      $0.maxStrikes = max(1, $0.maxStrikes - 1)
    },
    lifting("6.5", .stopped, "it does what it would do if no app were stopped"),
    policy("6.5", "its delays do not grow") { $0.backoffFactor = 1 },
    policy("6.5", "its delays have no bound") { $0.backoffMax = 1_000_000_000_000_000_000 },
    lifting("6.5", .backoff, "it does what it would do without backoff"),
    lifting("6.5", .unanswered, "what it carried unanswered does not come back"),
    policy("5.2", "it does what it would do without caps") {
      $0.caps = [:]
      $0.defaultCap = .immediate
    },
    Change(rule: "5.2", words: "it takes `weekly` for `daily`") { events, policy in
      var policy = policy
      func changed(_ frequency: Frequency) -> Frequency {
        frequency == .weekly ? .daily : frequency
      }
      for place in policy.subscriptions.indices {
        policy.subscriptions[place].frequency = changed(policy.subscriptions[place].frequency)
      }
      policy.caps = policy.caps.mapValues(changed)
      policy.defaultCap = changed(policy.defaultCap)
      let events = events.map { event in
        guard case .enable(let app, let type, let frequency) = event.input else { return event }
        return Event(
          time: event.time, device: event.device,
          input: .enable(app: app, type: type, frequency: changed(frequency)))
      }
      return (events, policy)
    },
    Change(rule: "5.9", words: "a refresh interval begins anew where one is in force") {
      events, policy in
      let events = events.flatMap { event in
        guard case .refreshInterval(let app, _) = event.input else { return [event] }
        let never = Input.refreshInterval(app: app, .never)
        return [Event(time: event.time, device: event.device, input: never), event]
      }
      return (events, policy)
    },
    policy("5.9", "it does not raise intervals to the least one") {
      $0.minimumRefreshInterval = 1_000_000_000
    },
    lifting("6.1", .status, "it takes no notice of the refresh status"),
    lifting("6.1", .network, "it takes no notice of the network"),
    lifting("6.1", .power, "it takes no notice of the power"),
    lifting("6.1", .period, "it does what it would do without periods"),
    predicates("it takes no notice of a predicate's source") { $0.source = nil },
    predicates("it takes no notice of a predicate's start") { $0.start = nil },
    predicates("it takes no notice of a predicate's end") { $0.end = nil },
    predicates("it takes no notice of `strictStart`") { $0.strictStart = nil },
    predicates("it takes no notice of `strictEnd`") { $0.strictEnd = nil },
    predicates("it takes no notice of a predicate's `min`") { $0.min = nil },
    predicates("it takes no notice of a predicate's `max`") { $0.max = nil },
    inputs("5.1", "it takes no notice of predicates") { input in
      guard case .execute(let app, let query, let type, _) = input else { return input }
      return .execute(app: app, query: query, type: type, predicate: nil)
    },
    without("5.1", .delete), without("5.1", .execute), without("5.1", .stop),
    inputs("5.8", "it takes pushes that are no background notifications") { input in
      guard case .push(let app, let push) = input else { return input }
      return .push(app: app, Push(id: push.id))
    },
    without("5.2", .entitlement), without("5.3", .disable), without("5.3", .disableAll),
    without("5.4", .complete), without("5.5", .launch), without("5.6", .background),
    without("5.7", .terminate), without("5.7", .reboot), without("5.8", .push),
    without("5.9", .refreshInterval),
    inputs("5.7", "it takes a force-quit for a termination") { input in
      guard case .forceQuit(let app) = input else { return input }
      return .terminate(app: app)
    },
    Change(rule: "5.7", words: "after a reboot it does not take the device for locked") {
      events, policy in
      let changed = events.flatMap { event in
        event.input == .reboot
          ? [event, Event(time: event.time, device: event.device, input: .unlock)] : [event]
      }
      return (changed, policy)
    },
    without("5.7", .forceQuit),
  ]

  // MARK: Kinds of differences

  /// The rules by which a departure may be told.
  static let named: Set<String> = Set(changes.map(\.rule)).union(rules.values).union([
    "4.3", "5.1", "5.2", "5.3", "5.4", "5.5", "5.7", "5.8", "5.9", "6.1", "6.2", "6.3", "6.4",
    "6.5", "7",
  ])

  private func rule(ofKind departure: Departure) -> (rule: String, reason: String) {
    switch departure {
    case .count(let key): (Self.rules[key] ?? "7", "the count `\(key)` differs")
    case .other(_, let field):
      switch field {
      case .types: ("6.2", "the wake carries other types")
      case .push: ("6.2", "the wake carries another push")
      case .refresh: ("6.2", "the wake carries a refresh or not")
      case .saves:
        hasOutcome(.expired, .aborted)
          ? ("6.5", "the wake carries other saves, after one that was not answered")
          : ("5.1", "the wake carries other saves")
      case .outcome, .end: (lastEnding(departure), "the wake ends otherwise")
      }
    case .missing(let place), .extra(let place):
      (ofTime(place), "an app is woken at another time, or not at all")
    }
  }

  private static let rules: [String: String] = [
    "lateInputs": "4.1", "liveDeliveries": "5.1", "ignoredCompletions": "5.4",
    "rejectedRegistrations": "5.2", "rejectedPushes": "5.8", "pushesSuperseded": "5.8",
    "pushesDiscarded": "5.7", "pushesDeliveredLive": "5.5", "pushesHeldAtEnd": "5.8",
    "pendingAtEnd": "5.1", "stoppedApps": "6.5",
  ]

  private func hasOutcome(_ outcomes: WakeOutcome...) -> Bool {
    RulesRun.run(events, policy: policy, symbols: symbols).wakes.contains {
      outcomes.contains($0.wake.outcome)
    }
  }

  /// The rule by which the wake ends in the rules.
  private func lastEnding(_ departure: Departure) -> String {
    guard case .other(let place, _) = departure else { return "6.3" }
    let rules = RulesRun.run(events, policy: policy, symbols: symbols).wakes[place].wake
    switch rules.outcome {
    case .expired: return "6.3"
    case .aborted: return "5.7"
    case .open:
      // The scheduler alone has ended it.
      let found = wakes[place].wake
      switch found.outcome {
      case .expired: return "6.3"
      case .aborted: return "5.7"
      case .completed: return ending(at: found.end) ?? "4.3"
      case .open: return "4.3"
      }
    case .completed: return ending(at: rules.end) ?? "6.4"
    }
  }

  /// The rule of the input that completes a wake at a time; nil if none does.
  private func ending(at time: Timestamp?) -> String? {
    let kinds = events.filter { $0.time == time }.map(\.input.kind)
    return kinds.reversed().lazy.compactMap { kind -> String? in
      switch kind {
      case .launch: "5.5"
      case .disable, .disableAll: "5.3"
      case .complete: "5.4"
      default: nil
      }
    }.first
  }

  /// The rule of an input at the time of a wake that came at another one.
  private func ofTime(_ place: Int) -> String {
    let rules = RulesRun.run(events, policy: policy, symbols: symbols).wakes
    let time = [rules, wakes].compactMap { $0.indices.contains(place) ? $0[place].wake.time : nil }
      .min()
    // Backoff and strikes keep back types alone.
    let hasTypes = [rules, wakes].contains {
      $0.indices.contains(place) && $0[place].wake.time == time && !$0[place].wake.types.isEmpty
    }
    let strikes =
      hasTypes
      && rules.prefix(place).contains {
        $0.wake.outcome == .expired || $0.wake.outcome == .aborted
      }
    let kinds = Set(events.filter { $0.time == time }.map(\.input.kind))
    if kinds.contains(.push) { return "5.8" }
    if kinds.contains(.enable) { return "5.2" }
    if kinds.contains(.refreshInterval) { return "5.9" }
    if strikes { return "6.5" }
    if kinds.contains(.save) || kinds.contains(.delete) { return "6.1" }
    let all = Set(events.map(\.input.kind))
    return hasTypes && all.contains(.refreshInterval) ? "5.9" : "6.1"
  }
}
