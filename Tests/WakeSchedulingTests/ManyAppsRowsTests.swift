import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

/// Apps that get their subscriptions in another order than their numbers have free ranks among those of their type
/// (`Coalescer+Subscribers.swift`), from 27 apps on behind a word of 64.
@Suite("Rows of a type to which many apps subscribe in any order")
struct ManyAppsRowsTests {
  @Test("wake as in the reference", arguments: 0..<8 as Range<UInt64>)
  func shuffled(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let symbols = Symbols()
    let type = symbols.types.intern("type")
    let source = symbols.sources.intern("source")
    let query = symbols.queries.intern("query")
    let isThinned = seed.isMultiple(of: 2)
    let apps = (0..<(isThinned ? 80 : 24) + random.below(60)).map {
      symbols.apps.intern("app \($0)")
    }
    var inputs: [Input] = apps.map { .stop(app: $0, query: query) }
    var left = apps
    while !left.isEmpty {
      let app = left.remove(at: random.below(left.count))
      inputs.append(.enable(app: app, type: type, frequency: .immediate))
    }
    // From here on most ranks are free, so that those left are moved together, and then others come back.
    if isThinned {
      for app in apps where !random.chance(8) {
        inputs.append(.disable(app: app, type: type))
      }
    }
    for _ in 0..<40 {
      inputs.append(.save(Sample(type: type, source: source)))
      let app = random.pick(apps)
      switch random.below(4) {
      case 0: inputs.append(.disable(app: app, type: type))
      case 1: inputs.append(.enable(app: app, type: type, frequency: .immediate))
      case 2: inputs.append(.complete(app: app, item: .everything, result: nil))
      default: break
      }
    }
    let events = inputs.enumerated().map { second, input in
      Event(
        time: Timestamp(nanoseconds: Int64(second) * 10_000_000_000),
        device: symbols.devices.intern(""), input: input)
    }
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 1_000_000_000
    let expected = ReferenceScheduler.run(events: events, policy: policy, symbols: symbols)
    for feeding in SchedulerRun.Feeding.allCases {
      let difference = Differential.difference(
        of: SchedulerRun.run(events: events, policy: policy, symbols: symbols, feeding: feeding),
        from: expected, symbols)
      #expect(difference == nil, "seed \(seed), \(feeding)")
    }
  }
}
