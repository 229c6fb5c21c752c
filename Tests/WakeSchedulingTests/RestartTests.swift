import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeScheduling

@Suite("A scheduler that takes one device after the other")
struct RestartTests {
  @Test("decides for each as one of its own does")
  func restarted() {
    for seed in RandomSeeds.orFirst(40) {
      let given = RandomInputs(seed: seed, count: 400)
      let policy = Self.widened(given)
      var random = SplitMix64(seed: seed)
      let accelerations = seed % 2 == 0 ? Accelerations.all : Accelerations.drawn(by: &random)
      let start = SchedulerCore(
        policy: policy, symbols: given.symbols, accelerations: accelerations)
      var used = SchedulerCore(like: start, device: nil, hash: 0)
      for (device, events) in SchedulerRun.byDevice(given.events) {
        let name = given.symbols.devices.name(of: device)
        let hash = NameHash.device(name)
        used.restart(like: start, device: device, hash: hash)
        var own = SchedulerCore(
          policy: policy, symbols: given.symbols, device: name, accelerations: accelerations)
        let (one, other) = (Self.run(&used, events), Self.run(&own, events))
        #expect(one.wakes == other.wakes, "seed \(seed), device \(name)")
        #expect(one.summary == other.summary, "seed \(seed), device \(name)")
        #expect(one.broken == nil, "seed \(seed), device \(name)")
      }
    }
  }

  /// The policy with more types than two words of places have, some of them from 128 on, for an app and some equal to it; and
  /// with all apps that inputs name, as a device with others does not keep the memory of states.
  private static func widened(_ given: RandomInputs) -> Policy {
    var policy = given.policy
    var named = Set(policy.subscriptions.map(\.type))
    for event in given.events {
      if case .save(let sample) = event.input {
        named.insert(given.symbols.types.name(of: sample.type))
      }
    }
    // Before all others, so that those that are saved have the last places.
    let types = (0..<130).map { "!\($0)" } + named.sorted { $0.precedes($1) }
    for app in 0..<UInt32(given.symbols.apps.count) {
      let name = given.symbols.apps.name(of: App(index: app))
      policy.subscriptions.append(Policy.Subscription(app: name, type: "!0", frequency: .weekly))
    }
    for app in ["wide 1", "wide 2", "wide 3"] {
      policy.subscriptions += types.map {
        Policy.Subscription(app: app, type: $0, frequency: .hourly)
      }
    }
    return policy
  }

  private static func run(
    _ scheduler: inout SchedulerCore, _ events: [Event]
  ) -> (wakes: [String], summary: Summary, broken: String?) {
    var hasher = WakeHasher()
    var wakes: [String] = []
    var broken: String?
    func note(_ phase: WakePhase, _ told: borrowing WakeView) {
      told.forEachWake { wakes.append("\(phase) \($0)") }
    }
    for (place, event) in events.enumerated() {
      scheduler.take(event.input, at: event.time, &hasher, note)
      if place % 20 == 0, broken == nil { broken = scheduler.brokenInvariant() }
    }
    var summary = scheduler.close(&hasher, note)
    summary.digest.value = hasher.takeDigest()
    summary.stoppedApps.sort { $0.precedes($1) }
    return (wakes, summary, broken)
  }
}
