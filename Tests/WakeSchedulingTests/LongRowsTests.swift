import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

@Suite("Long runs of saves")
struct LongRowsTests {
  @Test("wake as in the reference, whatever comes between", arguments: 0..<48 as Range<UInt64>)
  func randomRows(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let symbols = Symbols()
    let policy = Self.policy(using: &random)
    let events = Self.events(3_000, symbols, using: &random)
    let expected = ReferenceScheduler.run(events: events, policy: policy, symbols: symbols)
    for feeding in SchedulerRun.Feeding.allCases {
      let difference = Differential.difference(
        of: SchedulerRun.run(events: events, policy: policy, symbols: symbols, feeding: feeding),
        from: expected, symbols)
      #expect(difference == nil, "seed \(seed), \(feeding)")
    }
  }

  @Test(
    "whose last one wakes an app that answers at once", arguments: [16, 17, 128, 129, 200, 820])
  func wakeAtTheEnd(count: Int) {
    let symbols = Symbols()
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 0
    policy.subscriptions = [.init(app: "app", type: "type")]
    let sample = Sample(
      type: symbols.types.intern("type"), source: symbols.sources.intern("source"))
    let device = symbols.devices.intern("")
    let events = (0..<count).map { row in
      Event(
        time: Timestamp(nanoseconds: 1_767_225_600_000_000_000 + Int64(row) * 1_000_000),
        device: device, input: .save(sample))
    }
    let expected = ReferenceScheduler.run(events: events, policy: policy, symbols: symbols)
    let difference = Differential.difference(
      of: SchedulerRun.run(events: events, policy: policy, symbols: symbols, feeding: .whole),
      from: expected, symbols)
    #expect(difference == nil, "\(count) rows")
  }

  @Test("wake in time where rows behind a timer are late")
  func lateBehindTimer() {
    let symbols = Symbols()
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 0
    policy.subscriptions = [.init(app: "app", type: "type", frequency: .hourly)]
    let sample = Sample(
      type: symbols.types.intern("type"), source: symbols.sources.intern("source"))
    let device = symbols.devices.intern("")
    // The order of 1,024 rows is checked together (``SchedulerCore/rowsChecked``). The hour is over shortly before the last of
    // these. Whoever searches for that row beyond them, by halves, meets times before it and passes it.
    let times = (0..<1_024).map { Int64($0) * 3_550_000_000 } + [Int64](repeating: 1, count: 3_000)
    let events = times.map {
      Event(
        time: Timestamp(nanoseconds: 1_767_225_600_000_000_000 + $0), device: device,
        input: .save(sample))
    }
    let expected = ReferenceScheduler.run(events: events, policy: policy, symbols: symbols)
    #expect(expected.summary.wakes == 2)
    for feeding in SchedulerRun.Feeding.allCases {
      let difference = Differential.difference(
        of: SchedulerRun.run(events: events, policy: policy, symbols: symbols, feeding: feeding),
        from: expected, symbols)
      #expect(difference == nil, "\(feeding)")
    }
  }

  @Test("do not bring late saves to a predicate that they do not match")
  func lateSaves() {
    let symbols = Symbols()
    let device = symbols.devices.intern("")
    let app = symbols.apps.intern("app")
    let type = symbols.types.intern("type")
    let source = symbols.sources.intern("source")
    func event(_ second: Int64, _ input: Input) -> Event {
      Event(
        time: Timestamp(nanoseconds: second * 1_000_000_000), device: device, input: input)
    }
    let predicate = Predicate(source: source, start: Timestamp(nanoseconds: 10_000_000_000))
    let setup = [
      event(1, .enable(app: app, type: type, frequency: .weekly)),
      event(
        2,
        .execute(
          app: app, query: symbols.queries.intern("query"), type: type, predicate: predicate)),
    ]
    // The first wakes. Of those behind it, the five that are written before the predicate's start are late.
    let saves = ([20, 60, 61, 5, 5, 5, 5, 5, 62] as [Int64]).map {
      event($0, .save(Sample(type: type, source: source)))
    }
    let expected = ReferenceScheduler.run(
      events: setup + saves, policy: .iOS, symbols: symbols)
    // The one that was given back, and those of seconds 60 to 62.
    #expect(expected.summary.pendingAtEnd == 4)
    for feeding in SchedulerRun.Feeding.allCases {
      let outcome = SchedulerRun.run(
        events: setup + saves, policy: .iOS, symbols: symbols, feeding: feeding)
      let difference = Differential.difference(of: outcome, from: expected, symbols)
      #expect(difference == nil, "\(feeding)")
    }
  }

