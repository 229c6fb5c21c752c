import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

@Suite("The scheduler's state")
struct InvariantTests {
  @Test("holds together after every random input", arguments: 0..<40 as Range<UInt64>)
  func randomInputs(seed: UInt64) {
    let given = RandomInputs(seed: seed, count: 600)
    let symbols = given.symbols
    for device in given.events.devices {
      var random = SplitMix64(seed: seed)
      let accelerations = Accelerations.drawn(by: &random)
      var scheduler = Scheduler(
        policy: given.policy, symbols: symbols, device: "", accelerations: accelerations)
      for (place, event) in given.events.enumerated() where event.device == device {
        scheduler.take(event.input, at: event.time) { _, _ in }
        if let broken = scheduler.brokenInvariant() {
          Issue.record(
            """
            seed \(seed), \(accelerations.names), after input \(place + 1), \
            \(CasePrinter.line(event, symbols: symbols)): \(broken)
            """)
          return
        }
      }
    }
  }

  @Test(
    "holds together as many apps come and go on a type in any order",
    arguments: 0..<4 as Range<UInt64>)
  func rosters(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let symbols = Symbols()
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 1
    let type = symbols.types.intern("type")
    let source = symbols.sources.intern("source")
    let apps = (0..<400).map { symbols.apps.intern("app \($0)") }
    // Equal ones, which inputs take out of their cohort.
    for app in apps[..<200] {
      policy.subscriptions.append(
        Policy.Subscription(app: symbols.apps.name(of: app), type: "type"))
    }
    var scheduler = Scheduler(policy: policy, symbols: symbols)
    var enabled = Set(0..<200)
    for step in 0..<1_200 {
      let time = Timestamp(nanoseconds: Int64(step) * 1_000_000_000)
      // Now and then all in descending order, or anywhere, or in ascending order.
      let app =
        switch step / 300 {
        case 0: max(0, 399 - step)
        case 1: random.below(400)
        default: (step * 7) % 400
        }
      if random.chance(70) {
        scheduler.take(.enable(app: apps[app], type: type, frequency: .immediate), at: time) {
          _, _ in
        }
        enabled.insert(app)
      } else {
        scheduler.take(.disable(app: apps[app], type: type), at: time) { _, _ in }
        enabled.remove(app)
      }
      guard step % 10 == 0 else { continue }
      var woken: [App] = []
      scheduler.take(.save(Sample(type: type, source: source)), at: time) { phase, wake in
        if phase == .began { woken.append(wake.app) }
      }
      let expected = enabled.sorted().map { apps[$0] }
      #expect(
        Set(woken) == Set(expected) && woken.count == expected.count, "seed \(seed), step \(step)")
      if let broken = scheduler.brokenInvariant() {
        Issue.record("seed \(seed), step \(step): \(broken)")
        return
      }
    }
  }

  @Test("holds together with more apps than there was room for at first")
  func manyApps() {
    let symbols = Symbols()
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 1
    var scheduler = Scheduler(policy: policy, symbols: symbols)
    let type = symbols.types.intern("type")
    let source = symbols.sources.intern("source")
    var woken: [App] = []
    let apps = (0..<70).map { symbols.apps.intern("app\($0)") }
    for (second, app) in apps.enumerated() {
      let time = Timestamp(nanoseconds: Int64(second) * 1_000_000_000)
      scheduler.take(.enable(app: app, type: type, frequency: .immediate), at: time) { _, _ in }
      woken = []
      scheduler.take(.save(Sample(type: type, source: source)), at: time) { phase, wake in
        if phase == .began { woken.append(wake.app) }
      }
      #expect(woken == Array(apps[...second]), "apps are woken by their numbers")
      #expect(scheduler.brokenInvariant() == nil, "after app \(second + 1)")
    }
  }
}
