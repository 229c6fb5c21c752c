import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeRecorder
@testable import WakeTrace

/// The recorder's thread is suspended while a ring fills up, so that the number of lost events is known.
@Suite("Where losses are recorded")
struct RecorderLossTests {
  private let folder: ScratchFolder
  private let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("a.wtrace")
  }

  private func recorder(flushInterval: Duration = .seconds(1_000)) throws -> Recorder {
    var options = Recorder.testOptions(folder)
    options.flushInterval = flushInterval
    return try Recorder(options)
  }

  /// Records numbers while nothing is taken out of the rings; returns how many were lost.
  private func fill(
    _ recorder: Recorder, _ producer: inout Producer, _ numbers: Range<Int64>
  ) throws -> Int {
    recorder.core.taking.lock()
    defer { recorder.core.taking.unlock() }
    return try record(recorder, &producer, numbers)
  }

  private func record(
    _ recorder: Recorder, _ producer: inout Producer, _ numbers: Range<Int64>, thread: Int = 0
  ) throws -> Int {
    let (type, source) = (try recorder.type("type"), try recorder.source("thread \(thread)"))
    var lost = 0
    for number in numbers {
      let status = producer.save(type, from: source, at: Timestamp(nanoseconds: number))
      if status == .lost { lost += 1 }
    }
    return lost
  }

  @Test("between the events where it was")
  func between() throws {
    let recorder = try recorder(flushInterval: .milliseconds(2))
    var producer = try recorder.producer()
    #expect(try fill(recorder, &producer, 0..<1_500) == 476)
    // One event waits for the next one, which can tell what was lost between them.
    for _ in 0..<1_000 where recorder.statistics.written < 1_023 { usleep(5_000) }
    #expect(recorder.statistics.written == 1_023)
    #expect(try fill(recorder, &producer, 1_500..<1_501) == 0)
    try recorder.close()
    let read = try #require(try RecordedTrace(path).producers["thread 0"])
    #expect(read.numbers == Array(0..<1_024) + [1_500])
    #expect(read.losses.map(\.before) == [1_500] && read.lost == 476)
    #expect(read.objection == nil)
  }

  @Test("by a flush, before the last event; a second one and the end add nothing")
  func flushed() throws {
    let recorder = try recorder()
    var producer = try recorder.producer()
    #expect(try fill(recorder, &producer, 0..<1_500) == 476)
    for _ in 0..<2 {
      try recorder.flush()
      let read = try #require(try RecordedTrace(path).producers["thread 0"])
      #expect(read.numbers == Array(0..<1_024) && read.lost == 476)
    }
    #expect(recorder.statistics.lost == 476)
    try recorder.close()
    #expect(try RecordedTrace(path).lost == 476)
    #expect(TraceVerification(of: try TraceFile(path: path)).isWhole)
  }

  @Test("by a flush, and again behind it")
  func twice() throws {
    let recorder = try recorder()
    var producer = try recorder.producer()
    #expect(try fill(recorder, &producer, 0..<1_500) == 476)
    try recorder.flush()
    // A number stands before the first event.
    #expect(try fill(recorder, &producer, 1_500..<3_000) == 477)
    try recorder.close()
    let read = try #require(try RecordedTrace(path).producers["thread 0"])
    #expect(read.numbers == Array(0..<1_024) + Array(1_500..<2_523))
    #expect(read.losses.map(\.before) == [1_023, 2_522])
    #expect(read.losses.map(\.count) == [476, 477])
  }

  @Test("at the end, by the ring's last event")
  func atTheEnd() throws {
    let recorder = try recorder()
    var producer = try recorder.producer()
    #expect(try fill(recorder, &producer, 0..<1_030) == 6)
    try recorder.close()
    let read = try #require(try RecordedTrace(path).producers["thread 0"])
    #expect(read.numbers == Array(0..<1_024) && read.losses.map(\.before) == [1_023])
    #expect(read.lost == 6)
  }

  @Test("an event that needs more room than there is, and smaller ones behind it")
  func large() throws {
    let recorder = try recorder()
    var producer = try recorder.producer()
    let app = try recorder.app("app")
    recorder.core.taking.lock()
    let before = try record(recorder, &producer, 0..<1_000)
    // 24 slots are left.
    let push = Push(id: String(repeating: "x", count: 400))
    let status = producer.record(.push(app: app, push), at: Timestamp(nanoseconds: 1_000))
    let behind = try record(recorder, &producer, 1_001..<1_031)
    recorder.core.taking.unlock()
    // The number before the first one behind takes a slot.
    #expect(before == 0 && status == .lost && behind == 7)
    try recorder.close()
    let read = try #require(try RecordedTrace(path).producers["thread 0"])
    #expect(read.numbers == Array(0..<1_000) + Array(1_001..<1_024))
    #expect(read.losses.map(\.count) == [1, 7])
  }

  @Test("threads that follow each other in a ring: the stream's loss is the sum of theirs")
  func ringOfTwo() throws {
    let recorder = try recorder()
    var lost = 0
    recorder.core.taking.lock()
    for thread in 0..<2 {
      var producer = try recorder.producer()
      lost += try record(recorder, &producer, 0..<1_100, thread: thread)
    }
    recorder.core.taking.unlock()
    try recorder.close()
    let verification = TraceVerification(of: try TraceFile(path: path))
    #expect(verification.isWhole && verification.streams == 1)
    #expect(verification.events == 1_024 && lost == 76 + 1_100)
    #expect(try RecordedTrace(path).lost == UInt64(lost))
  }
}