  /// Apps of which some cannot be told apart.
  private static func policy(using random: inout SplitMix64) -> Policy {
    var policy = Policy.iOS
    policy.behaviour.completesAfter = random.pick([nil, 0, 2_000_000_000, 40_000_000_000])
    policy.carry = random.pick([.launch, .due, .always])
    for app in 0..<random.pick([1, 2, 10, 20]) {
      let frequency: Frequency = app % 12 == 11 ? .daily : random.pick([.hourly])
      for type in 0..<(app % 7 == 6 ? 2 : 4) {
        policy.subscriptions.append(
          .init(app: "app \(app)", type: "type \(type)", frequency: frequency))
      }
    }
    return policy
  }

  /// Where comparing doubles may go wrong; what is no finite number comes through the Swift API alone.
  private static let values: [Double] = [
    -.infinity, -.greatestFiniteMagnitude, -7.5, -1, -.leastNonzeroMagnitude, -0.0, 0,
    .leastNonzeroMagnitude, 1, 1.0.nextUp, 7, .greatestFiniteMagnitude, .infinity, .nan, -.nan,
  ]

  private static func events(
    _ count: Int, _ symbols: Symbols, using random: inout SplitMix64
  ) -> [Event] {
    let types = (0..<6).map { symbols.types.intern("type \($0)") }
    let sources = (0..<2).map { symbols.sources.intern("source \($0)") }
    let apps = (0..<3).map { symbols.apps.intern("app \($0 * 4)") }
    let device = symbols.devices.intern("")
    let step: Int64 = random.pick([0, 1, 1_000_000_000, 60_000_000_000])
    let rarity = random.pick([60, 400])
    let valueChance = random.pick([20, 95, 100])
    let timesChance = random.pick([0, 20])
    var time: Int64 = 1_767_225_600_000_000_000
    return (0..<count).map { _ in
      var sample = Sample(type: random.pick(types), source: random.pick(sources))
      if random.chance(valueChance) { sample.value = random.pick(values) }
      if random.chance(timesChance) {
        sample.start = Timestamp(nanoseconds: time - 20_000 * step)
        if random.chance(70) { sample.end = Timestamp(nanoseconds: time - 200 * step) }
      }
      var input = Input.save(sample)
      var shown = time
      switch random.below(rarity) {
      case 0:
        let bound = random.pick(values)
        let start = Timestamp(nanoseconds: time)
        let predicate = random.pick([
          nil, Predicate(source: sources[0]), Predicate(min: bound), Predicate(max: bound),
          Predicate(min: bound, max: random.pick(values)),
          Predicate(source: sources[0], max: bound), Predicate(start: start, min: bound),
          Predicate(start: start, strictStart: random.chance(50)),
          Predicate(end: Timestamp(nanoseconds: time + step), strictEnd: random.chance(50)),
        ])
        let query = symbols.queries.intern("query \(random.below(4))")
        input = .execute(
          app: random.pick(apps), query: query, type: sample.type, predicate: predicate)
      case 1: input = .launch(app: random.pick(apps))
      case 2: input = .background(app: random.pick(apps))
      case 3: input = .delete(type: sample.type, source: sample.source)
      case 4: shown -= 5_000_000_000
      case 5: time += 1_800_000_000_000
      default: break
      }
      time += step
      return Event(time: Timestamp(nanoseconds: shown), device: device, input: input)
    }
  }
}
