import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeRecorder
@testable import WakeTrace

@Suite("A recorder writes what was recorded")
struct RecorderTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("inputs of every kind, several devices", arguments: UInt64(1)...8)
  func everyKind(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 3_000)
    var options = Recorder.testOptions(folder, mode: .block)
    options.device = random.symbols.devices.name(of: Device(index: 0))
    options.eventsPerBlock = 700
    let recorder = try Recorder(options)
    try recorder.intern(all: random.symbols)
    var producer = try recorder.producer()
    for event in random.events {
      let status = producer.record(event.input, at: event.time, device: event.device)
      try #require(status == .recorded, "\(event)")
    }
    try recorder.close()
    let symbols = random.symbols
    let contents = try TraceContents(folder.file("a.wtrace"), symbols: symbols)
    let difference = contents.difference(from: TraceContents(random.events), symbols)
    #expect(difference == nil, "seed \(seed): \(difference ?? "")")
    let verification = TraceVerification(of: try TraceFile(path: folder.file("a.wtrace")))
    #expect(verification.isWhole, "\(verification.problems)")
    #expect(!FileManager.default.fileExists(atPath: recorder.ringPath))
  }

  /// Records numbered events on threads at once, and closes.
  private func flood(
    _ recorder: Recorder, threads: Int, events: Int64
  ) throws -> [(recorded: Int, lost: Int)] {
    let type = try recorder.type("type")
    let sources = try (0..<threads).map { try recorder.source("thread \($0)") }
    let tallies = Tallies(count: threads)
    // Each has its ring for itself: none begins before all have one, and none leaves before all end.
    let (begin, end) = (Meeting(of: threads), Meeting(of: threads + 1))
    for thread in 0..<threads {
      Thread {
        var producer = try? recorder.producer()
        begin.join()
        var (recorded, lost) = (0, 0)
        for number in 0..<events {
          let status = producer?.save(
            type, from: sources[thread], at: Timestamp(nanoseconds: number))
          if status?.isRecorded == true { recorded += 1 } else if status == .lost { lost += 1 }
        }
        tallies.set(thread, (recorded, lost))
        end.join()
      }.start()
    }
    end.join()
    try recorder.close()
    return tallies.all
  }

  @Test("drop: what is there and what is told as lost add up, gap by gap")
  func drop() throws {
    let recorder = try Recorder(Recorder.testOptions(folder))
    let tallies = try flood(recorder, threads: 2, events: 200_000)
    let trace = try RecordedTrace(folder.file("a.wtrace"))
    for (thread, tally) in tallies.enumerated() {
      #expect(tally.recorded + tally.lost == 200_000)
      let producer = try #require(trace.producers["thread \(thread)"])
      #expect(producer.numbers.count == tally.recorded)
      #expect(producer.lost == tally.lost)
      #expect(producer.objection == nil, "thread \(thread)")
    }
    #expect(recorder.statistics.lost == trace.lost)
    #expect(recorder.statistics.written == trace.events)
  }

  @Test("block: nothing is lost")
  func block() throws {
    let recorder = try Recorder(Recorder.testOptions(folder, mode: .block))
    let tallies = try flood(recorder, threads: 3, events: 20_000)
    let trace = try RecordedTrace(folder.file("a.wtrace"))
    #expect(tallies.allSatisfy { $0 == (20_000, 0) })
    for (name, producer) in trace.producers {
      #expect(producer.numbers == Array(0..<20_000), "\(name)")
    }
    #expect(trace.producers.count == 3 && trace.lost == 0)
  }

  @Test("overwrite: a snapshot has the newest, and tells how many are gone")
  func overwrite() throws {
    let recorder = try Recorder(Recorder.testOptions(folder, trace: nil, mode: .overwrite))
    let (type, source) = (try recorder.type("type"), try recorder.source("thread 0"))
    var producer = try recorder.producer()
    for number in 0..<5_000 as Range<Int64> {
      #expect(producer.save(type, from: source, at: Timestamp(nanoseconds: number)) == .recorded)
      guard number == 99 || number == 4_999 else { continue }
      let path = folder.file("\(number).wtrace")
      let statistics = try recorder.snapshot(to: path)
      let read = try #require(try RecordedTrace(path).producers["thread 0"])
      // The ring also tells a number in each quarter.
      let first = number < 1_024 ? 0 : number + 1 - 1_024 + 4
      #expect(read.numbers == Array(first...number))
      #expect(read.lost == UInt64(first))
      #expect(statistics.written == read.numbers.count && statistics.lost == read.lost)
    }
    let ring = recorder.ringPath
    try recorder.close()
    #expect(!FileManager.default.fileExists(atPath: ring))
  }

  @Test("snapshots while a producer overwrites hold no torn event")
  func busySnapshots() throws {
    let recorder = try Recorder(Recorder.testOptions(folder, trace: nil, mode: .overwrite))
    let (type, source) = (try recorder.type("type"), try recorder.source("thread 0"))
    let isDone = SharedFlag()
    let worker = Thread {
      guard var producer = try? recorder.producer() else { return }
      var number: Int64 = 0
      while !isDone.isSet {
        // Two slots, whose halves must belong together.
        let time = Timestamp(nanoseconds: number)
        producer.record(
          .save(Sample(type: type, source: source, start: time, end: time, value: Double(number))),
          at: time)
        number += 1
      }
    }
    worker.start()
    for round in 0..<30 {
      let path = folder.file("\(round).wtrace")
      let statistics = try recorder.snapshot(to: path)
      guard statistics.written > 0 else { continue }
      let symbols = Symbols()
      let events = try TraceContents(path, symbols: symbols).events.values.flatMap(\.self)
      for event in events {
        guard case .save(let sample) = event.input else { continue }
        #expect(sample.start == event.time && sample.end == event.time)
        #expect(sample.value == Double(event.time.nanoseconds))
      }
      let objection = try RecordedTrace(path).producers["thread 0"]?.objection
      #expect(objection == nil, "round \(round), \(statistics)")
    }
    isDone.set()
    try recorder.close()
  }

  @Test("threads that come and go share rings")
  func comeAndGo() throws {
    let recorder = try Recorder(Recorder.testOptions(folder, mode: .block))
    let (type, source) = (try recorder.type("type"), try recorder.source("thread 0"))
    for number in 0..<300 as Range<Int64> {
      var producer = try recorder.producer()
      producer.save(type, from: source, at: Timestamp(nanoseconds: number))
    }
    try recorder.close()
    let path = folder.file("a.wtrace")
    #expect(try RecordedTrace(path).producers["thread 0"]?.numbers == Array(0..<300))
    #expect(TraceVerification(of: try TraceFile(path: path)).streams == 1)
  }

  @Test("flushes by time and on demand; the file is whole each time")
  func flushes() throws {
    var options = Recorder.testOptions(folder)
    options.flushInterval = .milliseconds(20)
    let recorder = try Recorder(options)
    let (type, source) = (try recorder.type("type"), try recorder.source("thread 0"))
    var producer = try recorder.producer()
    producer.save(type, from: source, at: Timestamp(nanoseconds: 0))
    let path = folder.file("a.wtrace")
    for _ in 0..<500 where recorder.statistics.written == 0 { usleep(10_000) }
    #expect(try RecordedTrace(path).events == 1, "flushed by time")
    producer.save(type, from: source, at: Timestamp(nanoseconds: 1))
    try recorder.flush()
    #expect(try RecordedTrace(path).events == 2, "flushed on demand")
    // The clock steps back: the order written is kept.
    producer.save(type, from: source, at: Timestamp(nanoseconds: -5))
    try recorder.close()
    #expect(try RecordedTrace(path).producers["thread 0"]?.numbers == [0, 1, -5])
    #expect(TraceVerification(of: try TraceFile(path: path)).isWhole)
  }

  @Test("rotation: every file is whole by itself, and all of them together")
  func rotation() throws {
    var options = Recorder.testOptions(folder, trace: folder.path, mode: .block)
    options.bytesPerFile = 500
    options.eventsPerBlock = 200
    let recorder = try Recorder(options)
    _ = try flood(recorder, threads: 1, events: 5_000)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names.count > 2, "\(names)")
    var joined = Data()
    for name in names {
      let path = folder.file(name)
      let verification = TraceVerification(of: try TraceFile(path: path))
      #expect(verification.isWhole, "\(name): \(verification.problems)")
      joined += try Data(contentsOf: URL(filePath: path))
    }
    let read = try RecordedTrace(names.map(folder.file))
    #expect(read.producers["thread 0"]?.numbers == Array(0..<5_000))
    try joined.write(to: URL(filePath: folder.file("joined.wtrace")))
    #expect(TraceVerification(of: try TraceFile(path: folder.file("joined.wtrace"))).isWhole)
  }

  @Test("rotation by time; a file with nothing in it is gone on with")
  func rotationByTime() throws {
    var options = Recorder.testOptions(folder, trace: folder.path, mode: .block)
    options.timePerFile = .milliseconds(10)
    options.flushInterval = .seconds(1_000)
    let recorder = try Recorder(options)
    let (type, source) = (try recorder.type("type"), try recorder.source("thread 0"))
    var producer = try recorder.producer()
    usleep(20_000)
    for number in 0..<3 as Range<Int64> {
      producer.save(type, from: source, at: Timestamp(nanoseconds: number))
      try recorder.flush()
      usleep(20_000)
    }
    try recorder.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names.count >= 3, "\(names)")
    let read = try names.map(folder.file).filter {
      try Data(contentsOf: URL(filePath: $0)) != Data()
    }
    .map { try RecordedTrace($0).producers["thread 0"]?.numbers }
    #expect(read == [[0], [1], [2]])
  }

  @Test("many processes at once, one folder for their traces and rings")
  func manyProcesses() throws {
    let processes = try (0..<4).map { number in
      let process = Process()
      process.executableURL = URL(filePath: KillTests.victim)
      process.arguments = [
        folder.path, "block", folder.path, folder.file("progress-\(number)"), "2", "5000",
      ]
      process.standardOutput = FileHandle.nullDevice
      process.standardInput = FileHandle.nullDevice
      try process.start()
      return process
    }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasPrefix("rouse-\(process.processIdentifier)-") }
      #expect(names.count == 1 && names.allSatisfy { $0.hasSuffix(".wtrace") }, "\(names)")
      let read = try RecordedTrace(names.map(folder.file))
      for thread in 0..<2 {
        #expect(read.producers["thread \(thread)"]?.numbers == Array(0..<5_000))
      }
    }
  }

  @Test("a trace that is there is gone on with")
  func appends() throws {
    for _ in 0..<2 {
      let recorder = try Recorder(Recorder.testOptions(folder))
      _ = try flood(recorder, threads: 1, events: 10)
    }
    let verification = TraceVerification(of: try TraceFile(path: folder.file("a.wtrace")))
    #expect(verification.isWhole && verification.events == 20 && verification.streams == 2)
  }

  @Test("a trace can be gone on with at once, though a process that was started still has it open")
  func reopensAtOnce() throws {
    var copies: [Int32] = []
    defer { for copy in copies { close(copy) } }
    for _ in 0..<2 {
      let recorder = try Recorder(Recorder.testOptions(folder))
      copies.append(try copyOfDescriptor(of: folder.file("a.wtrace")))
      _ = try flood(recorder, threads: 1, events: 10)
    }
  }

  @Test("a ring file is left to others at once, though a child still has it open")
  func leavesRingAtOnce() throws {
    var copies: [Int32] = []
    defer { for copy in copies { close(copy) } }
    func record() throws -> String {
      let recorder = try Recorder(Recorder.testOptions(folder, trace: nil))
      copies.append(try copyOfDescriptor(of: recorder.ringPath))
      // Without an event the file would not stay.
      do {
        var producer = try recorder.producer()
        #expect(producer.save(try recorder.type("type"), from: try recorder.source("a")).isRecorded)
      }
      try recorder.close()
      return recorder.ringPath
    }
    let path = try record()
    for _ in 0..<2 {
      let file = try RingFile(opening: path, isPrivate: false)
      #expect(file.lockAsRecorder() && file.lockAsConsumer())
      copies.append(dup(file.descriptor))
    }
    try LeftRing(path).claim()
    #expect(!copies.contains(-1))
  }

  /// A descriptor that shares the description of an open file, as those of a child do.
  private func copyOfDescriptor(of path: String) throws -> Int32 {
    let file = try #require(SystemCalls.identity(of: path))
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let descriptor = descriptors.compactMap { Int32($0) }.first {
      SystemCalls.status(of: $0)?.identity == file
    }
    let copy = dup(try #require(descriptor))
    try #require(copy >= 0)
    return copy
  }
}
