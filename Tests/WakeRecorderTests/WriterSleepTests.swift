import Foundation
import Synchronization
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeRecorder

@Suite("A recorder that has nothing to do")
struct WriterSleepTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func recorder(mode: RecorderMode = .block) throws -> Recorder {
    var options = Recorder.testOptions(folder, mode: mode)
    options.flushInterval = .seconds(1_000)
    return try Recorder(options)
  }

  /// Waits until the recorder's thread has not looked at the rings for 0.3 s, for which it would have looked about 70 times
  /// if it did not sleep.
  private func waitUntilAsleep(_ recorder: Recorder) throws {
    let writer = try #require(recorder.writer)
    for _ in 0..<100 {
      let before = writer.passes.load(ordering: .relaxed)
      usleep(300_000)
      if writer.passes.load(ordering: .relaxed) == before { return }
    }
    Issue.record("the recorder's thread looks at empty rings all the time")
  }

  @Test("sleeps, and is awake when a ring fills", .timeLimit(.minutes(2)))
  func sleeps() throws {
    let recorder = try recorder()
    let (type, source) = (try recorder.type("type"), try recorder.source("thread 0"))
    var producer = try recorder.producer()
    for round in 0..<2 as Range<Int64> {
      try waitUntilAsleep(recorder)
      // Many times what the ring holds: this ends only if the thread takes events out of it.
      for number in 0..<20_000 as Range<Int64> {
        let time = Timestamp(nanoseconds: round * 20_000 + number)
        #expect(producer.save(type, from: source, at: time) == .recorded)
      }
    }
    try recorder.close()
    let read = try RecordedTrace(folder.file("a.wtrace"))
    #expect(read.producers["thread 0"]?.numbers == Array(0..<40_000))
  }

  @Test("is awake before a ring is full", .timeLimit(.minutes(2)))
  func wakesInTime() throws {
    let recorder = try recorder(mode: .drop)
    let (type, source) = (try recorder.type("type"), try recorder.source("thread 0"))
    var producer = try recorder.producer()
    // The first event of a producer always looks.
    #expect(producer.save(type, from: source, at: Timestamp(nanoseconds: 0)) == .recorded)
    try waitUntilAsleep(recorder)
    let writer = try #require(recorder.writer)
    let before = writer.passes.load(ordering: .relaxed)
    // A quarter of the ring, which no call finds full.
    for number in 0..<256 as Range<Int64> {
      let time = Timestamp(nanoseconds: number)
      #expect(producer.save(type, from: source, at: time) == .recorded)
    }
    // Woken, it looks; asleep, it would not for 1,000 seconds.
    while writer.passes.load(ordering: .relaxed) == before { usleep(1_000) }
    try recorder.close()
  }

  @Test("closes at once", .timeLimit(.minutes(2)))
  func closes() throws {
    for round in 0..<20 as Range<UInt32> {
      let recorder = try recorder()
      // So that some close while the thread falls asleep.
      usleep(round * 2_000)
      try recorder.close()
    }
  }
}
