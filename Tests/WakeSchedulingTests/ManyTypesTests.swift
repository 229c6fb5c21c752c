import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeScheduling

@Suite("An app with many types")
struct ManyTypesTests {
  /// Types at the ends of words of places, and between them.
  private static let saved = [3, 63, 64, 70, 127, 128, 140, 149]

  @Test("is woken with the types of the reference", arguments: 0..<6 as Range<UInt64>)
  func types(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let symbols = Symbols()
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 2_000_000_000
    policy.behaviour.ignoresEvery = seed.isMultiple(of: 3) ? 4 : 0
    policy.maxStrikes = 1_000
    policy.carry = .always
    policy.subscriptions = (0..<150).map {
      Policy.Subscription(
        app: "app", type: String(repeating: "!", count: 1 + $0 / 50) + "\(1_000 + $0)",
        frequency: .hourly)
    }
    let types = policy.subscriptions.map { symbols.types.intern($0.type) }
    let source = symbols.sources.intern("source")
    let app = symbols.apps.intern("app")
    var inputs: [Input] = []
    // A type that comes after the others, so that places are not in the order of names.
    if seed.isMultiple(of: 2) {
      inputs.append(.enable(app: app, type: symbols.types.intern("!0"), frequency: .immediate))
    }
    for _ in 0..<300 {
      let type = random.chance(3) ? types[random.below(150)] : types[random.pick(Self.saved)]
      inputs.append(.save(Sample(type: type, source: source)))
      if random.chance(20) {
        inputs.append(.save(Sample(type: symbols.types.intern("!0"), source: source)))
      }
    }
    var seconds = 0
    let events = inputs.map { input in
      // Now and then all periods pass, and the next wake has one type.
      seconds += random.chance(15) ? 4_000 : random.below(100)
      return Event(
        time: Timestamp(nanoseconds: Int64(seconds) * 1_000_000_000),
        device: symbols.devices.intern(""), input: input)
    }
    let expected = ReferenceScheduler.run(events: events, policy: policy, symbols: symbols)
    #expect(expected.wakes.contains { $0.wake.types.count == 1 }, "seed \(seed)")
    #expect(expected.wakes.contains { $0.wake.types.count > 2 }, "seed \(seed)")
    for feeding in SchedulerRun.Feeding.allCases {
      let difference = Differential.difference(
        of: SchedulerRun.run(events: events, policy: policy, symbols: symbols, feeding: feeding),
        from: expected, symbols)
      #expect(difference == nil, "seed \(seed), \(feeding)")
    }
  }
}
