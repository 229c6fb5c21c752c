import BenchmarkModel
import Testing

@Suite("Counters of the processor")
struct CounterTallyTests {
  @Test("a sample without the counter does not take the others' counts away")
  func multiplexed() {
    var tally = CounterTally()
    tally.note(count: 1_000, enabled: 10, running: 10, operations: 10)
    tally.note(count: 0, enabled: 10, running: 0, operations: 10)
    // It ran half of the time.
    tally.note(count: 500, enabled: 10, running: 5, operations: 10)
    #expect(tally.take(.cycles) == BenchmarkCounter(.cycles, 100))
  }

  @Test("a benchmark of which nothing was counted says why, and the next one is not concerned")
  func next() {
    var tally = CounterTally()
    tally.note(count: 0, enabled: 10, running: 0, operations: 10)
    let busy = tally.take(.cycles)
    #expect(busy.value == nil)
    #expect(busy.reason == "the processor was busy with other counters")
    tally.miss("it could not be read")
    #expect(tally.take(.cycles).reason == "it could not be read")
    tally.note(count: 7, enabled: 1, running: 1, operations: 1)
    #expect(tally.take(.cycles) == BenchmarkCounter(.cycles, 7))
    #expect(tally.take(.cycles).value == nil, "never 0 for what was not counted")
  }
}
