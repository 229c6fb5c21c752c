import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

@Suite("How far wakes are from the best")
struct BoundsTests {
  @Test(
    "is told as the worked cases tell it",
    arguments: PackageFolder.cases, SchedulerRun.Feeding.allCases)
  func cases(folder: String, feeding: SchedulerRun.Feeding) throws {
    let given = try CaseFile.load(folder)
    for accelerations in [[], Accelerations.all] {
      let figures = BoundsRun.figures(
        events: given.events, policy: given.policy, symbols: given.symbols, feeding: feeding,
        accelerations: accelerations)
      let bounds = BoundsFigures.object(figures.map(\.figures), symbols: given.symbols)
      #expect(bounds == given.bounds, "\(given.name), \(feeding), \(accelerations.names)")
    }
  }

  @Test("is told by the reference as the worked cases tell it", arguments: PackageFolder.cases)
  func referenceCases(folder: String) throws {
    let given = try CaseFile.load(folder)
    let figures = ReferenceScheduler.bounds(
      events: given.events, policy: given.policy, symbols: given.symbols)
    let bounds = BoundsFigures.object(figures.map(\.figures), symbols: given.symbols)
    #expect(bounds == given.bounds, "\(given.name): \(bounds.text)")
  }

  @Test("is told as the reference tells it, in one pass and in several")
  func random() {
    for seed in RandomSeeds.orFirst(200) {
      var random = SplitMix64(seed: seed ^ 0xB0_0D5)
      let accelerations = Accelerations.drawn(by: &random)
      let feeding = random.pick(SchedulerRun.Feeding.allCases)
      let mostSizes = random.pick([1, 4, GainCounter.usualSizes])
      let reportsEnds = random.chance(50)
      let given = RandomInputs(seed: seed, count: 250)
      let symbols = given.symbols
      let failure = shrunkFailure(given.events, given.policy, symbols, seed: seed) {
        BoundsRun.difference(
          BoundsRun.figures(
            events: $0, policy: $1, symbols: symbols, feeding: feeding,
            accelerations: accelerations, mostSizes: mostSizes, reportsEnds: reportsEnds),
          from: ReferenceScheduler.bounds(events: $0, policy: $1, symbols: symbols))
      }
      if let failure {
        Issue.record(
          "\(feeding), \(mostSizes) sizes, accelerations \(accelerations.names): \(failure)")
        return
      }
    }
  }

  @Test("is never better than the bound")
  func neverBelow() {
    for seed in RandomSeeds.orFirst(200) {
      let given = RandomInputs(seed: seed, count: 400)
      let symbols = given.symbols
      let failure = shrunkFailure(given.events, given.policy, symbols, seed: seed) {
        brokenBound($0, $1, symbols)
      }
      if let failure {
        Issue.record("\(failure)")
        return
      }
    }
  }

  /// Which bound the scheduler's own wakes are below, in words, or nil.
  private func brokenBound(_ events: [Event], _ policy: Policy, _ symbols: Symbols) -> String? {
    for (device, events) in SchedulerRun.byDevice(events) {
      var scheduler = ReferenceScheduler(policy: policy, symbols: symbols, device: device)
      for event in events { scheduler.take(event.input, at: event.time) }
      // Nothing was owed for longer than this to each app: a deadline that the wakes have met.
      let met = scheduler.longestOwed()
      let found = BoundsRun.figures(
        events: events, policy: policy, symbols: symbols, feeding: .whole, accelerations: .all,
        deadlines: met.map(\.longest))
      guard found.map(\.figures.app) == met.map(\.app) else { return "other apps" }
      for (place, figures) in found.map(\.figures).enumerated() {
        if figures.behind < figures.leastBehind { return "behind for less: \(figures)" }
        if figures.fewestWakes > figures.wakes { return "fewer wakes: \(figures)" }
        if figures.within[place] > figures.wakes {
          return "fewer wakes within \(met[place].longest) ns: \(figures)"
        }
      }
    }
    return nil
  }

  @Test("changes no wake")
  func changesNothing() {
    for seed in 0..<20 as Range<UInt64> {
      let given = RandomInputs(seed: seed, count: 400)
      for (device, events) in SchedulerRun.byDevice(given.events) {
        var digests: [Digest] = []
        for observes in [false, true] {
          var hasher = WakeHasher()
          var scheduler = SchedulerCore(
            policy: given.policy, symbols: given.symbols,
            device: given.symbols.devices.name(of: device),
            accelerations: Accelerations.all.forBounds)
          if observes { scheduler.observeBounds(BoundsTracker(deadlines: [1])) }
          for event in events { scheduler.take(event.input, at: event.time, &hasher) { _, _ in } }
          scheduler.close(&hasher) { _, _ in }
          var digest = Digest()
          digest.value = hasher.takeDigest()
          digests.append(digest)
        }
        #expect(digests[0] == digests[1], "seed \(seed)")
      }
    }
  }
}
