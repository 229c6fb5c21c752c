import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@_spi(RouseC) @testable import WakeRecorder
@testable import WakeTrace

@Suite("A recorder leaves nothing behind, and counts all")
struct RecorderLeftoverTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private var files: [String] {
    (SystemCalls.files(in: folder.path) ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  @Test("one that cannot be opened as its device's name is too long")
  func failedOpening() throws {
    for trace in ["a.wtrace", nil] {
      var options = Recorder.testOptions(folder, trace: trace)
      options.device = String(repeating: "d", count: Recorder.nameLimit + 1)
      let error = #expect(throws: TraceError.self) { _ = try Recorder(options) }
      #expect(error?.code == .tooLarge && files == [], "\(files)")
    }
    // What was there stays.
    try Data().write(to: URL(filePath: folder.file("a.wtrace")))
    var options = Recorder.testOptions(folder)
    options.device = String(repeating: "d", count: Recorder.nameLimit + 1)
    #expect(throws: TraceError.self) { _ = try Recorder(options) }
    #expect(files == ["a.wtrace"])
  }

  @Test("a ring file of a recorder without a trace stays only if it holds an event")
  func ringWithoutTrace() throws {
    let idle = try Recorder(Recorder.testOptions(folder, trace: nil))
    _ = try idle.producer()
    try idle.close()
    #expect(files == [])
    let recorder = try Recorder(Recorder.testOptions(folder, trace: nil))
    var producer = try recorder.producer()
    #expect(producer.save(try recorder.type("type"), from: try recorder.source("a")).isRecorded)
    try recorder.close()
    #expect(files.count == 1, "\(files)")
  }

  @Test("an empty trace that was there before stays")
  func emptyTrace() throws {
    try Data().write(to: URL(filePath: folder.file("a.wtrace")))
    let recorder = try Recorder(Recorder.testOptions(folder, trace: "a.wtrace"))
    _ = try recorder.producer()
    try recorder.close()
    #expect(files == ["a.wtrace"])
  }

  @Test("a reservation of a call that was left is taken back by the next producer")
  func leftReservation() throws {
    let recorder = try Recorder(Recorder.testOptions(folder))
    let (type, source) = (try recorder.type("type"), try recorder.source("a"))
    do {
      var producer = try recorder.producer()
      #expect(producer.save(type, from: source).isRecorded)
      // As if a signal handler had left a call by longjmp.
      let words = try #require(recorder.core.rings.withLock { $0.all.first?.words })
      words.store(words.load(RingLayout.Ring.head) + 7, at: RingLayout.Ring.reserved)
      #expect(producer.save(type, from: source) == .busy)
    }
    do {
      var next = try recorder.producer()
      #expect(recorder.core.rings.withLock { $0.all.count } == 1)
      #expect(next.save(type, from: source).isRecorded)
    }
    try recorder.close()
  }

  @Test("a ring file in a folder that is named from where the process is")
  func relativeFolder() throws {
    let parts = FileManager.default.currentDirectoryPath.split(separator: "/")
    let up = String(repeating: "../", count: parts.count)
    var options = Recorder.testOptions(folder)
    options.ringFolder = up + folder.path.dropFirst()
    let recorder = try Recorder(options)
    #expect(recorder.ringPath.hasPrefix("/") && files.count == 2, "\(recorder.ringPath)")
    try recorder.close()
    #expect(files == [])
    options.ringFolder = ""
    let error = #expect(throws: TraceError.self) { _ = try Recorder(options) }
    #expect(error?.code == .invalidOption && files == [])
  }

  @Test("what was overwritten, as a snapshot tells it")
  func overwritten() throws {
    let recorder = try Recorder(Recorder.testOptions(folder, trace: nil, mode: .overwrite))
    let (type, source) = (try recorder.type("type"), try recorder.source("a"))
    var producer = try recorder.producer()
    var other = try recorder.producer()
    for count in [100, 1_000, 5_000] {
      for number in 0..<Int64(count) {
        producer.save(type, from: source, at: Timestamp(nanoseconds: number))
        if number % 2 == 0 { other.delete(type, from: source, at: Timestamp(nanoseconds: number)) }
      }
      let snapshot = try recorder.snapshot(to: folder.file("\(count).wtrace"))
      #expect(recorder.statistics.lost == snapshot.lost, "\(count)")
      #expect((snapshot.lost > 0) == (count > 100))
    }
  }

  @Test("a cell does not reach into the next one")
  func cells() {
    #expect(ProducerCell.Shared.bytes + MemoryLayout<ProducerCell>.size <= ProducerMemory.cellBytes)
    #expect(ProducerMemory.cellBytes % MemoryLayout<ProducerCell>.alignment == 0)
    #expect(ProducerCell.Shared.bytes % MemoryLayout<ProducerCell>.alignment == 0)
    #expect(
      ProducerMemory.cellCount * ProducerMemory.cellBytes <= 1 << 24, "a handle has 24 bits for it")
  }
}
