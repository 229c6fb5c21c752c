import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeRecorder
@testable import WakeTrace

@Suite("Recovery makes a clean trace of a damaged one")
struct TraceRecoveryTests {
  private let folder: ScratchFolder
  private let path: String
  private let blocks: [[UInt8]]
  private let symbols: Symbols

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("a.wtrace")
    let random = RandomInputs(seed: 11, count: 1_000)
    symbols = random.symbols
    let output = BlockCollector()
    let assembler = TraceAssembler(
      writer: try TraceWriter(output: output, symbols: symbols, level: 6, eventsPerBlock: 100),
      symbols: symbols, sorted: false, temporaryFolder: TemporaryFile.systemFolder,
      eventsInMemory: 1 << 19)
    for event in random.events { try assembler.append(event) }
    _ = try assembler.finish()
    blocks = output.blocks
  }

  /// Recovers bytes; what comes out must be whole but for blocks that are missing.
  private func recover(_ bytes: [UInt8]) throws -> (TraceRecovery.Report, clean: [UInt8]) {
    try Data(bytes).write(to: URL(filePath: path))
    let clean = folder.file("clean.wtrace")
    let output = try FileOutput(path: clean)
    let report = try TraceRecovery(to: output).add(trace: try TraceFile(path: path))
    try output.commit()
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(bytes), "the input was changed")
    let verification = TraceVerification(of: try TraceFile(path: clean))
    #expect(verification.faultyBlocks == 0 && verification.strayBytes == 0)
    #expect(verification.events == report.events)
    return (report, Array(try Data(contentsOf: URL(filePath: clean))))
  }

  @Test("counts of lost events that add up to more than a number holds stay at the greatest")
  func manyLost() throws {
    let output = BlockCollector()
    let writer = try TraceWriter(output: output, symbols: symbols, level: 6, eventsPerBlock: 10)
    let random = RandomInputs(seed: 11, count: 30)
    for event in random.events {
      writer.lostBefore = .max
      try writer.append(event)
    }
    try writer.finish()
    let bytes = output.blocks.flatMap(\.self)
    let (report, _) = try recover(bytes)
    #expect(report.blocks == output.blocks.count && report.blocks > 1)
    #expect(report.lostInRecording == .max)
    let file = try TraceFile(path: path)
    #expect(try TraceInfo(of: file, depth: .headers).lost == .max)
  }

  @Test("a whole trace stays as it is")
  func whole() throws {
    let bytes = blocks.flatMap(\.self)
    let (report, clean) = try recover(bytes)
    #expect(clean == bytes && report.problems.isEmpty && report.blocks == blocks.count)
    #expect(report.events == 1_000)
  }

  @Test("a torn tail costs its block, wherever it is torn")
  func torn() throws {
    let bytes = blocks.flatMap(\.self)
    let before = blocks.dropLast().flatMap(\.self)
    let length = bytes.count - before.count
    for missing in [1, 2, length / 3, length / 2, length - 20, length - 1] {
      let (report, clean) = try recover(Array(bytes.dropLast(missing)))
      #expect(clean == before, "\(missing) bytes are missing")
      #expect(report.blocks == blocks.count - 1 && !report.problems.isEmpty)
    }
  }

  @Test("a damaged block is left out, and said to be; a repeated one is kept once")
  func damagedAndRepeated() throws {
    var middle = blocks
    middle[4][middle[4].count / 2] ^= 1
    let (report, clean) = try recover((middle + [blocks[7]]).flatMap(\.self))
    #expect(clean == (blocks[..<4] + blocks[5...]).flatMap(\.self))
    #expect(report.repeatedBlocks == 1)
    #expect(report.damagedBlocks + (report.strayBytes > 0 ? 1 : 0) == 1)
    #expect(!report.problems.isEmpty)
  }

  @Test("garbage between blocks is left out and counted")
  func garbage() throws {
    let garbage = [UInt8](repeating: 0x1F, count: 777)
    let (report, clean) = try recover(blocks[0] + garbage + blocks[1])
    #expect(clean == blocks[0] + blocks[1] && report.strayBytes == 777)
  }

  @Test("ring files are told from traces")
  func kinds() throws {
    try Data(blocks[0]).write(to: URL(filePath: path))
    #expect(try !TraceRecovery.isRingFile(TraceFile(path: path)))
    let recorder = try Recorder(Recorder.testOptions(folder, trace: "b.wtrace"))
    #expect(try TraceRecovery.isRingFile(TraceFile(path: recorder.ringPath)))
    var producer = try recorder.producer()
    producer.save(try recorder.type("type"), from: try recorder.source("source"))
    try recorder.flush()
    #expect(try LeftRing(recorder.ringPath).traces == [folder.file("b.wtrace")])
  }

  @Test("nothing is recovered of a ring that is in use, and what helps is said")
  func inUse() throws {
    let recovery = TraceRecovery(to: try FileOutput(path: folder.file("clean.wtrace")))
    func message(_ ring: String) -> String {
      let error = #expect(throws: TraceError.self) { try recovery.add(LeftRing(ring)) }
      #expect(error?.code == .inUse && error?.file == ring)
      return error?.message ?? ""
    }
    for (trace, mode, remedy) in [
      ("b.wtrace", RecorderMode.drop, "it writes its own trace; stop it first"),
      (nil, .block, "`rouse record --attach` takes its events; or stop it first"),
      (nil, .overwrite, "let it take a snapshot, or stop it first"),
    ] {
      let recorder = try Recorder(Recorder.testOptions(folder, trace: trace, mode: mode))
      var producer = try recorder.producer()
      producer.save(try recorder.type("type"), from: try recorder.source("source"))
      #expect(
        message(recorder.ringPath)
          == "its process still runs, so nothing is recovered of it: \(remedy)")
      let left = folder.file("left.ring")
      try FileManager.default.copyItem(atPath: recorder.ringPath, toPath: left)
      let consumer = try RingFile(opening: left, isPrivate: false)
      withExtendedLifetime(consumer) {
        #expect(consumer.lockAsConsumer())
        #expect(message(left).hasPrefix("another process takes its events"))
      }
      try FileManager.default.removeItem(atPath: left)
    }
  }

  /// Recovers traces and rings; what comes out must be whole.
  private func recover(
    _ traces: [String], _ rings: [String], to name: String
  ) throws -> [TraceRecovery.Report] {
    let path = folder.file(name)
    let output = try FileOutput(path: path)
    let recovery = TraceRecovery(to: output)
    var reports = try traces.map { try recovery.add(trace: try TraceFile(path: folder.file($0))) }
    reports += try rings.map { try recovery.add(LeftRing(folder.file($0))) }
    try output.commit()
    #expect(TraceVerification(of: try TraceFile(path: path)).isWhole, "\(name)")
    return reports
  }

  @Test(
    "what was recovered of a ring before is not there twice",
    arguments: [RecorderMode.drop, .block, .overwrite])
  func twice(mode: RecorderMode) throws {
    let recorder = try Recorder(Recorder.testOptions(folder, trace: nil, mode: mode))
    let (type, source) = (try recorder.type("type"), try recorder.source("a"))
    var producer = try recorder.producer()
    func record(_ numbers: Range<Int64>, leaving copy: String) throws {
      for number in numbers {
        producer.save(type, from: source, at: Timestamp(nanoseconds: number))
      }
      try FileManager.default.copyItem(atPath: recorder.ringPath, toPath: folder.file(copy))
    }
    // Of two copies the second holds more; events of a ring that overwrites may be gone in it.
    try record(0..<(mode == .overwrite ? 1_500 : 600), leaving: "1.ring")
    try record(mode == .overwrite ? 1_500..<1_900 : 600..<1_000, leaving: "2.ring")
    let last: Int64 = mode == .overwrite ? 1_900 : 1_000

    let first = try recover([], ["1.ring"], to: "full.wtrace")
    #expect(first[0].events > 0 && first[0].repeatedEvents == 0)
    let second = try recover(["full.wtrace"], ["1.ring", "1.ring"], to: "x.wtrace")
    #expect(second[1].events == 0 && second[1].repeatedEvents == first[0].events)
    #expect(second[2].events == 0 && second[2].repeatedEvents == first[0].events)
    let bytes = try Data(contentsOf: URL(filePath: folder.file("full.wtrace")))
    #expect(try Data(contentsOf: URL(filePath: folder.file("x.wtrace"))) == bytes)
    // The rest is made of the other one, also if a trace was not there.
    let third = try recover(["full.wtrace"], ["2.ring", "1.ring"], to: "y.wtrace")
    let fourth = try recover([], ["1.ring", "2.ring"], to: "z.wtrace")
    #expect(third[1].events == 400 && fourth[1].events == 400 && third[2].events == 0)
    for name in ["y.wtrace", "z.wtrace"] {
      let numbers = try RecordedTrace(folder.file(name)).producers["a"]?.numbers ?? []
      #expect(numbers == Array((numbers.first ?? 0)..<last), "\(name)")
    }
  }

  @Test("behind a block that is missing, nothing is taken that may be there twice")
  func missingBlock() throws {
    let recorder = try Recorder(Recorder.testOptions(folder, trace: nil))
    let (type, source) = (try recorder.type("type"), try recorder.source("a"))
    var producer = try recorder.producer()
    var parts: [Data] = []
    for round in 0..<3 as Range<Int64> {
      for number in 0..<100 as Range<Int64> {
        producer.save(type, from: source, at: Timestamp(nanoseconds: 100 * round + number))
      }
      let ring = folder.file("\(round).ring")
      try FileManager.default.copyItem(atPath: recorder.ringPath, toPath: ring)
      let earlier = round == 0 ? [] : ["\(round - 1).wtrace"]
      _ = try recover(earlier, ["\(round).ring"], to: "\(round).wtrace")
      parts.append(try Data(contentsOf: URL(filePath: folder.file("\(round).wtrace"))))
    }
    let broken = parts[0] + parts[2].dropFirst(parts[1].count)
    try broken.write(to: URL(filePath: folder.file("broken.wtrace")))
    let clean = folder.file("clean.wtrace")
    let output = try FileOutput(path: clean)
    let recovery = TraceRecovery(to: output)
    _ = try recovery.add(trace: try TraceFile(path: folder.file("broken.wtrace")))
    let report = try recovery.add(LeftRing(folder.file("2.ring")))
    try output.commit()
    #expect(report.events == 0 && report.repeatedEvents == 100)
    #expect(report.problems.first?.message.contains("; 200 events are left out") == true)
    #expect(report.problems.map(\.code) == [.missingBlocks])
    #expect(try Data(contentsOf: URL(filePath: clean)) == broken)
  }

  @Test("nobody takes events out of a ring that is being recovered")
  func claim() throws {
    let recorder = try Recorder(Recorder.testOptions(folder, trace: nil))
    let path = folder.file("left.ring")
    try FileManager.default.copyItem(atPath: recorder.ringPath, toPath: path)
    let other = try RingFile(opening: path, isPrivate: false)
    let (left, another) = (try LeftRing(path), try LeftRing(path))
    try left.claim()
    try another.claim()
    withExtendedLifetime((left, another)) { #expect(!other.lockAsConsumer()) }
  }
}

/// Keeps the bytes of each block.
private final class BlockCollector: BlockOutput {
  let name = "memory"
  private(set) var blocks: [[UInt8]] = []

  func write(_ block: BlockEncoder.Block) { blocks.append(block.scheduling + block.details) }
}
