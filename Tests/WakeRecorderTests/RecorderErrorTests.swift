import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeRecorder
@testable import WakeTrace

@Suite("Invalid calls of a recorder")
struct RecorderErrorTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("names, times and numbers that are none")
  func badEvents() throws {
    let recorder = try Recorder(Recorder.testOptions(folder))
    let (type, source) = (try recorder.type("type"), try recorder.source("source"))
    let app = try recorder.app("app")
    var producer = try recorder.producer()
    let (time, beyond) = (Timestamp(nanoseconds: 0), Timestamp(nanoseconds: .max))
    let noType = SampleType(index: 1)
    #expect(producer.save(noType, from: source, at: time) == .unknownName)
    #expect(producer.delete(type, from: Source(index: .max), at: time) == .unknownName)
    #expect(producer.save(type, from: source, at: beyond) == .invalidTime)
    let sample = Sample(type: type, source: source, value: .nan)
    #expect(producer.record(.save(sample), at: time) == .invalidNumber)
    #expect(producer.record(.lock, at: beyond) == .invalidTime)
    #expect(producer.record(.lock, at: time, device: Device(index: 9)) == .unknownName)
    #expect(producer.record(.launch(app: App(index: 7)), at: time) == .unknownName)
    #expect(
      producer.record(.refreshInterval(app: app, .seconds(-1)), at: time) == .invalidNumber)
    let long = Push(id: String(repeating: "x", count: 10_000))
    #expect(producer.record(.push(app: app, long), at: time) == .tooLarge)
    let error = #expect(throws: TraceError.self) {
      _ = try recorder.type(String(repeating: "n", count: 65_536))
    }
    #expect(error?.code == .tooLarge)
    _ = try recorder.type(String(repeating: "n", count: 65_535))
    #expect(producer.save(type, from: source, at: time) == .recorded)
    try recorder.close()
    #expect(try RecordedTrace(folder.file("a.wtrace")).events == 1)
  }

  @Test("more names than there is room for")
  func namesFull() throws {
    let recorder = try Recorder(Recorder.testOptions(folder))
    let source = try recorder.source("source")
    var producer = try recorder.producer()
    func long(_ number: Int) -> String { "\(number)" + String(repeating: "n", count: 65_000) }
    var count = 0
    var error: TraceError?
    while error == nil, count < 1_000 {
      do throws(TraceError) {
        _ = try recorder.type(long(count))
        count += 1
      } catch let thrown {
        error = thrown
      }
    }
    #expect(error?.code == .tooLarge, "after \(count) names")
    // A name that was refused is so again, and those that still fit are not mixed up with it.
    #expect(throws: TraceError.self) { _ = try recorder.type(long(count)) }
    let last = try recorder.type("short")
    #expect(last.index == UInt32(count))
    #expect(producer.save(last, from: source, at: Timestamp(nanoseconds: 5)) == .recorded)
    try recorder.close()
    let file = try TraceFile(path: folder.file("a.wtrace"))
    var scan = BlockScan(file)
    let block = try #require(try scan.next())
    let symbols = Symbols()
    let decoder = BlockDecoder(symbols: symbols)
    try decoder.decode(block, of: file, details: false)
    #expect(symbols.types.name(of: SampleType(index: decoder.columns.types[0])) == "short")
  }

  @Test("use after close")
  func closed() throws {
    let recorder = try Recorder(Recorder.testOptions(folder))
    let (type, source) = (try recorder.type("type"), try recorder.source("source"))
    var producer = try recorder.producer()
    producer.save(type, from: source)
    try recorder.close()
    try recorder.close()
    #expect(producer.save(type, from: source) == .closed)
    for call in [
      { _ = try recorder.type("other") }, { _ = try recorder.producer() },
      { try recorder.flush() },
    ] as [() throws -> Void] {
      let error = #expect(throws: TraceError.self) { try call() }
      #expect(error?.code == .closed)
    }
    #expect(TraceVerification(of: try TraceFile(path: folder.file("a.wtrace"))).events == 1)
  }

  @Test("options that do not go together, folders that are not there")
  func badOptions() throws {
    var options = Recorder.testOptions(folder, mode: .overwrite)
    func code(_ options: Recorder.Options) -> TraceError.Code? {
      let error = #expect(throws: TraceError.self) { _ = try Recorder(options) }
      return error?.code
    }
    #expect(code(options) == .invalidOption)
    options = Recorder.testOptions(folder)
    options.slotsPerRing = 3
    #expect(code(options) == .invalidOption)
    options = Recorder.testOptions(folder)
    options.ringFolder = folder.file("missing")
    #expect(code(options) == .inputOutput)
    #expect(code(Recorder.testOptions(folder, trace: "missing/a.wtrace")) == .inputOutput)
    try Data("text".utf8).write(to: URL(filePath: folder.file("text")))
    #expect(code(Recorder.testOptions(folder, trace: "text")) == .notATrace)
    #expect(try Data(contentsOf: URL(filePath: folder.file("text"))) == Data("text".utf8))
  }

  @Test("no ring, no trace: what was there stays, and nothing else is left")
  func noRing() throws {
    // A symbolic link to itself cannot be opened by anybody, the superuser included.
    let others = try ScratchFolder()
    let nowhere = others.file("loop")
    try FileManager.default.createSymbolicLink(atPath: nowhere, withDestinationPath: nowhere)
    var options = Recorder.testOptions(folder)
    options.ringFolder = nowhere
    let error = #expect(throws: TraceError.self) { _ = try Recorder(options) }
    #expect(error?.code == .inputOutput)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    try Data().write(to: URL(filePath: folder.file("a.wtrace")))
    #expect(throws: TraceError.self) { _ = try Recorder(options) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.wtrace"])
    let refused = #expect(throws: TraceError.self) {
      _ = try Recorder(Recorder.testOptions(folder, trace: nowhere + "/a.wtrace"))
    }
    #expect(refused?.code == .inputOutput)
  }

  @Test("a torn trace is not added to; the error says what helps", arguments: [1, 5, 30])
  func tornTrace(missing: Int) throws {
    let url = URL(filePath: folder.file("a.wtrace"))
    for _ in 0..<2 {
      let recorder = try Recorder(Recorder.testOptions(folder))
      var producer = try recorder.producer()
      producer.save(try recorder.type("type"), from: try recorder.source("source"))
      try recorder.close()
    }
    let torn = try Data(contentsOf: url).dropLast(missing)
    try torn.write(to: url)
    let error = #expect(throws: TraceError.self) {
      _ = try Recorder(Recorder.testOptions(folder))
    }
    #expect(error?.message.contains("`rouse recover`") == true, "\(String(describing: error))")
    #expect(try Data(contentsOf: url) == torn)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.wtrace"])
  }

  @Test("a disk that fills up in the middle of a block: the trace stays whole, nothing is lost")
  func diskFillsUp() throws {
    let path = folder.file("a.wtrace")
    let process = Process()
    process.executableURL = URL(filePath: KillTests.victim)
    process.arguments = ["full", path, folder.path]
    process.standardInput = FileHandle.nullDevice
    try process.start()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    let read = try #require(try RecordedTrace(path).producers["thread 0"])
    #expect(read.numbers == Array(0...200) && read.lost == 0)
    #expect(TraceVerification(of: try TraceFile(path: path)).isWhole)
  }

  @Test("two recorders, one file")
  func twoWriters() throws {
    let recorder = try Recorder(Recorder.testOptions(folder))
    let error = #expect(throws: TraceError.self) {
      _ = try Recorder(Recorder.testOptions(folder))
    }
    #expect(error?.code == .inUse)
    try recorder.close()
    try Recorder(Recorder.testOptions(folder)).close()
  }

  @Test("a full disk: recording goes on in memory, a call tells, recovery has everything")
  func fullDisk() throws {
    var options = Recorder.testOptions(folder, trace: "/dev/full")
    options.flushInterval = .milliseconds(1)
    let recorder = try Recorder(options)
    let (type, source) = (try recorder.type("type"), try recorder.source("thread 0"))
    var producer = try recorder.producer()
    producer.save(type, from: source, at: Timestamp(nanoseconds: 0))
    let error = #expect(throws: TraceError.self) { try recorder.flush() }
    #expect(error?.code == .inputOutput && error?.message.contains("No space left") == true)
    #expect(producer.save(type, from: source, at: Timestamp(nanoseconds: 1)) == .notWritten)
    var lost: UInt64 = 0
    for number in 2..<2_000 as Range<Int64> {
      let status = producer.save(type, from: source, at: Timestamp(nanoseconds: number))
      #expect(status == (number < 1_024 ? .recorded : .lost))
      if status == .lost { lost += 1 }
    }
    #expect(throws: TraceError.self) { try recorder.close() }
    #expect(recorder.statistics.lost == lost && lost == 976)

    let clean = folder.file("clean.wtrace")
    let output = try FileOutput(path: clean)
    let before = try Data(contentsOf: URL(filePath: recorder.ringPath))
    // As the process that recorded is this one and runs, a copy is what it would leave.
    let ring = folder.file("left.ring")
    try before.write(to: URL(filePath: ring))
    let report = try TraceRecovery(to: output).add(LeftRing(ring))
    try output.commit()
    #expect(try Data(contentsOf: URL(filePath: ring)) == before)
    #expect(report.events == 1_024 && report.lostInRecording == 976)
    let read = try #require(try RecordedTrace(clean).producers["thread 0"])
    #expect(read.numbers == Array(0..<1_024) && read.lost == 976)
    #expect(read.objection == nil)
    #expect(TraceVerification(of: try TraceFile(path: clean)).isWhole)
  }

  @Test("ring files that are none, of another version, half-written or damaged")
  func badRingFiles() throws {
    let path = folder.file("a.ring")
    func code(_ change: (inout Data) -> Void) throws -> TraceError.Code? {
      let recorder = try Recorder(Recorder.testOptions(folder, trace: nil))
      var producer = try recorder.producer()
      producer.save(try recorder.type("type"), from: try recorder.source("source"))
      var data = try Data(contentsOf: URL(filePath: recorder.ringPath))
      change(&data)
      try data.write(to: URL(filePath: path))
      let recovery = TraceRecovery(to: try FileOutput(path: folder.file("clean.wtrace")))
      do throws(TraceError) {
        let report = try recovery.add(LeftRing(path))
        #expect(report.events == 1)
        return nil
      } catch let error {
        return error.code
      }
    }
    #expect(try code { _ in } == nil)
    #expect(try code { $0[7] = 9 } == .unknownVersion)
    #expect(try code { $0.replaceSubrange(0..<8, with: Data(count: 8)) } == .truncated)
    #expect(try code { $0 = Data($0.prefix(5_000)) } == .truncated)
    #expect(try code { $0 = Data($0.dropLast(4_096)) } == .truncated)
    #expect(try code { $0[0] = 0 } == .notATrace)
    #expect(try code { $0[24] = 7 } == .malformed)
    #expect(try code { $0[4_096] = 99 } == .malformed)
  }

  @Test("random damage to a ring file never crashes a recovery")
  func fuzz() throws {
    let random = RandomInputs(seed: 3, count: 400)
    var options = Recorder.testOptions(folder, trace: nil)
    options.device = random.symbols.devices.name(of: Device(index: 0))
    let recorder = try Recorder(options)
    try recorder.intern(all: random.symbols)
    var producer = try recorder.producer()
    for event in random.events {
      producer.record(event.input, at: event.time, device: event.device)
    }
    let path = folder.file("a.ring")
    try FileManager.default.copyItem(atPath: recorder.ringPath, toPath: path)
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    var numbers = SplitMix64(seed: 5)
    let words = RingLayout.ringsOffset + 4_096
    for _ in 0..<40 {
      var changed: [(place: Int, was: Data)] = []
      for _ in 0..<20 {
        let place =
          switch numbers.next() % 3 {
          case 0: Int(numbers.next() % 600)
          case 1: RingLayout.ringsOffset + Int(numbers.next() % 640)
          default: words + Int(numbers.next() % 16_384)
          }
        try file.seek(toOffset: UInt64(place))
        changed.append((place, try #require(try file.read(upToCount: 1))))
        try file.seek(toOffset: UInt64(place))
        try file.write(contentsOf: [UInt8(truncatingIfNeeded: numbers.next())])
      }
      defer {
        for (place, was) in changed.reversed() {
          try? file.seek(toOffset: UInt64(place))
          try? file.write(contentsOf: was)
        }
      }
      let clean = folder.file("clean.wtrace")
      do throws(TraceError) {
        let output = try FileOutput(path: clean)
        let report = try TraceRecovery(to: output).add(LeftRing(path))
        try output.commit()
        guard report.events > 0 else { continue }
        let verification = TraceVerification(of: try TraceFile(path: clean))
        // Blocks before those of the ring may well be missing: a number of them was damaged.
        #expect(verification.faultyBlocks == 0 && verification.strayBytes == 0)
        #expect(verification.events == report.events)
      } catch {
        continue
      }
    }
  }
}
