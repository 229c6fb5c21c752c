import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

/// Policies and inputs of which most are of one kind, or that have more apps, queries or equal times than others.
@Suite("Inputs of other shapes")
struct OtherShapesTests {
  private let symbols = Symbols()
  private let second: Int64 = 1_000_000_000

  private func event(_ time: Int64, _ input: Input) -> Event {
    Event(
      time: Timestamp(nanoseconds: 1_767_225_600 * second + time),
      device: symbols.devices.intern(""), input: input)
  }

  private func save(_ type: String, source: Int = 0, value: Double? = nil) -> Input {
    .save(
      Sample(
        type: symbols.types.intern(type), source: symbols.sources.intern("source \(source)"),
        value: value))
  }

  private func expectAsReference(
    _ events: [Event], _ policy: Policy, _ what: @autoclosure () -> String
  ) {
    let expected = ReferenceScheduler.run(events: events, policy: policy, symbols: symbols)
    for feeding in SchedulerRun.Feeding.allCases {
      let outcome = SchedulerRun.run(
        events: events, policy: policy, symbols: symbols, feeding: feeding)
      let difference = Differential.difference(of: outcome, from: expected, symbols)
      #expect(difference == nil, "\(what()), \(feeding)")
    }
  }

  @Test("wake as in the reference where hundreds of apps come and go on a type", arguments: 0..<6)
  func apps(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var policy = Policy.iOS
    policy.behaviour.completesAfter = random.pick([nil, 0, second])
    let order = ["ascending", "descending", "inwards", "random"][seed % 4]
    var events: [Event] = []
    for step in 0..<1_200 {
      let place = step % 300
      let number =
        switch order {
        case "ascending": place
        case "descending": 299 - place
        case "inwards": place % 2 == 0 ? place / 2 : 299 - place / 2
        default: random.below(300)
        }
      let (app, type) = (symbols.apps.intern("app \(number)"), symbols.types.intern("type"))
      let input: Input =
        switch random.below(8) {
        case 0: save("type")
        case 1, 2: .disable(app: symbols.apps.intern("app \(random.below(300))"), type: type)
        default: .enable(app: app, type: type, frequency: random.pick([.immediate, .hourly]))
        }
      events.append(event(Int64(step) * second, input))
    }
    expectAsReference(events, policy, "seed \(seed), \(order)")
  }

  @Test("match as in the reference where apps have many queries", arguments: 0..<6)
  func queries(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    // Few types, so that some have more predicates than are looked through one by one.
    let types = (0..<random.pick([1, 3, 12])).map { "type \($0)" }
    let most = random.pick([20, 70, 150])
    var policy = Policy.iOS
    policy.behaviour.completesAfter = second
    policy.subscriptions = (0..<2).flatMap { app in
      types.map { Policy.Subscription(app: "app \(app)", type: $0) }
    }
    let events = (0..<1_500).map { step in
      let app = symbols.apps.intern("app \(random.below(2))")
      let query = symbols.queries.intern("query \(random.below(most))")
      let type = random.pick(types)
      let input: Input =
        switch random.below(step < 400 ? 2 : 6) {
        case 0:
          .execute(
            app: app, query: query, type: symbols.types.intern(type),
            predicate: random.chance(5)
              ? nil
              : Predicate(
                source: symbols.sources.intern("source \(random.below(40))"),
                min: random.chance(50) ? Double(random.below(9)) : nil))
        case 1: .stop(app: app, query: query)
        default:
          save(
            type, source: random.below(40), value: random.chance(50) ? Double(random.below(9)) : nil
          )
        }
      return event(Int64(step / 3) * second, input)
    }
    expectAsReference(events, policy, "seed \(seed), up to \(most) queries")
  }

  @Test(
    "leave the last wake open that answers without delay, whatever observations follow",
    arguments: [1, 2, 3, 1_024, 1_025], [0, 1, 3])
  func lastWakes(count: Int, observations: Int) {
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 0
    policy.behaviour.coldStart = 0
    policy.subscriptions = ["app", "another"].map {
      .init(app: $0, type: "type", frequency: .immediate)
    }
    let observed = Input.observed(
      app: symbols.apps.intern("app"),
      Observation(types: [], push: nil, refresh: nil, outcome: nil, end: nil))
    // All at one time: each input but the first comes after the answers to the wakes of the one before.
    let events =
      (0..<count).map { _ in event(0, save("type")) }
      + (0..<observations).map { _ in event(0, observed) }
    let expected = ReferenceScheduler.run(events: events, policy: policy, symbols: symbols)
    #expect(expected.summary.wakes == 2 * count && expected.summary.open == 2)
    expectAsReference(events, policy, "\(count) saves, \(observations) observations")
  }
}
