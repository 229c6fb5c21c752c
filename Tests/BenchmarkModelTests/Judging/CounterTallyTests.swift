import BenchmarkModel
import Testing

@Suite("Counters of the processor")
struct CounterTallyTests {
  /// Adds a sample that begins when the counter has counted for a while.
  private func note(
    _ tally: inout CounterTally, count: UInt64, enabled: UInt64, running: UInt64, operations: Int
  ) {
    tally.note(
      .init(count: 90_000 + count, enabled: 7_000 + enabled, running: 3_000 + running),
      since: .init(count: 90_000, enabled: 7_000, running: 3_000), operations: operations)
  }

  @Test("a sample without the counter does not take the others' counts away")
  func multiplexed() {
    var tally = CounterTally()
    note(&tally, count: 1_000, enabled: 10, running: 10, operations: 10)
    note(&tally, count: 0, enabled: 10, running: 0, operations: 10)
    // It ran half of the time.
    note(&tally, count: 500, enabled: 10, running: 5, operations: 10)
    #expect(tally.take(.cycles) == BenchmarkCounter(.cycles, 100))
  }

  @Test("a benchmark of which nothing was counted says why, and the next one is not concerned")
  func next() {
    var tally = CounterTally()
    note(&tally, count: 0, enabled: 10, running: 0, operations: 10)
    let busy = tally.take(.cycles)
    #expect(busy.value == nil)
    #expect(busy.reason == "the processor was busy with other counters")
    tally.miss("it could not be read")
    #expect(tally.take(.cycles).reason == "it could not be read")
    note(&tally, count: 7, enabled: 1, running: 1, operations: 1)
    #expect(tally.take(.cycles) == BenchmarkCounter(.cycles, 7))
    #expect(tally.take(.cycles).value == nil, "never 0 for what was not counted")
  }
}
