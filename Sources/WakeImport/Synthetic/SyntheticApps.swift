import WakeEvents
import WakeScheduling

/// The apps of a synthetic device.
///
/// An app answers when it is woken, so every generated input goes through a ``Scheduler``, and each wake that begins
/// gets its answer planned, or none.
struct SyntheticApps: ~Copyable {
  private struct Subscription {
    var rank: Int
    var frequency: Frequency
  }

  private struct PendingAnswer {
    var time = Int64.max
    var inputs: [Input] = []
  }

  private let workload: SyntheticWorkload
  private let names: SyntheticNames
  private var scheduler: Scheduler
  private var subscriptions: [[Subscription]] = []
  private var answers: [PendingAnswer] = []
  private var foreground: Int?
  private var pushes = 0

  /// The time of the next answer; `.max` if there is none.
  private(set) var firstAnswer = Int64.max
  /// The time of the scheduler's next due event; `.max` if there is none.
  var nextWake: Int64 { scheduler.nextDue?.nanoseconds ?? .max }

  var count: Int { answers.count }

  init(
    _ workload: SyntheticWorkload, _ names: SyntheticNames, _ popularity: Popularity,
    symbols: Symbols, _ random: inout SeededRandom
  ) {
    self.workload = workload
    self.names = names
    scheduler = Scheduler(policy: workload.policy, symbols: symbols)
    for _ in 0..<workload.apps {
      var ranks: [Int] = []
      while ranks.count < min(workload.subscriptionsPerApp, workload.types) {
        // A type that is taken is replaced by the next in popularity.
        var rank = popularity.types.pick(&random)
        while ranks.contains(rank) { rank = (rank + 1) % workload.types }
        ranks.append(rank)
      }
      subscriptions.append(
        ranks.map { rank in
          let mixed: [Frequency] = [.immediate, .immediate, .immediate, .hourly, .daily, .weekly]
          let drawn = mixed[random.below(mixed.count)]
          return Subscription(rank: rank, frequency: workload.frequency ?? drawn)
        })
      answers.append(PendingAnswer())
    }
  }

  /// The inputs at the start of the device.
  func begin(_ popularity: Popularity, _ random: inout SeededRandom) -> [Input] {
    var inputs: [Input] = []
    for app in 0..<count {
      let name = names.apps[app]
      for subscription in subscriptions[app] {
        let home = popularity.homes[subscription.rank]
        let isFiltered = random.chance(perThousand: workload.predicatesPerThousand)
        inputs.append(
          .execute(
            app: name, query: names.queries[subscription.rank],
            type: names.types[subscription.rank],
            predicate: isFiltered ? predicate(home: names.sources[Int(home)], &random) : nil))
      }
      inputs += enables(app)
      if workload.hasRefreshes {
        let interval = RefreshInterval.seconds(Double(1_800 * (1 + random.below(4))))
        inputs.append(.refreshInterval(app: name, random.below(3) == 0 ? .minimum : interval))
      }
      if workload.hasComplications, app % 2 == 0 {
        inputs.append(.complication(app: name, isActive: true))
      }
    }
    return inputs
  }

  private func predicate(home: Source, _ random: inout SeededRandom) -> Predicate {
    switch random.below(4) {
    case 0: Predicate(source: home)
    case 1: Predicate(min: Double(random.below(200)))
    case 2: Predicate(start: workload.start, strictStart: true)
    default: Predicate(source: names.sources[random.below(names.sources.count)], max: 400)
    }
  }

  private func enables(_ app: Int) -> [Input] {
    subscriptions[app].map {
      .enable(app: names.apps[app], type: names.types[$0.rank], frequency: $0.frequency)
    }
  }
}

