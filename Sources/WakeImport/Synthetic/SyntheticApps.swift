import WakeEvents

/// The apps of a made-up device, as far as their answers to wakes depend on it.
///
/// A workload knows no policy and runs no scheduler. An app is taken to be woken by a save of a type
/// that it subscribes to, once within the period asked for, while the device is unlocked and the app
/// neither in the foreground nor about to answer; an answer to a wake that was none is ignored
/// (SPEC 5.4).
struct SyntheticApps {
  private struct Subscription {
    var rank: Int
    var frequency: Frequency
    /// Until then another save of the type wakes nobody.
    var quietUntil = Int64.min
  }

  private struct PendingAnswer {
    var time = Int64.max
    /// Nil if the wake is left without an answer.
    var item: CompletionItem?
  }

  /// Sets of apps, one bit each.
  private typealias Apps = UInt64

  private var subscriptions: [[Subscription]] = []
  private var answers: [PendingAnswer] = []
  /// By type, who subscribes to it.
  private var subscribers: [Apps]
  /// Who may be woken: not in the foreground and not about to answer.
  private var idle: Apps = 0
  /// Who has something to come once the device is unlocked.
  private var waiting: Apps = 0
  private var foreground: Int?
  private var pushes = 0

  /// When the next answer is due; at the end of time if none is.
  private(set) var firstAnswer = Int64.max

  var count: Int { answers.count }

  /// Draws who subscribes to what.
  init(
    _ workload: SyntheticWorkload, _ popularity: Popularity, _ random: inout SeededRandom
  ) {
    subscribers = [Apps](repeating: 0, count: workload.types)
    for app in 0..<workload.apps {
      var ranks: [Int] = []
      while ranks.count < min(workload.subscriptionsPerApp, workload.types) {
        // What is taken already gives way to the next in popularity.
        var rank = popularity.types.pick(&random)
        while ranks.contains(rank) { rank = (rank + 1) % workload.types }
        ranks.append(rank)
        subscribers[rank] |= 1 << Apps(app)
      }
      subscriptions.append(
        ranks.map { rank in
          let mixed: [Frequency] = [.immediate, .immediate, .immediate, .hourly, .daily, .weekly]
          let drawn = mixed[random.below(mixed.count)]
          return Subscription(rank: rank, frequency: workload.frequency ?? drawn)
        })
      answers.append(PendingAnswer())
      idle |= 1 << Apps(app)
    }
  }

