import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@_spi(RouseC) @testable import WakeRecorder
@testable import WakeTrace

/// `ROUSE_HOSTILE_SECONDS=3600` scribbles for so long; one second is the usual.
@Suite("Another process writes to a ring file, or cuts it short, while it is read", .serialized)
struct HostileRingTests {
  private static let seconds =
    ProcessInfo.processInfo.environment["ROUSE_HOSTILE_SECONDS"].flatMap { Double($0) } ?? 1
  private let folder: ScratchFolder
  private var trace: String { folder.file("out.wtrace") }
  private var left: String { folder.file("left.ring") }

  init() throws { folder = try ScratchFolder() }

  /// The file of a component with random events in two rings.
  private func makeRing(mode: RecorderMode = .drop) throws -> Data {
    let recorder = try Recorder(Recorder.testOptions(folder, trace: nil, mode: mode))
    let random = RandomInputs(seed: 5, count: 300)
    try recorder.intern(all: random.symbols)
    var first = try recorder.producer()
    var second = try recorder.producer()
    for (place, event) in random.events.enumerated() {
      if place % 3 == 0 {
        first.record(event.input, at: event.time, device: event.device)
      } else {
        second.record(event.input, at: event.time, device: event.device)
      }
    }
    defer { try? FileManager.default.removeItem(atPath: recorder.ringPath) }
    return try Data(contentsOf: URL(filePath: recorder.ringPath))
  }

  /// A thread that writes random words to a file through a mapping of its own, and good ones in between.
  @safe
  private final class Scribbler: @unchecked Sendable {
    private let words: UnsafeMutablePointer<UInt64>
    private let good: [UInt64]
    private let isStopped = SharedFlag()
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ path: String, seed: UInt64) throws {
      let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
      defer { close(descriptor) }
      let data = try Data(contentsOf: URL(filePath: path))
      let mapped = unsafe mmap(
        nil, data.count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
      unsafe words = try #require(mapped).assumingMemoryBound(to: UInt64.self)
      good = unsafe Array(UnsafeBufferPointer(start: words, count: data.count / 8))
      Thread { self.scribble(SplitMix64(seed: seed)) }.start()
    }

    func stop() {
      isStopped.set()
      hasEnded.wait()
      unsafe _ = munmap(words, good.count * 8)
    }

    private func scribble(_ random: SplitMix64) {
      var random = random
      let ring = RingLayout.ringBytes(slots: 1 << 10) / 8
      let rings = RingLayout.ringsOffset / 8
      while !isStopped.isSet {
        let word: Int =
          switch random.next() % 8 {
          case 0: 4 + random.below(20)
          case 1: RingLayout.pageBytes / 8 + random.below(64)
          case 2: rings + random.below(2) * ring + 512 + random.below(2_048)
          default: rings + random.below(2) * ring + 1 + random.below(88)
          }
        let near = good[word] &+ UInt64(random.below(3_000)) &- 1_500
        let value: UInt64 =
          switch random.next() % 8 {
          case 0: random.next() >> (random.next() % 64)
          case 1: ~0 >> (random.next() % 6)
          case 2, 3, 4: near
          default: good[word]
          }
        unsafe (words + word).pointee = value
      }
      hasEnded.signal()
    }
  }

  private var residentBytes: Int {
    let statm = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (Int(statm.split(separator: " ")[1]) ?? 0) * 4_096
  }

  @Test("random words: nothing crashes, hangs or takes memory", arguments: RecorderMode.allCases)
  func scribbled(mode: RecorderMode) throws {
    let good = try makeRing(mode: mode)
    let end = ContinuousClock.now + .seconds(Self.seconds)
    let before = residentBytes
    var (round, events) = (UInt64(0), 0)
    // On a loaded machine the scribbler may be so far ahead that the first rounds read nothing.
    while .now < end || events == 0 && round < 1_000 {
      round += 1
      try good.write(to: URL(filePath: left))
      let scribbler = try Scribbler(left, seed: round)
      defer { scribbler.stop() }
      let started = ContinuousClock.now
      if round % 2 == 0 {
        let attachment = try RingAttachment(to: folder.path, output: trace) { _ in }
        for _ in 0..<30 where !attachment.isDone { try attachment.pass() }
        try attachment.finish()
        events += attachment.statistics.written
      } else if let ring = try? LeftRing(left) {
        let output = try FileOutput(path: folder.file("clean.wtrace"))
        events += (try? TraceRecovery(to: output).add(ring))?.events ?? 0
      }
      #expect(.now - started < .seconds(60), "round \(round) of \(mode) took too long")
      try? FileManager.default.removeItem(atPath: trace)
    }
    #expect(events > 0, "nothing was read in \(round) rounds")
    // What other tests have taken meanwhile, they give back.
    let patience = ContinuousClock.now + .seconds(60)
    var growth = residentBytes - before
    while growth >= 400 << 20, .now < patience {
      usleep(10_000)
      growth = residentBytes - before
    }
    #expect(growth < 400 << 20, "memory has grown by \(growth)")
  }

