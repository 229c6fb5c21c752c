import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeScheduling

@Suite("Apps that the device's state holds back")
struct HeldAppsTests {
  @Test(
    "are woken as if each input looked at every app, where there are many",
    arguments: 0..<12 as Range<UInt64>)
  func manyApps(seed: UInt64) {
    let outcomes = [Accelerations.all, .all.subtracting([.heldApps]), []].map {
      outcome(seed: seed, $0)
    }
    #expect(outcomes[0].wakes > 300, "seed \(seed) wakes apps")
    #expect(Set(outcomes).count == 1, "seed \(seed): \(outcomes)")
  }

  private struct Outcome: Hashable {
    var wakes: Int
    var digest: Digest
    var late: Int
    var due: [Timestamp?]
  }

  private func outcome(seed: UInt64, _ accelerations: Accelerations) -> Outcome {
    var random = SplitMix64(seed: seed)
    let symbols = Symbols()
    let apps = (0..<150).map { symbols.apps.intern("app \($0)") }
    let types = (0..<3).map { symbols.types.intern("type \($0)") }
    let source = symbols.sources.intern("source")
    var policy = Policy.iOS
    policy.behaviour.completesAfter = random.chance(50) ? 2_000_000_000 : nil
    policy.lockBlocksHealth = random.chance(80)
    // A cohort that inputs split.
    for app in apps[..<100] {
      policy.subscriptions.append(
        Policy.Subscription(
          app: symbols.apps.name(of: app), type: symbols.types.name(of: types[0]),
          frequency: .hourly))
    }
    var scheduler = Scheduler(
      policy: policy, symbols: symbols, device: "", accelerations: accelerations)
    var now: Int64 = 0
    var due: [Timestamp?] = []
    for _ in 0..<600 {
      now += Int64(random.below(400)) * 1_000_000_000
      let time = Timestamp(nanoseconds: now)
      let app = random.pick(apps)
      let status: RefreshStatus = random.chance(50) ? .available : .denied
      let input: Input =
        switch random.below(24) {
        case 0, 1: .lock
        case 2, 3: .unlock
        case 4, 5: .network(isGood: random.chance(50))
        case 6: .power(isGood: random.chance(60))
        case 7, 8: .refreshStatus(app: nil, status)
        case 9: .refreshStatus(app: app, status)
        case 10: .reboot
        case 11, 12: .refreshInterval(app: app, .minimum)
        case 13: .enable(app: app, type: random.pick(types), frequency: .immediate)
        case 14: .launch(app: app)
        case 15: .background(app: app)
        case 16: .forceQuit(app: app)
        case 17: .push(app: app, Push(id: "p"))
        default: .save(Sample(type: random.pick(types), source: source))
        }
      if random.chance(10) {
        // A daemon moves on without an input; the next one may then be late.
        scheduler.advance(to: Timestamp(nanoseconds: now + 1_000_000_000_000)) { _, _ in }
      }
      scheduler.take(input, at: time) { _, _ in }
      due.append(scheduler.nextDue)
    }
    let summary = scheduler.finish { _, _ in }
    return Outcome(wakes: summary.wakes, digest: summary.digest, late: summary.lateInputs, due: due)
  }
}
