import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

/// Programs that are not Rouse read its traces: one in Python, written after the format's description
/// alone, and gzip.
@Suite("Other programs read a trace")
struct OtherReaderTests {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Resources/read_wtrace.py").path

  /// Runs a program; nil if there is none of that name.
  private static func run(
    _ arguments: [String], into output: String
  ) throws -> (status: Int32, output: String)? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    _ = FileManager.default.createFile(atPath: output, contents: nil)
    let file = try #require(FileHandle(forWritingAtPath: output))
    process.standardOutput = file
    process.standardError = file
    try process.run()
    process.waitUntilExit()
    try file.close()
    if process.terminationStatus == 127 {
      print("SKIPPED: there is no \(arguments[0]) to read traces with.")
      return nil
    }
    return (process.terminationStatus, try String(contentsOfFile: output, encoding: .utf8))
  }

  private func expectPythonToRead(
    _ events: [Event], _ symbols: Symbols, sorted: Bool = false, level: Int, _ what: String
  ) throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.wtrace")
    let trace = try TraceMaking.trace(of: events, symbols: symbols, sorted: sorted, level: level)
    try Data(trace.bytes).write(to: URL(filePath: path))
    guard
      let (status, output) = try Self.run(
        ["python3", Self.script, path], into: folder.file("output"))
    else { return }
    try #require(status == 0, "\(what): \(output.suffix(2_000))")
    let read = TraceContents(try EventReader.events(ofLines: output, symbols: symbols))
    let difference = read.difference(from: TraceContents(events), symbols)
    #expect(difference == nil, "\(what): \(difference ?? "")")
  }

  @Test("Python: random events of every kind, several devices", arguments: UInt64(100)..<108)
  func random(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 1_200)
    try expectPythonToRead(
      random.events, random.symbols, level: Int(seed % 10), "seed \(seed)")
  }

  @Test("Python: any time, value and distance")
  func extremes() throws {
    let (events, symbols) = ExtremeEvents.samples(count: 5_000)
    try expectPythonToRead(events, symbols, level: 1, "extreme samples")
  }

  @Test("gzip -t")
  func gzip() throws {
    let random = RandomInputs(seed: 7, count: 3_000)
    let folder = try ScratchFolder()
    let path = folder.file("a.wtrace.gz")
    let trace = try TraceMaking.trace(
      of: random.events, symbols: random.symbols, eventsPerBlock: 100)
    try Data(trace.bytes).write(to: URL(filePath: path))
    guard let (status, output) = try Self.run(["gzip", "-t", path], into: folder.file("output"))
    else { return }
    #expect(status == 0 && output.isEmpty, "\(output)")
  }

  @Test("what a recorder wrote: Python, gzip -t, and joined captures replay as their merge")
  func recorded() throws {
    let folder = try ScratchFolder()
    let random = RandomInputs(seed: 21, count: 1_000)
    // Every second event goes to the other capture; their times rise, so the merge is the whole.
    let events = random.events.enumerated().map { place, event in
      Event(
        time: Timestamp(nanoseconds: Int64(place)), device: Device(index: 0), input: event.input)
    }
    var joined = Data()
    for half in 0..<2 {
      var options = Recorder.testOptions(folder, trace: "\(half).wtrace", mode: .block)
      options.device = random.symbols.devices.name(of: Device(index: 0))
      options.eventsPerBlock = 150
      let recorder = try Recorder(options)
      try recorder.intern(all: random.symbols)
      var producer = try recorder.producer()
      for (place, event) in events.enumerated() where place % 2 == half {
        try #require(producer.record(event.input, at: event.time) == .recorded)
      }
      try recorder.close()
      joined += try Data(contentsOf: URL(filePath: folder.file("\(half).wtrace")))
    }
    let path = folder.file("joined.wtrace.gz")
    try joined.write(to: URL(filePath: path))
    if let (status, output) = try Self.run(["gzip", "-t", path], into: folder.file("output")) {
      #expect(status == 0 && output.isEmpty, "\(output)")
    }
    if let (status, output) = try Self.run(
      ["python3", Self.script, path], into: folder.file("output"))
    {
      try #require(status == 0, "\(output.suffix(2_000))")
      // It reads block by block and merges nothing.
      let read = try EventReader.events(ofLines: output, symbols: random.symbols)
        .sorted { $0.time < $1.time }
      try expectSame(read, events, random.symbols)
    }

    let index = try TraceIndex(files: [try TraceFile(path: path)])
    let blocks = BlockCache(index, symbols: random.symbols) { block, decoder throws(TraceError) in
      try decoder.decode(block.entry, of: index.files[block.file], details: true)
      return true
    }
    let cursor = try DeviceCursor(device: 0, from: blocks)
    var merged: [Event] = []
    while let batch = try cursor.next() {
      for row in batch.rows {
        merged.append(
          Event(
            time: Timestamp(nanoseconds: batch.columns.times[row]), device: batch.device,
            input: batch.columns[row]))
      }
    }
    try expectSame(merged, events, random.symbols)
  }

  private func expectSame(_ read: [Event], _ events: [Event], _ symbols: Symbols) throws {
    let difference = TraceContents(read).difference(from: TraceContents(events), symbols)
    #expect(difference == nil, "\(difference ?? "")")
  }
}
