import Foundation
import Glibc
import Synchronization
import Testing
import WakeEvents
import WakeJSON
import WakeTestSupport
import WakeTrace

@testable import WakeReplay
@testable import WakeScheduling

@Suite("The writer of a wake log", .timeLimit(.minutes(5)))
struct WakeLogWriterTests {
  private let symbols = Symbols()

  /// What a test hands over at once: wakes of a device.
  private struct Part {
    let place: Int
    /// The number of wakes, and the first one's.
    let count: Int
    let first: Int
    let isLast: Bool
    var device: String { "device-\(place)" }
  }

  @Test("keeps the memory of a batch, with that for types, and no more than it is told to")
  func keptMemory() {
    var wakes = WakeHistory()
    wakes.reserve(DeviceWakeLog.most * 3 / 2, hasMemory: true)
    let reserved = wakes.allBytes
    #expect(reserved > 0)
    wakes.restart(keepingUpTo: WakeLogWriter.mostKept)
    #expect(wakes.allBytes == reserved)
    wakes.restart(keepingUpTo: 1)
    #expect(wakes.allBytes == 0)
  }

  @Test(
    "writes each device's lines in its place, in a thread of its own or not", arguments: [1, 2])
  func inPlace(threads: Int) throws {
    var random = SplitMix64(seed: 21)
    // Devices that take turns, some without a wake; more than a batch of some, and more batches than are queued.
    var unfinished = Array(0..<40)
    var parts: [Part] = []
    while !unfinished.isEmpty {
      let at = random.below(unfinished.count)
      let isLast = random.chance(5)
      let count = random.pick([0, 1, 7, 100, 2_000])
      parts.append(
        Part(place: unfinished[at], count: count, first: parts.count, isLast: isLast))
      if isLast { unfinished.remove(at: at) }
    }
    let log = try WakeLog()
    let writer = WakeLogWriter(log, symbols, times: .nanoseconds, threads: threads)
    for part in parts { try append(part, to: writer) }
    try writer.finish()
    // As a replay does in any case.
    writer.cancel()

    var expected: [UInt8] = []
    for place in 0..<40 {
      for part in parts where part.place == place { expected += lines(of: part) }
    }
    let written = try log.bytes(from: 0, count: .max)
    let difference = LineDifference.first(
      of: written, from: String(decoding: expected, as: UTF8.self))
    #expect(difference == nil, "\(threads) threads: \(difference ?? "")")
  }

