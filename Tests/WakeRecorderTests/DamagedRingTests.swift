import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@_spi(RouseC) @testable import WakeRecorder
@testable import WakeTrace

@Suite("A damaged ring file costs what the damage hits")
struct DamagedRingTests {
  private let folder: ScratchFolder
  private var left: String { folder.file("left.ring") }

  init() throws { folder = try ScratchFolder() }

  private func put(_ word: UInt64, at index: Int, _ bytes: inout Data) {
    for byte in 0..<8 {
      bytes[8 * index + byte] = UInt8(truncatingIfNeeded: word >> UInt64(8 * byte))
    }
  }

  private func recover(_ bytes: Data) throws -> (TraceRecovery.Report, RecordedTrace) {
    try bytes.write(to: URL(filePath: left))
    let clean = folder.file("clean.wtrace")
    let output = try FileOutput(path: clean)
    let report = try TraceRecovery(to: output).add(LeftRing(left))
    try output.commit()
    #expect(try Data(contentsOf: URL(filePath: left)) == bytes, "the input was changed")
    guard report.events > 0 else { return (report, try RecordedTrace([])) }
    #expect(TraceVerification(of: try TraceFile(path: clean)).isWhole)
    return (report, try RecordedTrace(clean))
  }

  /// A ring file of three rings, of 100, 200 and 300 events.
  private func threeRings() throws -> Data {
    let recorder = try Recorder(Recorder.testOptions(folder, trace: nil))
    let type = try recorder.type("type")
    var handles: [UInt64] = []
    for ring in 0..<3 {
      let source = try recorder.source("\(ring)")
      handles.append(try recorder.core.openProducer(device: 0))
      for number in 0..<Int64(100 * (ring + 1)) {
        _ = recorder.core.cells.memory.save(
          handles[ring], at: number, type: type.index, source: source.index)
      }
    }
    return try Data(contentsOf: URL(filePath: recorder.ringPath))
  }

  @Test("one that was cut off: the rings that are whole are kept", arguments: 0...3)
  func cut(whole: Int) throws {
    let bytes = try threeRings()
    let ring = RingLayout.ringBytes(slots: 1 << 10)
    let end = RingLayout.ringsOffset + whole * ring + (whole < 3 ? ring - 1 : 0)
    guard whole > 0 else {
      let error = #expect(throws: TraceError.self) { _ = try recover(bytes.prefix(end)) }
      #expect(error?.message == "ring file ends before its 3 rings do")
      return
    }
    let (report, trace) = try recover(bytes.prefix(end))
    #expect(report.events == [100, 300, 600][whole - 1])
    for source in 0..<whole {
      #expect(trace.producers["\(source)"]?.numbers == Array(0..<Int64(100 * (source + 1))))
    }
    let told =
      whole < 3 ? ["ring file ends before its 3 rings do; \(whole) of them are whole"] : []
    #expect(report.problems.map(\.message) == told)
  }

