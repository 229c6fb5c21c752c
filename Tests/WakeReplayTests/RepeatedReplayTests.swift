import Testing

@testable import WakeReplay

@Suite("The performance of a repeated replay")
struct RepeatedReplayTests {
  private func performance(elapsed: UInt64, decode: UInt64, schedule: UInt64)
    -> ReplayResult.Performance
  {
    .init(
      threads: 1, elapsedNanoseconds: elapsed, decodeNanoseconds: decode,
      scheduleNanoseconds: schedule, events: 1_000, eventsPerSecond: 1e12 / Double(elapsed),
      clockNanoseconds: 1, latencySampling: 0, peakMemoryBytes: nil)
  }

  @Test("has the median of each time, and the speed of each repetition in order")
  func medians() {
    let repetitions = [
      performance(elapsed: 900, decode: 10, schedule: 800),
      performance(elapsed: 500, decode: 400, schedule: 20),
      performance(elapsed: 600, decode: 300, schedule: 100),
    ]
    var result = repetitions[0]
    result.takeMedians(of: repetitions)
    #expect(result.elapsedNanoseconds == 600)
    #expect(result.decodeNanoseconds == 300)
    #expect(result.scheduleNanoseconds == 100)
    #expect(result.eventsPerSecond == repetitions[2].eventsPerSecond)
    #expect(result.repetitions == repetitions.map(\.eventsPerSecond))
  }

  @Test("has the mean of the two in the middle of an even number")
  func even() {
    let repetitions = [
      performance(elapsed: 900, decode: 10, schedule: 5),
      performance(elapsed: 500, decode: 20, schedule: 8),
    ]
    var result = repetitions[0]
    result.takeMedians(of: repetitions)
    #expect(result.elapsedNanoseconds == 700)
    #expect(result.decodeNanoseconds == 15)
    #expect(result.scheduleNanoseconds == 6)
  }
}