  @Test(
    "tells what keeps the log from taking lines, and goes on telling it", arguments: [1, 2])
  func failure(threads: Int) throws {
    let log = try WakeLog(path: "/dev/full", isPrivate: false)
    let writer = WakeLogWriter(log, symbols, times: .nanoseconds, threads: threads)
    let part = Part(place: 0, count: 3_000, first: 0, isLast: false)
    // More than the queue takes: it is told while the replay goes on, and nothing waits for room for ever.
    let error = #expect(throws: TraceError.self) {
      for _ in 0..<1_000 { try append(part, to: writer) }
    }
    #expect(throws: TraceError.self, "after \(String(describing: error))") {
      try append(part, to: writer)
    }
    if threads == 1 {
      #expect(throws: TraceError.self) { try writer.finish() }
    }
    writer.cancel()
  }

  @Test("tells at the end what kept it from writing the last lines")
  func lateFailure() throws {
    let log = try WakeLog(path: "/dev/full", isPrivate: false)
    let writer = WakeLogWriter(log, symbols, times: .nanoseconds, threads: 1)
    // Fewer than a batch: nothing is written before the end.
    try append(Part(place: 0, count: 3, first: 0, isLast: true), to: writer)
    #expect(throws: TraceError.self) { try writer.finish() }
  }

  @Test(
    "can be given up at any time, and writes no part of a line", arguments: [0, 1, 3_000, 60_000])
  func cancelled(after count: Int) throws {
    let log = try WakeLog()
    let writer = WakeLogWriter(log, symbols, times: .nanoseconds, threads: 1)
    var expected: [UInt8] = []
    for start in stride(from: 0, to: count, by: 1_500) {
      let part = Part(
        place: 0, count: min(1_500, count - start), first: start, isLast: false)
      try append(part, to: writer)
      expected += lines(of: part)
    }
    writer.cancel()
    writer.cancel()
    let written = try log.bytes(from: 0, count: .max)
    let first = LineDifference.first(
      of: written, from: String(decoding: expected.prefix(written.count), as: UTF8.self))
    #expect(first == nil, "these are not the first lines: \(first ?? "")")
    #expect((written.last ?? 10) == 10, "\(written.count) bytes end within a line")
    // No batch was filled.
    if count <= 1 { #expect(written.isEmpty, "lines are written that were given up") }
  }

  @Test("writes the lines of a paced replay as soon as their wakes have ended", arguments: 1...3)
  func paced(count: Int) throws {
    let log = try WakeLog()
    let writer = WakeLogWriter(log, symbols, times: .nanoseconds, threads: 1, isPaced: true)
    defer { writer.cancel() }
    let device = DeviceWakeLog(writer)
    device.start(device: "device-0", place: 0)
    var expected: [UInt8] = []
    for number in 0..<count {
      let part = Part(place: 0, count: 1, first: number, isLast: false)
      device.append(wake(number))
      expected += lines(of: part)
      try device.handOver(endedBefore: .max)
      // Nothing else comes: the line must, within any time that a busy machine takes.
      var written: [UInt8] = []
      for _ in 0..<60_000 where written.count < expected.count {
        usleep(1_000)
        written = try log.bytes(from: 0, count: .max)
      }
      #expect(written == expected, "of wake \(number) no line is written, or another one")
    }
  }

  @Test("lets the replay wait where nobody takes the lines, and then writes them all")
  func waits() throws {
    let (log, lines) = try makePipedLog()
    let writer = WakeLogWriter(log, symbols, times: .nanoseconds, threads: 1)
    // More than a pipe and the queue take together.
    let parts = (0..<200).map { Part(place: 0, count: 1_000, first: $0 * 1_000, isLast: $0 == 199) }
    let expected = parts.reduce(into: []) { $0 += self.lines(of: $1) }
    let handedOver = Atomic(0)
    let done = DispatchSemaphore(value: 0)
    Thread {
      do {
        for part in parts {
          try append(part, to: writer)
          handedOver.add(1, ordering: .relaxed)
        }
        try writer.finish()
        try log.commit()
      } catch {
        Issue.record("\(error)")
      }
      done.signal()
    }.start()
    let seen = countWhenWaiting(handedOver)
    #expect(seen < parts.count, "all \(seen) parts are taken, though no line is read")
    let written = lines.readDataToEndOfFile()
    done.wait()
    #expect(Array(written) == expected, "\(written.count) bytes of \(expected.count), or others")
  }

  @Test(
    "lets the replay wait for the memory of ends, types and ids, too", arguments: [0, 1, 2])
  func waitsForMemory(of kind: Int) throws {
    let (log, lines) = try makePipedLog()
    let writer = WakeLogWriter(log, symbols, times: .nanoseconds, threads: 1)
    for number in 0..<4_000 {
      _ = (symbols.apps.intern("app-\(number)"), symbols.types.intern("type-\(number)"))
    }
    // 16 kB each, and so 16 MB.
    let parts = 1_000
    let handedOver = Atomic(0)
    let done = DispatchSemaphore(value: 0)
    Thread {
      for place in 0..<parts {
        var wakes = largeEntry(of: kind)
        let taken = Result { () throws(TraceError) in
          try writer.take(
            first: 1, of: &wakes, device: "device", place: place, isLast: true)
        }
        // The pipe is closed.
        if case .failure = taken { break }
        handedOver.add(1, ordering: .relaxed)
      }
      writer.cancel()
      done.signal()
    }.start()
    let seen = countWhenWaiting(handedOver)
    #expect(seen < parts, "all \(seen) parts are taken, though no line is read")
    try lines.close()
    done.wait()
  }

  /// A log that goes to a pipe, and the other end of that.
  private func makePipedLog() throws -> (WakeLog, FileHandle) {
    let pipe = Pipe()
    let end = pipe.fileHandleForWriting
    let log = try WakeLog(path: "/dev/fd/\(end.fileDescriptor)", isPrivate: false)
    try end.close()
    return (log, pipe.fileHandleForReading)
  }

  /// How many parts a thread has handed over when it has handed none over for long: it is done or waits.
  private func countWhenWaiting(_ handedOver: borrowing Atomic<Int>) -> Int {
    var seen = -1
    while handedOver.load(ordering: .relaxed) != seen {
      seen = handedOver.load(ordering: .relaxed)
      usleep(500_000)
    }
    return seen
  }

  /// An entry that takes 16 kB: a thousand wakes of which one has ended apart, one with many types, or one with a long id.
  private func largeEntry(of kind: Int) -> WakeHistory {
    var wakes = WakeHistory()
    let entry = WakeHistory.Entry(
      time: 1, saves: 1, oldest: 1, end: 2, number: 1, app: App(index: 0),
      count: kind == 0 ? 1_000 : 1, hasRefresh: false, outcome: .completed)
    var types = (0..<(kind == 1 ? 4_000 : 1)).map { SampleType(index: UInt32($0)) }
      .makeIterator()
    let push = kind == 2 ? String(repeating: "p", count: 16_000) : nil
    wakes.begin(entry, push: push) { types.next() }
    if kind == 0 { wakes.end(1, count: 1, .completed, at: 1) }
    return wakes
  }

  private func append(_ part: Part, to writer: WakeLogWriter) throws(TraceError) {
    var wakes = wakes(of: part)
    try writer.take(
      first: wakes.places.count, of: &wakes, device: part.device, place: part.place,
      isLast: part.isLast)
    let left = wakes.count
    #expect(left == 0, "\(left) wakes are left")
  }

  private func lines(of part: Part) -> [UInt8] {
    var line = WakeLine(symbols: symbols, times: .nanoseconds)
    var bytes: [UInt8] = []
    guard part.count > 0 else { return bytes }
    line.start(device: part.device)
    let wakes = wakes(of: part)
    var places = wakes.places
    line.append(&places, of: wakes, to: &bytes, enough: .max)
    return bytes
  }

  /// Wakes that differ, some of which have pushes or several types.
  private func wakes(of part: Part) -> WakeHistory {
    var wakes = WakeHistory()
    for number in part.first..<part.first + part.count { wakes.append(wake(number)) }
    return wakes
  }

  private func wake(_ number: Int) -> Wake {
    let types = (0..<3).map { symbols.types.intern("type-\($0)") }
    let time = Timestamp(nanoseconds: Int64(number))
    return Wake(
      number: number + 1, time: time, app: symbols.apps.intern("app-\(number % 5)"),
      types: Array(types.prefix(number % 4)), saves: number, oldest: time,
      push: number % 7 == 0 ? "push-\(number)" : nil, refresh: number % 2 == 0,
      outcome: .completed, end: time)
  }
}
