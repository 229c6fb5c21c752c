import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeScheduling

@Suite("Trees of predicates")
struct PredicateTreesTests {
  @Test(
    "find what one predicate after the other finds, as queries come and go",
    arguments: 0..<4 as Range<UInt64>)
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let symbols = Symbols()
    let sources = (0..<40).map { symbols.sources.intern("source \($0)") }
    let queries = (0..<600).map { symbols.queries.intern("query \($0)") }
    let type = symbols.types.intern("type")
    func time() -> Timestamp { Timestamp(nanoseconds: Int64(random.below(200)) - 100) }
    func value() -> Double { [0, -0.0, Double(random.below(60)) - 30, .infinity][random.below(4)] }
    func some<Value>(_ value: @autoclosure () -> Value) -> Value? {
      random.chance(60) ? value() : nil
    }
    var running = ObserverQueries()
    var kept: [Query: Predicate] = [:]
    var (samples, matches) = (0, 0)
    for step in 0..<1_600 {
      let query = random.pick(queries)
      switch random.below(8) {
      case 0...(step < 800 ? 3 : 1):
        let predicate = Predicate(
          source: some(random.pick(sources)), start: some(time()), end: some(time()),
          strictStart: some(random.chance(50)), strictEnd: some(random.chance(50)),
          min: some(value()),
          max: some(value()))
        // Few match everything, so that not all samples do.
        guard predicate.source != nil || random.chance(4) else { continue }
        _ = running.execute(query, type: type, predicate: predicate)
        kept[query] = predicate
      case 4:
        #expect(running.stop(query) == (kept[query] == nil ? nil : type))
        kept[query] = nil
      default:
        let sample = Sample(
          type: type, source: random.pick(sources), start: some(time()), end: some(time()),
          value: some(value()))
        let written = time()
        let expected = kept.values.contains { $0.matches(sample, writtenAt: written) }
        samples += 1
        if expected { matches += 1 }
        var filter = Coalescer.Filter()
        filter.queries = running.manyPredicates(on: type)
        running.copyPredicates(on: type, to: &filter.few)
        for inTrees in [true, false] {
          let found =
            running.filters(type) && filter.matches(sample, writtenAt: written, inTrees: inTrees)
          #expect(found == expected, "seed \(seed), step \(step), in trees: \(inTrees)")
        }
      }
    }
    #expect((50..<samples - 50).contains(matches), "\(matches) of \(samples) samples matched")
  }

  @Test(
    "find the apps of a type that a save matches, in their order", arguments: 0..<8 as Range<UInt64>
  )
  func manyApps(seed: UInt64) {
    let outcomes = [Accelerations.all, .all.subtracting([.predicateTrees]), []].flatMap {
      [outcome(seed: seed, $0, inRows: false), outcome(seed: seed, $0, inRows: true)]
    }
    #expect(outcomes[0].wakes > 200, "seed \(seed) wakes apps")
    #expect(outcomes[0].late > 0, "seed \(seed) has late inputs")
    #expect(Set(outcomes).count == 1, "seed \(seed)")
  }

  private struct Outcome: Hashable {
    var saves: Int
    var deletes: Int
    var late: Int
    var wakes: Int
    var live: Int
    var pending: Int
    var digest: Digest
  }

  private func outcome(
    seed: UInt64, _ accelerations: Accelerations, inRows: Bool
  ) -> Outcome {
    var random = SplitMix64(seed: seed)
    let symbols = Symbols()
    let apps = (0..<60).map { symbols.apps.intern("app \($0)") }
    let sources = (0..<12).map { symbols.sources.intern("source \($0)") }
    let queries = (0..<20).map { symbols.queries.intern("query \($0)") }
    let type = symbols.types.intern("type")
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 2_000_000_000
    var scheduler = Scheduler(
      policy: policy, symbols: symbols, device: "", accelerations: accelerations)
    // Sometimes an app without a predicate is among them.
    let leastFiltered = random.chance(50) ? 0 : 1
    var rows = InputColumns()
    for step in 0..<1_500 {
      // Every fifth second has two inputs, and from the second part of rows on some are late.
      let isLate = step > 1_024 && step % 97 == 0
      let second = step % 5 == 4 ? step - 1 : step
      let time = Timestamp(nanoseconds: Int64(isLate ? second - 9 : second) * 1_000_000_000)
      let app = random.below(apps.count)
      let predicate = Predicate(
        source: random.pick(sources), min: random.chance(30) ? Double(random.below(9)) : nil)
      let input: Input =
        switch step < 120 ? step % 2 : random.below(40) {
        case 0: .enable(app: apps[step < 120 ? step / 2 : app], type: type, frequency: .immediate)
        case 1 where step < 120 && step / 2 < leastFiltered: .background(app: apps[0])
        case 1:
          .execute(
            app: apps[step < 120 ? step / 2 : app], query: queries[random.below(20)], type: type,
            predicate: predicate)
        // One app has many queries.
        case 2, 3, 4:
          .execute(app: apps[7], query: queries[random.below(20)], type: type, predicate: predicate)
        case 5: .stop(app: apps[app], query: queries[random.below(20)])
        case 6: .disable(app: apps[app], type: type)
        case 7: .launch(app: apps[app])
        case 8: .background(app: apps[app])
        case 9: .delete(type: type, source: random.pick(sources))
        default:
          .save(
            Sample(
              type: type, source: random.pick(sources),
              value: random.chance(70) ? Double(random.below(9)) : nil))
        }
      if inRows {
        rows.append(input, at: time)
      } else {
        scheduler.take(input, at: time) { _, _ in }
      }
    }
    if inRows { scheduler.take(rows, rows: 0..<rows.count) { _, _ in } }
    let summary = scheduler.finish { _, _ in }
    return Outcome(
      saves: summary.saves, deletes: summary.deletes, late: summary.lateInputs,
      wakes: summary.wakes, live: summary.liveDeliveries, pending: summary.pendingAtEnd,
      digest: summary.digest)
  }
}