  /// What the apps do at first.
  func begin(
    _ workload: SyntheticWorkload, _ names: SyntheticNames, _ popularity: Popularity,
    _ random: inout SeededRandom
  ) -> [Input] {
    var inputs: [Input] = []
    for app in 0..<count {
      let name = names.apps[app]
      for subscription in subscriptions[app] {
        let predicate =
          random.chance(perThousand: workload.predicatesPerThousand)
          ? Self.predicate(workload, names, home: popularity.homes[subscription.rank], &random)
          : nil
        inputs.append(
          .execute(
            app: name, query: names.queries[subscription.rank],
            type: names.types[subscription.rank], predicate: predicate))
      }
      inputs += enables(app, names)
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

  private static func predicate(
    _ workload: SyntheticWorkload, _ names: SyntheticNames, home: UInt32,
    _ random: inout SeededRandom
  ) -> Predicate {
    switch random.below(4) {
    case 0: Predicate(source: names.sources[Int(home)])
    case 1: Predicate(min: Double(random.below(200)))
    case 2: Predicate(start: workload.start, strictStart: true)
    default: Predicate(source: names.sources[random.below(names.sources.count)], max: 400)
    }
  }

  private func enables(_ app: Int, _ names: SyntheticNames) -> [Input] {
    subscriptions[app].map {
      .enable(app: names.apps[app], type: names.types[$0.rank], frequency: $0.frequency)
    }
  }

  /// Whether a save of the type may wake anyone: asked for every sample, so it errs on the side of yes.
  @inline(__always)
  func mayNotice(_ rank: Int) -> Bool {
    subscribers[rank] & idle != 0
  }

  mutating func noticeSave(
    of rank: Int, at time: Int64, isLocked: Bool, _ workload: SyntheticWorkload,
    _ random: inout SeededRandom
  ) {
    for app in 0..<count where subscribers[rank] & idle & (1 << Apps(app)) != 0 {
      guard let place = subscriptions[app].firstIndex(where: { $0.rank == rank }),
        time >= subscriptions[app][place].quietUntil
      else { continue }
      if isLocked {
        waiting |= 1 << Apps(app)
      } else {
        subscriptions[app][place].quietUntil =
          time + subscriptions[app][place].frequency.period
        plan(app, at: time, .everything, workload, &random)
      }
    }
  }

  mutating func noticePush(
    _ app: Int, at time: Int64, _ workload: SyntheticWorkload, _ random: inout SeededRandom
  ) {
    guard idle & (1 << Apps(app)) != 0 else { return }
    plan(app, at: time, random.below(2) == 0 ? .push : .everything, workload, &random)
  }

  mutating func unlocked(
    at time: Int64, _ workload: SyntheticWorkload, _ random: inout SeededRandom
  ) {
    for app in 0..<count where waiting & idle & (1 << Apps(app)) != 0 {
      plan(app, at: time, .everything, workload, &random)
    }
    waiting = 0
  }

  /// Plans the answer to a wake, or that there is none: then the app sleeps on for half a minute.
  private mutating func plan(
    _ app: Int, at time: Int64, _ item: CompletionItem, _ workload: SyntheticWorkload,
    _ random: inout SeededRandom
  ) {
    idle &= ~(1 << Apps(app))
    if random.chance(perThousand: workload.answersPerThousand) {
      let delay = 200_000_000 + min(25_000_000_000, random.gap(mean: 1_500_000_000))
      answers[app] = PendingAnswer(time: time + delay, item: item)
    } else {
      answers[app] = PendingAnswer(time: time + 30_000_000_000, item: nil)
    }
    firstAnswer = min(firstAnswer, answers[app].time)
  }

  /// The answer that is due, and by whom; nil if it is none.
  mutating func takeAnswer(
    _ random: inout SeededRandom
  ) -> (app: Int, item: CompletionItem, result: FetchResult?)? {
    guard let app = answers.indices.min(by: { answers[$0].time < answers[$1].time }) else {
      return nil
    }
    let item = answers[app].item
    forget(app)
    idle |= 1 << Apps(app)
    let results: [FetchResult?] = [.newData, .newData, .newData, .noData, nil]
    return item.map { (app, $0, results[random.below(results.count)]) }
  }

  private mutating func forget(_ app: Int) {
    answers[app] = PendingAnswer()
    firstAnswer = answers.reduce(.max) { min($0, $1.time) }
  }

  /// The user opens an app, which enables its types again, as apps do at every launch.
  mutating func open(_ app: Int, _ names: SyntheticNames) -> [Input] {
    foreground = app
    forget(app)
    idle &= ~(1 << Apps(app))
    waiting &= ~(1 << Apps(app))
    return [.launch(app: names.apps[app])] + enables(app, names)
  }

  /// The user leaves the app that is open; returns which.
  mutating func leave() -> Int? {
    guard let app = foreground else { return nil }
    foreground = nil
    idle |= 1 << Apps(app)
    return app
  }

  /// An app ends, without an answer; returns whether it may: the one that is open stays.
  mutating func end(_ app: Int) -> Bool {
    guard app != foreground else { return false }
    forget(app)
    idle |= 1 << Apps(app)
    return true
  }

  /// A push, one in eight of which is no background notification.
  mutating func makePush(_ random: inout SeededRandom) -> Push {
    pushes += 1
    let id = "push-\(pushes)"
    switch random.below(8) {
    case 0:
      return Push(
        id: id,
        aps: Push.Payload(
          json: "{\"alert\":\"Time to stand\"}", contentAvailable: nil, isShownToUser: true),
        pushType: "alert", priority: 10)
    case 1, 2:
      return Push(
        id: id,
        aps: Push.Payload(
          json: "{\"content-available\":1}", contentAvailable: 1, isShownToUser: false),
        pushType: "background", priority: 5)
    default: return Push(id: id)
    }
  }
}
