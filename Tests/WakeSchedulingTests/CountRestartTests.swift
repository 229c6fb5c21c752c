import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeScheduling

/// ``TypeCount/mostRows``, which no test can reach by counting.
@Suite("Counts of saves that would become too large")
struct CountRestartTests {
  @Test("begin again without a difference", arguments: 0..<40 as Range<UInt64>)
  func randomInputs(seed: UInt64) {
    let given = RandomInputs(seed: seed, count: 1_000)
    for (device, events) in SchedulerRun.byDevice(given.events) {
      let expected = Self.run(events, given, restartsBefore: { false })
      var random = SplitMix64(seed: seed)
      let found = Self.run(events, given, restartsBefore: { random.chance(50) })
      #expect(expected.restarts == 0 && found.restarts > 0)
      let name = given.symbols.devices.name(of: device)
      #expect(found.digest == expected.digest, "seed \(seed), \(name)")
      #expect(found.summary == expected.summary, "seed \(seed), \(name)")
    }
  }

  /// - Parameter restartsBefore: Whether counts are about to be too large before the next batch.
  private static func run(
    _ events: [Event], _ given: RandomInputs, restartsBefore: () -> Bool
  ) -> (digest: UInt64, summary: Summary, restarts: Int) {
    var columns = InputColumns()
    for event in events { columns.append(event.input, at: event.time) }
    var hasher = WakeHasher()
    var scheduler = SchedulerCore(
      policy: given.policy, symbols: given.symbols, device: "", accelerations: .all)
    var restarts = 0
    // Batches of one input, too, which are taken as they are.
    for (number, rows) in SchedulerRun.batches(of: columns.count).enumerated() {
      if restartsBefore() {
        // At the beginning of the batch, or where a row of it is counted by itself.
        let room = number % 3 == 0 ? 0 : rows.count
        scheduler.coalescer.rowsCounted = TypeCount.mostRows - room
      }
      let before = scheduler.coalescer.rowsCounted
      if number % 7 == 0, rows.count == 1, let row = rows.first {
        scheduler.take(events[row].input, at: events[row].time, &hasher) { _, _ in }
      } else {
        let orderliness = Orderliness(typeEnd: given.symbols.types.count, hasDeletes: true)
        scheduler.take(
          columns, rows: rows, orderliness: areOrderedSamples(columns, rows) ? orderliness : nil,
          &hasher
        ) { _, _ in }
      }
      if scheduler.coalescer.rowsCounted < before { restarts += 1 }
    }
    let summary = scheduler.close(&hasher) { _, _ in }
    return (hasher.takeDigest(), summary, restarts)
  }

  private static func areOrderedSamples(_ columns: InputColumns, _ rows: Range<Int>) -> Bool {
    rows.allSatisfy {
      columns.kinds[$0] <= InputKind.delete.rawValue
        && ($0 == rows.lowerBound || columns.times[$0] >= columns.times[$0 - 1])
    }
  }
}