  @Test(
    "cut short under an attached process: one problem, and the rest goes on",
    arguments: [
      0, 100, RingLayout.pageBytes, RingLayout.ringsOffset, RingLayout.ringsOffset + 8_192,
    ])
  func cutUnderAttachment(length: Int) throws {
    let other = try Recorder(Recorder.testOptions(folder, trace: nil))
    let (type, source) = (try other.type("type"), try other.source("a"))
    var producer = try other.producer()
    try makeRing().write(to: URL(filePath: left))
    // The component lives as long as somebody has its lock.
    let component = try RingFile(opening: left, isPrivate: false)
    #expect(component.lockAsRecorder())
    var notes: [RingAttachment.Note] = []
    let attachment = try RingAttachment(to: folder.path, output: trace) { notes.append($0) }
    try attachment.pass()
    #expect(attachment.components == 2 && notes.isEmpty, "\(notes)")
    #expect(unsafe truncate(left, length) == 0)
    producer.save(type, from: source, at: Timestamp(nanoseconds: 0))
    try attachment.pass()
    try attachment.finish()
    #expect(notes.filter(\.isProblem).count == 1, "cut to \(length): \(notes.map(\.message))")
    // Where the header's page is left, its end reads as zeros.
    let what = length == 100 ? "ring file's names are damaged" : "was cut short by another process"
    #expect(
      notes.allSatisfy { $0.message.hasPrefix("\(left): \(what)") },
      "cut to \(length): \(notes.map(\.message))")
    #expect(try RecordedTrace(trace).producers["a"]?.numbers.contains(0) == true)
    #expect(TraceVerification(of: try TraceFile(path: trace)).isWhole)
  }

  @Test("more rings than the file has room for")
  func ringCount() throws {
    try makeRing().write(to: URL(filePath: left))
    let file = try RingFile(opening: left, isPrivate: false)
    #expect(file.lockAsRecorder())
    let attachment = try RingAttachment(to: folder.path, output: trace) { _ in }
    try attachment.pass()
    for count in [3, 4_096, UInt64.max] {
      file.words.release(count, at: RingLayout.File.ringCount)
      #expect(file.countRings().whole == 2, "\(count) rings")
      try attachment.pass()
    }
    try attachment.finish()
    #expect(attachment.statistics.written > 250)
  }

  @Test(
    "zeros in place of a ring, whose mark the producer has overwritten",
    arguments: RecorderMode.allCases)
  func zerosWithoutMark(mode: RecorderMode) throws {
    let trace = mode == .overwrite ? nil : "a.wtrace"
    let recorder = try Recorder(Recorder.testOptions(folder, trace: trace, mode: mode))
    let (type, source) = (try recorder.type("type"), try recorder.source("a"))
    var producer = try recorder.producer()
    producer.save(type, from: source)
    // As if the zeros had been mapped after it had looked at the head, and before it reserved slots.
    let ring = try #require(FileHandle(forUpdatingAtPath: recorder.ringPath))
    try ring.seek(toOffset: UInt64(RingLayout.ringsOffset))
    var page = [UInt64](repeating: 0, count: RingLayout.pageBytes / 8)
    (page[RingLayout.Ring.reserved], page[RingLayout.Ring.head]) = (1 << 20, 1 << 20)
    try ring.write(
      contentsOf: page.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
      })
    let end = ContinuousClock.now + .seconds(30)
    var answer = producer.save(type, from: source)
    while answer != .closed && .now < end { answer = producer.save(type, from: source) }
    #expect(answer == .closed, "\(answer.rawValue)")
    // A reservation that nobody ends does not hold up the end.
    try ring.seek(toOffset: UInt64(RingLayout.ringsOffset + 8 * RingLayout.Ring.reserved))
    try ring.write(contentsOf: [2, 0, 16, 0, 0, 0, 0, 0])
    let start = ContinuousClock.now
    try? recorder.close()
    #expect(.now - start < .seconds(9))
  }

  @Test(
    "cut short under its component, which goes on; calls and the end tell it",
    arguments: [0, RingLayout.ringsOffset, RingLayout.ringsOffset + 8_192], RecorderMode.allCases)
  func cutUnderComponent(length: Int, mode: RecorderMode) throws {
    let trace = mode == .overwrite ? nil : "a.wtrace"
    let recorder = try Recorder(Recorder.testOptions(folder, trace: trace, mode: mode))
    let (type, source) = (try recorder.type("type"), try recorder.source("a"))
    var producer = try recorder.producer()
    for number in 0..<2_000 as Range<Int64> {
      producer.save(type, from: source, at: Timestamp(nanoseconds: number))
    }
    if mode != .overwrite { try recorder.flush() }
    let taken = recorder.statistics.written
    #expect(unsafe truncate(recorder.ringPath, length) == 0)
    // A full ring drops saves until the drain thread, which may have to wait, has read them. It may also write some that
    // were saved to what is left of the ring before anybody met its end.
    let end = ContinuousClock.now + .seconds(30)
    var (answer, number, accepted) = (RecordStatus.recorded, Int64(2_000), 0)
    while answer != .closed && .now < end {
      answer = producer.save(type, from: source, at: Timestamp(nanoseconds: number))
      number += 1
      if answer.isRecorded { accepted += 1 }
    }
    #expect(answer == .closed, "cut to \(length): \(answer.rawValue)")
    if mode == .overwrite {
      #expect(throws: TraceError.self) { try recorder.snapshot(to: self.trace) }
    } else {
      let error = #expect(throws: TraceError.self) { try recorder.flush() }
      #expect(error?.code == .truncated, "\(String(describing: error))")
      #expect(throws: TraceError.self) { try recorder.close() }
      let written = try RecordedTrace(folder.file("a.wtrace"))
      #expect(
        Int(taken)...Int(taken) + accepted ~= written.events,
        "cut to \(length): \(written.events) events of \(taken) and \(accepted)")
      // Zeros would be events of time 0.
      let objection = written.producers["a"]?.objection(flushes: 1)
      #expect(objection == nil && written.producers.count == 1, "\(objection ?? "other sources")")
    }
  }
}
