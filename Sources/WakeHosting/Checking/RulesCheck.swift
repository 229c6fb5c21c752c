import WakeCases
package import WakeEvents
import WakeImport
package import WakeScheduling
import WakeTrace

/// Holds a scheduler against the rules: inputs that are given, worked cases, then random inputs and policies.
package struct RulesCheck {
  /// What came of a check.
  package enum Outcome {
    /// No departure was found, but those that are allowed: how often each rule was departed from.
    case keeps(runs: Int, allowed: [String: Int])
    /// The first departure.
    case departs(Finding)
  }

  /// A departure from the rules, in as few inputs as were found.
  package struct Finding {
    /// The number of the rule, `6.5`.
    package var rule: String
    /// Why it is thought to be that one.
    package var reason: String
    /// Where it was found: the case or the seed.
    package var origin: String
    package var events: [Event]
    /// Whether all events were left out that the difference does not need.
    package var isShrunk = true
    package var policy: Policy
    package var symbols: Symbols
    /// The wakes by the rules and those of the scheduler.
    package var expected: [HostedRun.DeviceWake]
    package var found: [HostedRun.DeviceWake]
    /// How the inputs were given.
    package var feeding: HostedRun.Feeding
    /// A count that differs while all wakes are equal: key, by the rules, and of the scheduler.
    package var count: (key: String, expected: String, found: String)?
  }

  /// Inputs and their policy: a worked case, random ones, or a user's, such as a trace.
  package struct Given {
    /// A name for a file; empty for those of a user.
    package var name: String
    /// Where they come from, for people.
    package var origin: String
    package var events: [Event]
    package var policy: Policy
    package var symbols: Symbols

    package init(
      name: String = "", origin: String, events: [Event], policy: Policy, symbols: Symbols
    ) {
      self.name = name
      self.origin = origin
      self.events = events
      self.policy = policy
      self.symbols = symbols
    }
  }

  private let scheduler: any OtherScheduler
  private let watch: CallWatch?
  /// The rules that are checked; nil checks all.
  package var rules: Set<String>?
  /// The rules that the scheduler is known to depart from.
  package var allowed: Set<String> = []
  /// Read further inputs, one after the other, as each may be large.
  package var given: [() throws -> Given] = []
  /// The seeds of random inputs.
  package var seeds: Range<UInt64> = 0..<200
  /// The random inputs of a seed.
  package var inputsOfSeed = 600
  /// The rules by which departures are told; `rules` and `allowed` may name them and their sections.
  package static let knownRules: Set<String> = RuleGuess.named.union(["4", "5", "6"])
  /// Every so many seeds further inputs are long rows of saves, and so many.
  private static let (seedsPerLongRows, longRows) = (20, 2_000)
  /// Of more events none are given one by one.
  private static let mostPaced = 20_000

  package init(_ scheduler: any OtherScheduler, watch: CallWatch? = nil) {
    self.scheduler = scheduler
    self.watch = watch
  }

  /// Runs everything.
  ///
  /// - Parameter progress: Called after each case and seed.
  /// - Throws: `TraceError` for what no scheduler may do.
  package func run(progress: (Int) -> Void = { _ in }) throws -> Outcome {
    var runs = 0
    var allowed: [String: Int] = [:]
    func check(
      _ events: [Event], _ policy: Policy, _ symbols: Symbols, _ origin: String
    ) throws -> Finding? {
      defer {
        runs += 1
        progress(runs)
      }
      guard let finding = try finding(events, policy, symbols, origin) else { return nil }
      if isReported(finding.rule) { return finding }
      allowed[finding.rule, default: 0] += 1
      return nil
    }
    var found: Finding?
    for read in given where found == nil {
      let inputs = try read()
      found = try check(inputs.events, inputs.policy, inputs.symbols, inputs.origin)
    }
    if found == nil {
      try forEachCase { inputs in
        found = try check(inputs.events, inputs.policy, inputs.symbols, inputs.origin)
        return found == nil
      }
    }
    if found == nil {
      try forEachSeed { inputs in
        found = try check(inputs.events, inputs.policy, inputs.symbols, inputs.origin)
        return found == nil
      }
    }
    if let found { return .departs(found) }
    return .keeps(runs: runs, allowed: allowed)
  }

  /// Calls `body` with each worked case and with the inputs of each seed, each with a name of its own, until it returns
  /// false.
  package func forEachInputs(_ body: (Given) throws -> Bool) throws {
    var goesOn = true
    try forEachCase {
      goesOn = try body($0)
      return goesOn
    }
    if goesOn { try forEachSeed(body) }
  }

  private func forEachCase(_ body: (Given) throws -> Bool) throws {
    for one in try WorkedCase.all() {
      let inputs = Given(
        name: one.name, origin: "the case \(one.name)", events: one.events, policy: one.policy,
        symbols: one.symbols)
      guard try body(inputs) else { return }
    }
  }

  private func forEachSeed(_ body: (Given) throws -> Bool) throws {
    for seed in seeds {
      let random = RandomInputs(seed: seed, count: inputsOfSeed)
      let inputs = Given(
        name: "seed-\(seed)", origin: "random inputs, seed \(seed)", events: random.events,
        policy: random.policy, symbols: random.symbols)
      guard try body(inputs) else { return }
      guard seed % UInt64(Self.seedsPerLongRows) == 0 else { continue }
      let long = RandomInputs(seed: seed, count: inputsOfSeed / 10, saves: Self.longRows)
      let rows = Given(
        name: "rows-\(seed)", origin: "long rows of saves, seed \(seed)", events: long.events,
        policy: long.policy, symbols: long.symbols)
      guard try body(rows) else { return }
    }
  }

  /// Whether a departure from a rule is one to tell of: `6.1` stands for all of it, `6` for the whole section.
  private func isReported(_ rule: String) -> Bool {
    func covers(_ rules: Set<String>) -> Bool {
      rules.contains(rule) || rules.contains(String(rule.prefix { $0 != "." }))
    }
    return !covers(allowed) && rules.map(covers) ?? true
  }

  /// The departure in a run, shrunk; nil if there is none.
  private func finding(
    _ events: [Event], _ policy: Policy, _ symbols: Symbols, _ origin: String
  ) throws -> Finding? {
    let rules = RulesRun.run(events, policy: policy, symbols: symbols)
    for feeding in HostedRun.Feeding.allCases {
      // A program takes lines, whatever is said of their order.
      if feeding != .mixed, scheduler is PipedScheduler { continue }
      if feeding == .paced, events.count > Self.mostPaced { continue }
      if let found = try finding(events, policy, symbols, origin, feeding, rules) {
        return found
      }
    }
    return nil
  }

  private func finding(
    _ events: [Event], _ policy: Policy, _ symbols: Symbols, _ origin: String,
    _ feeding: HostedRun.Feeding, _ known: RulesRun.Outcome
  ) throws -> Finding? {
    let run = HostedRun(scheduler, watch: watch, context: origin)
    // A fault ends the check wherever it occurs.
    var fault: (any Error)?
    var preferred: [Int] = []
    func departure(
      _ events: [Event], _ policy: Policy, rules: RulesRun.Outcome? = nil, explained: Bool = false
    ) -> (guess: RuleGuess, departure: Departure, finding: Finding)? {
      let rules = rules ?? RulesRun.run(events, policy: policy, symbols: symbols)
      let found: (wakes: [HostedRun.DeviceWake], summary: Summary)
      do {
        found = try run.run(events, policy: policy, symbols: symbols, feeding: feeding)
      } catch {
        fault = error
        return nil
      }
      let departure = Departure.first(
        rules: rules.wakes, rules.summary, scheduler: found.wakes, found.summary)
      guard let departure else { return nil }
      var finding = Finding(
        rule: "", reason: "", origin: origin, events: events, policy: policy, symbols: symbols,
        expected: rules.wakes, found: found.wakes, feeding: feeding)
      if case .count(let key) = departure {
        let path = Summary.counts.first { $0.key == key }?.path
        func text(_ summary: Summary) -> String {
          path.map { "\(summary[keyPath: $0])" }
            ?? "[\(summary.stoppedApps.joined(separator: ", "))]"
        }
        finding.count = (key, text(rules.summary), text(found.summary))
      }
      let guess = RuleGuess(
        events: events, policy: policy, symbols: symbols, wakes: found.wakes,
        summary: found.summary)
      if explained {
        (finding.rule, finding.reason) = guess.rule(departure, preferring: preferred)
      }
      return (guess, departure, finding)
    }
    guard let first = departure(events, policy, rules: known) else {
      if let fault { throw fault }
      return nil
    }
    preferred = first.guess.explanations(of: first.departure)
    /// The first departure as it was found, where a further run of the same inputs has none.
    func unrepeated() throws -> Finding {
      if let fault { throw fault }
      var finding = first.finding
      finding.isShrunk = false
      (finding.rule, finding.reason) = first.guess.rule(first.departure, preferring: preferred)
      finding.reason +=
        "; a further run of the same inputs did not show it: is the scheduler deterministic?"
      return finding
    }
    let part = first.finding.eventsOfDifference(first.departure)
    let start = [part, events].first { fault == nil && departure($0, policy) != nil }
    guard let start else { return try unrepeated() }
    // Many events take long each time.
    let runs = max(100, min(3_000, 20_000_000 / max(1, start.count)))
    let fewer = shrink(start, policy, runs: runs) { events, policy in
      fault == nil && departure(events, policy) != nil
    }
    if let fault { throw fault }
    return try departure(fewer.events, fewer.policy, explained: true)?.finding ?? unrepeated()
  }
}

extension RulesCheck.Finding {
  /// The events of the device on which a wake differs, up to the first one after that wake, as later ones have no part in
  /// it; all events if no wake differs.
  fileprivate func eventsOfDifference(_ departure: Departure) -> [Event] {
    let wakes: [HostedRun.DeviceWake]
    switch departure {
    case .missing(let place): wakes = [expected[place]]
    case .extra(let place): wakes = [found[place]]
    case .other(let place, _): wakes = [expected[place], found[place]]
    case .count: return events
    }
    let times = wakes.flatMap { [$0.wake.time, $0.wake.end].compactMap(\.self) }
    guard let device = wakes.first?.device, let time = times.max() else { return events }
    let own = events.filter { $0.device == device }
    let next = own.firstIndex { $0.time > time }.map { $0 + 1 } ?? own.count
    return Array(own.prefix(next))
  }
}