extension SyntheticApps {
  /// Passes an input to the apps' scheduler.
  ///
  /// - Returns: Whether ``firstAnswer`` or ``nextWake`` may have changed.
  mutating func take(
    _ input: Input, at time: Int64, _ random: inout SeededRandom
  ) -> Bool {
    let before = scheduler.nextDue
    var wakes: [(WakePhase, Wake)] = []
    scheduler.take(input, at: Timestamp(nanoseconds: time)) { wakes.append(($0, copy $1)) }
    plan(wakes, &random)
    return !wakes.isEmpty || before != scheduler.nextDue
  }

  mutating func advance(to time: Int64, _ random: inout SeededRandom) {
    var wakes: [(WakePhase, Wake)] = []
    scheduler.advance(to: Timestamp(nanoseconds: time)) { wakes.append(($0, copy $1)) }
    plan(wakes, &random)
  }

  /// Plans the answers to wakes that begin, and drops those to wakes that end.
  private mutating func plan(_ wakes: [(WakePhase, Wake)], _ random: inout SeededRandom) {
    for (phase, wake) in wakes {
      guard let app = names.apps.firstIndex(of: wake.app) else { continue }
      answers[app] = PendingAnswer()
      if phase == .began, random.chance(perThousand: workload.answersPerThousand) {
        let delay = 200_000_000 + min(25_000_000_000, random.gap(mean: 1_500_000_000))
        var items = wake.types.map(CompletionItem.type)
        if wake.push != nil { items.append(.push) }
        if wake.refresh { items.append(.refresh) }
        // Three in four answers complete everything at once.
        if random.below(4) > 0 { items = [.everything] }
        let results: [FetchResult?] = [.newData, .newData, .newData, .noData, nil]
        let result = results[random.below(results.count)]
        answers[app] = PendingAnswer(
          time: wake.time.nanoseconds + delay,
          inputs: items.map { .complete(app: wake.app, item: $0, result: result) })
      }
    }
    if !wakes.isEmpty { findFirstAnswer() }
  }

  private mutating func findFirstAnswer() {
    firstAnswer = answers.reduce(.max) { min($0, $1.time) }
  }

  mutating func takeAnswer() -> [Input] {
    guard let app = answers.firstIndex(where: { $0.time == firstAnswer }) else { return [] }
    let inputs = answers[app].inputs
    answers[app] = PendingAnswer()
    findFirstAnswer()
    return inputs
  }
}

extension SyntheticApps {
  /// The user opens an app; as at every launch it enables its types again.
  mutating func open(_ random: inout SeededRandom) -> [Input] {
    let app = random.below(count)
    foreground = app
    return [.launch(app: names.apps[app])] + enables(app)
  }

  /// The user leaves the app that is open, if one is.
  mutating func leave(_ random: inout SeededRandom) -> [Input] {
    guard let app = foreground.map({ names.apps[$0] }) else { return [] }
    foreground = nil
    return random.below(16) == 0
      ? [.background(app: app), .forceQuit(app: app)] : [.background(app: app)]
  }

  /// The device restarts; returns whether an app was open.
  mutating func reboot() -> Bool {
    defer { foreground = nil }
    return foreground != nil
  }

  /// The system ends an app, if it is not open.
  mutating func terminate(_ random: inout SeededRandom) -> [Input] {
    let app = random.below(count)
    return app == foreground ? [] : [.terminate(app: names.apps[app])]
  }

  /// A push; one in eight is not a background notification.
  mutating func push(_ random: inout SeededRandom) -> Input {
    pushes += 1
    var push = Push(id: "push-\(pushes)")
    switch random.below(8) {
    case 0:
      push.aps = Push.Payload(
        json: "{\"alert\":\"Time to stand\"}", contentAvailable: nil, isShownToUser: true)
      push.pushType = "alert"
      push.priority = 10
    case 1, 2:
      push.aps = Push.Payload(
        json: "{\"content-available\":1}", contentAvailable: 1, isShownToUser: false)
      push.pushType = "background"
      push.priority = 5
    default: break
    }
    return .push(app: names.apps[random.below(count)], push)
  }
}
