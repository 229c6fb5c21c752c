import BenchmarkModel
import Measurement
import Testing

@Suite("Clocks")
struct ClockTests {
  @Test("The monotonic clock does not go back")
  func monotonic() {
    var last = MonotonicClock.now()
    for _ in 0..<10_000 {
      let now = MonotonicClock.now()
      guard now >= last else {
        Issue.record("the clock went back from \(last) to \(now)")
        return
      }
      last = now
    }
  }

  @Test("A reading costs something")
  func cost() {
    #expect(MonotonicClock.cost() > 0)
    #expect(MonotonicClock.cost(batches: 0, readingsPerBatch: -1) >= 0)
  }

  @Test("Processor time grows with work, and the process has at least the thread's")
  func processorTime() {
    let (process, thread) = (CPUClock.process(), CPUClock.thread())
    var reading = thread
    // Ends as soon as the clock moves; the clock of a thread that runs does.
    while reading <= thread { reading = CPUClock.thread() }
    #expect(CPUClock.process() > process)
    #expect(CPUClock.process() >= reading)
  }
}