  @Test(
    "one that is cut short while no trace is written of it: the component is told",
    arguments: [RingLayout.ringsOffset + RingLayout.pageBytes, 0])
  func cutWithoutTrace(length: Int) throws {
    let recorder = try Recorder(Recorder.testOptions(folder, trace: nil))
    let (type, source) = (try recorder.type("type"), try recorder.source("a"))
    var producer = try recorder.producer()
    producer.save(type, from: source, at: Timestamp(nanoseconds: 0))
    try recorder.flush()
    #expect(unsafe truncate(recorder.ringPath, length) == 0)
    for attempt in [recorder.flush, recorder.close] {
      let error = #expect(throws: TraceError.self) { try attempt() }
      #expect(
        error?.code == .truncated && error?.file == recorder.ringPath,
        "\(String(describing: error))")
    }
    #expect(FileManager.default.fileExists(atPath: recorder.ringPath))
  }

  @Test("one that is forged of holes: no events are made of them", arguments: [0, 1])
  func sparse(pagesOfSlots: Int) throws {
    let recorder = try Recorder(Recorder.testOptions(folder, trace: nil))
    let (type, source) = (try recorder.type("type"), try recorder.source("a"))
    try {
      var producer = try recorder.producer()
      for number in 0..<600 as Range<Int64> {
        producer.save(type, from: source, at: Timestamp(nanoseconds: number))
      }
    }()
    let bytes = try Data(contentsOf: URL(filePath: recorder.ringPath))
    let end = RingLayout.ringsOffset + RingLayout.pageBytes * (1 + pagesOfSlots)
    try bytes.prefix(end).write(to: URL(filePath: left))
    #expect(unsafe truncate(left, bytes.count) == 0)
    let report = try TraceRecovery(to: try FileOutput(path: "/dev/null")).add(LeftRing(left))
    #expect(report.events == 0)
    #expect(report.problems.first?.message.contains("the file has no such slots") == true)
    #expect(LeftRing.left(by: folder.file("none")) == [])
    // A copy with all its bytes is as good as the file.
    let (whole, trace) = try recover(bytes)
    #expect(whole.events == 600 && trace.producers["a"]?.numbers == Array(0..<600))
  }

  /// A ring file with an event for each of 20 types.
  private func twentyTypes() throws -> Data {
    let recorder = try Recorder(Recorder.testOptions(folder, trace: nil))
    let source = try recorder.source("a")
    let producer = try recorder.core.openProducer(device: 0)
    for number in 0..<20 as Range<Int64> {
      let type = try recorder.type("type \(number)")
      _ = recorder.core.cells.memory.save(
        producer, at: number, type: type.index, source: source.index)
    }
    return try Data(contentsOf: URL(filePath: recorder.ringPath))
  }

  @Test(
    "names that are damaged: events with those before are kept",
    arguments: [(0, 0x80), (1, 1), (1, 2), (1, 8), (4, 0x80), (5, 0x80), (6, 0xFF)]
      as [(Int, UInt8)])
  func names(place: Int, bits: UInt8) throws {
    var bytes = try twentyTypes()
    let name = try #require(bytes.firstRange(of: Data("type 10".utf8))?.lowerBound)
    // The entry's sort, length and text.
    bytes[name - 5 + place] ^= bits
    let (report, trace) = try recover(bytes)
    let numbers = trace.producers["a"]?.numbers ?? []
    // None is invented, none has another's name, and at most one more than the damaged one is lost.
    #expect(numbers == Array(0..<9) || numbers == Array(0..<10), "\(numbers)")
    #expect(report.problems.first?.message.contains("names are damaged behind the first") == true)
    #expect(report.strayBytes == Int64(RingLayout.slotBytes * (20 - numbers.count)))
  }

  @Test("names that are not as many as were counted: nothing is kept, as numbers may be others'")
  func nameCounts() throws {
    var bytes = try twentyTypes()
    put(22, at: RingLayout.File.nameCounts, &bytes)
    let error = #expect(throws: TraceError.self) { _ = try recover(bytes) }
    #expect(error?.message == "ring file's names are damaged")
  }

  @Test("a number of files beyond all: those that are there are found, and no time is lost")
  func fileNumber() throws {
    let traces = try ScratchFolder()
    var options = Recorder.testOptions(folder, trace: traces.path)
    options.bytesPerFile = 1
    let recorder = try Recorder(options)
    let (type, source) = (try recorder.type("type"), try recorder.source("a"))
    var producer = try recorder.producer()
    for number in 0..<4 as Range<Int64> {
      producer.save(type, from: source, at: Timestamp(nanoseconds: number))
      try recorder.flush()
    }
    var bytes = try Data(contentsOf: URL(filePath: recorder.ringPath))
    let name = try RingFile(opening: recorder.ringPath, isPrivate: true).name
    let ring = folder.file("copies/\(name).ring")
    try FileManager.default.createDirectory(
      atPath: folder.file("copies"), withIntermediateDirectories: false)
    try bytes.write(to: URL(filePath: ring))
    // The last one was begun as the one before was full.
    let files = (1...5).map { "\(traces.path)/\(name)-000\($0).wtrace" }
    #expect(try LeftRing(ring).traces == files)
    // Others that look alike are none of its own.
    for other in ["\(name)-00002.wtrace", "\(name)-0000.wtrace", "\(name)-x.wtrace"] {
      try Data().write(to: URL(filePath: traces.file(other)))
    }
    #expect(try LeftRing(ring).traces == files)

    put(0xFF_FFFF, at: RingLayout.File.fileNumber, &bytes)
    try bytes.write(to: URL(filePath: ring))
    let damaged = try LeftRing(ring)
    #expect(damaged.traces == files + ["\(traces.path)/\(name)-16777215.wtrace"])
    let missing = damaged.file.missingTracePaths(atMost: 3)
    #expect(missing == (6...8).map { "\(traces.path)/\(name)-000\($0).wtrace" })
    put(1 << 63, at: RingLayout.File.fileNumber, &bytes)
    try bytes.write(to: URL(filePath: ring))
    #expect(try LeftRing(ring).traces == [])
  }
}
