import Testing
import WakeEvents

@testable import WakeScheduling

@Suite("Apps that only saves wake")
struct DirectWakesTests {
  @Test("are none while an app is stopped, and are again after the enable that ends that")
  func stopped() {
    let symbols = Symbols()
    let (app, type) = (symbols.apps.intern("app"), symbols.types.intern("type"))
    let sample = Sample(type: type, source: symbols.sources.intern("source"))
    var policy = Policy.iOS
    policy.maxStrikes = 1
    policy.behaviour.completesAfter = nil
    policy.subscriptions = [
      Policy.Subscription(app: "app", type: "type", frequency: .immediate)
    ]
    var scheduler = Scheduler(policy: policy, symbols: symbols, device: "")
    #expect(scheduler.core.apps[0].isWokenBySavesOnly, "at first")
    let inputs: [(second: Int64, input: Input, isSet: Bool)] = [
      (0, .save(sample), true),
      // The wake has expired: a strike.
      (100, .save(sample), false),
      (200, .disableAll(app: app), false),
      (300, .enable(app: app, type: type, frequency: .immediate), true),
      (400, .save(sample), true),
    ]
    for (second, input, isSet) in inputs {
      scheduler.take(input, at: Timestamp(nanoseconds: second * 1_000_000_000)) { _, _ in }
      #expect(
        scheduler.core.apps[0].isWokenBySavesOnly == isSet, "after \(input) at \(second) s")
    }
    #expect(scheduler.core.apps[0].wake.number == 2, "the second save wakes nobody, the third does")
  }
}
