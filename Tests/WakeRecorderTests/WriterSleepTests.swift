import Foundation
import Synchronization
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeRecorder

@Suite("A recorder that has little to do")
struct WriterSleepTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func recorder(
    _ trace: String = "a.wtrace", mode: RecorderMode = .drop
  ) throws -> Recorder {
    var options = Recorder.testOptions(folder, trace: trace, mode: mode)
    options.flushInterval = .seconds(1_000)
    return try Recorder(options)
  }

  private func passes(_ recorder: Recorder) throws -> Int {
    try #require(recorder.writer).passes.load(ordering: .relaxed)
  }

  /// Waits until the recorder's thread has not looked at the rings for 0.3 s, for which it would have looked about 70 times
  /// if it did not sleep.
  private func waitUntilAsleep(_ recorder: Recorder) throws {
    for _ in 0..<100 {
      let before = try passes(recorder)
      usleep(300_000)
      // The thread has begun, too.
      if before > 0, try passes(recorder) == before { return }
    }
    Issue.record("the recorder's thread looks at the rings all the time")
  }

  private func record(
    _ recorder: Recorder, _ producer: inout Producer, _ numbers: Range<Int64>
  ) throws {
    let (type, source) = (try recorder.type("type"), try recorder.source("thread 0"))
    for number in numbers {
      let status = producer.save(type, from: source, at: Timestamp(nanoseconds: number))
      #expect(status == .recorded, "event \(number)")
    }
  }

  @Test("sleeps, and is awake when a ring fills", .timeLimit(.minutes(2)))
  func sleeps() throws {
    let recorder = try recorder(mode: .block)
    var producer = try recorder.producer()
    for round in 0..<2 as Range<Int64> {
      try waitUntilAsleep(recorder)
      // Many times what the ring holds: this ends only if the thread takes events out of it.
      try record(recorder, &producer, round * 20_000..<(round + 1) * 20_000)
    }
    try recorder.close()
    let read = try RecordedTrace(folder.file("a.wtrace"))
    #expect(read.producers["thread 0"]?.numbers == Array(0..<40_000))
  }

  @Test("is awake before a ring is full", .timeLimit(.minutes(2)))
  func wakesInTime() throws {
    let recorder = try recorder()
    var producer = try recorder.producer()
    // The first event of a producer always looks.
    try record(recorder, &producer, 0..<1)
    try waitUntilAsleep(recorder)
    let before = try passes(recorder)
    // Less than what the ring holds. Asleep, the thread would not look for 1,000 seconds.
    try record(recorder, &producer, 1..<256)
    for _ in 0..<10_000 where try passes(recorder) == before { usleep(1_000) }
    #expect(try passes(recorder) > before, "asleep while a quarter of the ring is filled")
    try recorder.close()
  }

  // Of 1,024 slots: what waits without a block for it, and what is written before the sleep.
  @Test("sleeps whatever waits in a ring", .timeLimit(.minutes(2)), arguments: [60, 100, 160, 240])
  func sleepsBesideEvents(count: Int) throws {
    let recorder = try recorder()
    var producer = try recorder.producer()
    try record(recorder, &producer, 0..<Int64(count))
    // Less than an eighth of the ring waits while the thread sleeps.
    for _ in 0..<10_000 where recorder.statistics.written + 128 < UInt64(count) { usleep(1_000) }
    #expect(recorder.statistics.written + 128 >= UInt64(count))
    try waitUntilAsleep(recorder)
    try recorder.close()
    #expect(recorder.statistics.written == UInt64(count))
  }

  @Test("sleeps beside one that has much to do", .timeLimit(.minutes(2)))
  func sleepsBesideOthers() throws {
    let quiet = try recorder("quiet.wtrace")
    let busy = try recorder("busy.wtrace", mode: .block)
    var producer = try busy.producer()
    try waitUntilAsleep(quiet)
    let before = try passes(quiet)
    try record(busy, &producer, 0..<50_000)
    // The busy producer ends its own thread's sleep hundreds of times.
    #expect(try passes(quiet) - before < 10)
    try busy.close()
    try quiet.close()
  }

  @Test("closes at once, beside others too", .timeLimit(.minutes(2)))
  func closes() throws {
    let other = try recorder("other.wtrace", mode: .block)
    var producer = try other.producer()
    for round in 0..<20 as Range<UInt32> {
      let recorder = try recorder("\(round).wtrace")
      // So that some close while the thread falls asleep.
      usleep(round * 2_000)
      try record(other, &producer, Int64(round) * 200..<Int64(round + 1) * 200)
      try recorder.close()
    }
    try other.close()
  }
}
