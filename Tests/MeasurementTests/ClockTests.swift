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

  @Test("A reading costs something, in the median no less than at best")
  func cost() {
    let cost = MonotonicClock.cost()
    #expect(cost.minimum > 0)
    #expect(cost.median >= cost.minimum)
    let least = MonotonicClock.cost(batches: 0, readingsPerBatch: -1)
    #expect(least.median == least.minimum)
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

@Suite("Stopwatch")
struct StopwatchTests {
  @Test("Turns add up")
  func turns() {
    var watch = Stopwatch("decode")
    #expect(watch.name == "decode")
    watch.begin(at: 100)
    watch.end(at: 130)
    watch.begin(at: 200)
    watch.end(at: 205)
    #expect(watch.elapsed == 35)
    #expect(watch.turns == 2)
  }

  @Test("Ends without a beginning, second beginnings and times that go back are harmless")
  func misuse() {
    var watch = Stopwatch("schedule")
    watch.end(at: 5)
    #expect(watch.turns == 0)
    watch.begin(at: 10)
    watch.begin(at: 20)
    watch.end(at: 21)
    watch.end(at: 99)
    #expect(watch.elapsed == 1)
    #expect(watch.turns == 1)
    watch.begin(at: 50)
    watch.end(at: 40)
    #expect(watch.elapsed == 1)
    #expect(watch.turns == 2)
  }

  @Test("Stopwatches of several threads add up")
  func adding() {
    var (left, right) = (Stopwatch("report"), Stopwatch("report"))
    left.begin(at: 1)
    left.end(at: 4)
    right.begin(at: 10)
    right.end(at: 20)
    left.add(right)
    #expect(left.elapsed == 13)
    #expect(left.turns == 2)
  }

  @Test("A closure is a turn, also if it throws")
  func closure() {
    struct Expected: Error {}
    var watch = Stopwatch("report")
    #expect(watch.measure { 42 } == 42)
    #expect(throws: Expected.self) {
      try watch.measure { () throws(Expected) -> Void in throw Expected() }
    }
    #expect(watch.turns == 2)
  }
}
