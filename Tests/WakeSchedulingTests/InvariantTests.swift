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
    for device in Set(given.events.map(\.device)) {
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
