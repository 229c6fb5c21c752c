import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeScheduling

@Suite("The wakes of another scheduler")
struct OtherWakesTests {
  /// What began or ended, in its order.
  private enum Change {
    case began(App, [SampleType], Timestamp)
    case ended(App, WakeOutcome, Timestamp)
  }

  @Test("are as far from the best as the same wakes of the rules")
  func followed() {
    for seed in RandomSeeds.orFirst(60) {
      let given = RandomInputs(seed: seed, count: 250)
      for (device, events) in SchedulerRun.byDevice(given.events) {
        let found = follow(events, given.policy, given.symbols)
        let (own, other) = (found.own.map(Self.text), found.other.map(Self.text))
        #expect(own == other, "seed \(seed), device \(given.symbols.devices.name(of: device))")
      }
    }
  }

  private static func text(_ bounds: AppBounds) -> String {
    "app \(bounds.app.index): \(bounds.wakes) wakes, behind \(bounds.behind), least "
      + "\(bounds.leastBehind), fewest \(bounds.fewestWakes), within \(bounds.fewestWakesWithin)"
  }

  /// What the rules find of their own wakes, and a scheduler without wakes of those that it is told.
  private func follow(
    _ events: [Event], _ policy: Policy, _ symbols: Symbols
  ) -> (own: [AppBounds], other: [AppBounds]) {
    let accelerations = Accelerations.all.subtracting(.hidingArrivals)
    var hasher = WakeHasher()
    var rules = SchedulerCore(policy: policy, symbols: symbols, accelerations: accelerations)
    var other = SchedulerCore(
      policy: policy.withoutWakes, symbols: symbols, accelerations: accelerations)
    rules.observeBounds(BoundsTracker(deadlines: BoundsFigures.deadlines))
    other.observeBounds(BoundsTracker(deadlines: BoundsFigures.deadlines))
    var changes: [Change] = []
    func note(_ phase: WakePhase, _ wakes: borrowing WakeView) {
      wakes.forEachWake { wake in
        changes.append(
          phase == .began
            ? .began(wake.app, wake.types, wake.time)
            : .ended(wake.app, wake.outcome, wake.end ?? wake.time))
      }
    }
    func tellChanges() {
      for change in changes {
        switch change {
        case .began(let app, let types, let time):
          other.takeOtherWake(of: app, carrying: types, at: time.nanoseconds)
        case .ended(let app, let outcome, let time):
          other.takeOtherEnd(of: app, outcome, at: time.nanoseconds)
        }
      }
      changes = []
    }
    for event in events {
      rules.advance(to: max(event.time, Timestamp(nanoseconds: rules.present)), &hasher, note)
      tellChanges()
      rules.take(event.input, at: event.time, &hasher, note)
      other.take(event.input, at: event.time, &hasher) { _, _ in }
      tellChanges()
    }
    rules.close(&hasher) { _, _ in }
    other.close(&hasher) { _, _ in }
    return (rules.foundBounds ?? [], other.foundBounds ?? [])
  }
}
