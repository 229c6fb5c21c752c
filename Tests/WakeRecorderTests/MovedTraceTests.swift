import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeRecorder
@testable import WakeTrace

@Suite("A trace is moved, removed or replaced while it is recorded")
struct MovedTraceTests {
  private let folder: ScratchFolder
  private var path: String { folder.file("a.wtrace") }

  init() throws { folder = try ScratchFolder() }

  /// A recorder whose events are numbered, and written by flushes and the end alone.
  private final class Numbers {
    let recorder: Recorder
    private var producer: Producer
    private let type: SampleType
    private let source: Source
    private(set) var next: Int64 = 0

    init(_ options: Recorder.Options) throws {
      var options = options
      options.flushInterval = .seconds(1_000)
      recorder = try Recorder(options)
      (type, source) = (try recorder.type("type"), try recorder.source("a"))
      producer = try recorder.producer()
    }

    func record(_ count: Int64) {
      for number in next..<next + count {
        producer.save(type, from: source, at: Timestamp(nanoseconds: number))
      }
      next += count
    }
  }

  private func move(_ from: String, to name: String) throws {
    try FileManager.default.moveItem(atPath: from, toPath: folder.file(name))
  }

  /// Checks that a trace is whole and holds these numbers.
  private func expect(
    _ numbers: some Sequence<Int64>, in path: String, at place: SourceLocation = #_sourceLocation
  ) throws {
    let verification = TraceVerification(of: try TraceFile(path: path))
    #expect(verification.isWhole, "\(verification.problems)", sourceLocation: place)
    let read = try RecordedTrace(path).producers["a"]?.numbers
    #expect(read == Array(numbers), sourceLocation: place)
  }

  @Test("renamed: what follows is in a new file, and nothing is lost")
  func renamed() throws {
    let numbers = try Numbers(Recorder.testOptions(folder))
    numbers.record(100)
    try numbers.recorder.flush()
    try move(path, to: "old.wtrace")
    numbers.record(50)
    try numbers.recorder.flush()
    try expect(0..<100, in: folder.file("old.wtrace"))
    try expect(100..<150, in: path)
    // And once more, by the end.
    try move(path, to: "older.wtrace")
    numbers.record(7)
    try numbers.recorder.close()
    try expect(150..<157, in: path)
    #expect(!FileManager.default.fileExists(atPath: numbers.recorder.ringPath))
  }

  @Test("removed: what follows is in a new file, and what is gone is told once", arguments: 0...1)
  func removed(more: Int64) throws {
    let numbers = try Numbers(Recorder.testOptions(folder))
    numbers.record(100)
    try numbers.recorder.flush()
    try FileManager.default.removeItem(atPath: path)
    numbers.record(more)
    let error = #expect(throws: TraceError.self) { try numbers.recorder.flush() }
    #expect(error?.code == .inputOutput && error?.message.contains("was removed") == true)
    try numbers.recorder.flush()
    if more > 0 { try expect(100..<101, in: path) }
    try FileManager.default.removeItem(atPath: path)
    numbers.record(10)
    if more > 0 {
      #expect(throws: TraceError.self) { try numbers.recorder.close() }
    } else {
      // Nothing was in the file.
      try numbers.recorder.close()
    }
    try expect(100 + more..<110 + more, in: path)
    #expect(!FileManager.default.fileExists(atPath: numbers.recorder.ringPath))
  }

  @Test("emptied: what is gone is told once, and the rest is whole")
  func emptied() throws {
    let numbers = try Numbers(Recorder.testOptions(folder))
    numbers.record(100)
    try numbers.recorder.flush()
    try FileManager.default.copyItem(atPath: path, toPath: folder.file("old.wtrace"))
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.truncate(atOffset: 0)
    try file.close()
    numbers.record(10)
    let error = #expect(throws: TraceError.self) { try numbers.recorder.flush() }
    #expect(error?.message.contains("was cut short by") == true)
    numbers.record(10)
    try numbers.recorder.close()
    try expect(0..<100, in: folder.file("old.wtrace"))
    try expect(100..<120, in: path)
  }

  @Test("removed, and its folder too: it is told, and the ring keeps what was not written")
  func removedForGood() throws {
    let traces = try ScratchFolder()
    let numbers = try Numbers(Recorder.testOptions(folder, trace: traces.file("a.wtrace")))
    try FileManager.default.removeItem(atPath: traces.path)
    numbers.record(10)
    for _ in 0..<2 {
      let error = #expect(throws: TraceError.self) { try numbers.recorder.flush() }
      #expect(error?.message.contains("No such file") == true)
    }
    #expect(throws: TraceError.self) { try numbers.recorder.close() }
    #expect(FileManager.default.fileExists(atPath: numbers.recorder.ringPath))
  }

  @Test("renamed, where no new file can be made: the old one is gone on with")
  func renamedForGood() throws {
    let traces = folder.file("traces")
    try FileManager.default.createDirectory(atPath: traces, withIntermediateDirectories: false)
    let numbers = try Numbers(Recorder.testOptions(folder, trace: traces + "/a.wtrace"))
    numbers.record(10)
    try move(traces, to: "elsewhere")
    try numbers.recorder.close()
    try expect(0..<10, in: folder.file("elsewhere/a.wtrace"))
  }

  @Test("another recorder has taken the name: refused, and the ring keeps what was not written")
  func taken() throws {
    let first = try Numbers(Recorder.testOptions(folder))
    try FileManager.default.removeItem(atPath: path)
    let second = try Numbers(Recorder.testOptions(folder))
    first.record(10)
    second.record(20)
    let error = #expect(throws: TraceError.self) { try first.recorder.flush() }
    #expect(error?.code == .inUse)
    try second.recorder.close()
    // Now it can be gone on with, which the first tries by itself too, at any time after it failed.
    try first.recorder.close()
    try expect(Array(0..<20) + Array(0..<10), in: path)
  }

  @Test("a file of a folder is renamed: it is begun anew")
  func rotated() throws {
    let traces = try ScratchFolder()
    var options = Recorder.testOptions(folder, trace: traces.path)
    options.bytesPerFile = 250
    let numbers = try Numbers(options)
    func record() throws {
      numbers.record(10)
      try numbers.recorder.flush()
    }
    let first = try #require(numbers.recorder.tracePath)
    while numbers.recorder.tracePath == first { try record() }
    try record()
    let second = try #require(numbers.recorder.tracePath)
    try move(second, to: "moved.wtrace")
    try record()
    #expect(numbers.recorder.tracePath == second)
    try numbers.recorder.close()
    let files = (SystemCalls.files(in: traces.path) ?? []).filter { $0.hasSuffix(".wtrace") }
    let all = files.sorted().map(traces.file) + [folder.file("moved.wtrace")]
    for file in all { #expect(TraceVerification(of: try TraceFile(path: file)).isWhole, "\(file)") }
    let read = try RecordedTrace(all).producers["a"]?.numbers.sorted()
    #expect(read == Array(0..<numbers.next))
  }

  @Test("nothing else replaces it: a snapshot, an import, a recovery are refused, early and late")
  func notReplaced() throws {
    // Begun before there was a recorder.
    let early = try FileOutput(path: path)
    try early.write(Array("other".utf8))
    let numbers = try Numbers(Recorder.testOptions(folder))
    numbers.record(10)
    try numbers.recorder.flush()
    let snapshots = try Recorder(Recorder.testOptions(folder, trace: nil, mode: .overwrite))
    for attempt in [
      { try early.commit() }, { _ = try FileOutput(path: path) },
      { _ = try snapshots.snapshot(to: path) },
      { _ = try FileOutput(path: numbers.recorder.ringPath) },
    ] as [() throws -> Void] {
      let error = #expect(throws: TraceError.self) { try attempt() }
      #expect(error?.code == .inUse)
    }
    numbers.record(10)
    try numbers.recorder.close()
    try expect(0..<20, in: path)
    // Afterwards it is a file like any other.
    _ = try snapshots.snapshot(to: path)
    #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
  }

  @Test("of a capture: renamed and removed between two flushes")
  func capture() throws {
    let symbols = Symbols()
    let capture = try TraceCapture(to: path, symbols: symbols)
    let stream = capture.stream()
    let device = symbols.devices.intern("")
    let sample = Sample(type: symbols.types.intern("type"), source: symbols.sources.intern("a"))
    func record(_ numbers: Range<Int64>) throws {
      for number in numbers {
        let time = Timestamp(nanoseconds: number)
        try capture.append(Event(time: time, device: device, input: .save(sample)), to: stream)
      }
      try capture.flush()
    }
    try record(0..<10)
    try move(path, to: "old.wtrace")
    try record(10..<20)
    try expect(0..<10, in: folder.file("old.wtrace"))
    try expect(10..<20, in: path)
    try FileManager.default.removeItem(atPath: path)
    try record(20..<30)
    try expect(20..<30, in: path)
    let error = #expect(throws: TraceError.self) { try capture.finish() }
    #expect(error?.message.contains("was removed") == true)
    try expect(20..<30, in: path)
  }

  @Test("of rings that are attached, two of which share it")
  func attached() throws {
    let components = try (0..<2).map { _ in
      try Numbers(Recorder.testOptions(folder, trace: nil))
    }
    var notes: [RingAttachment.Note] = []
    var options = RingAttachment.Options()
    options.flushInterval = .nanoseconds(1)
    let attachment = try RingAttachment(to: folder.path, output: path, options: options) {
      notes.append($0)
    }
    func pass() throws {
      for component in components { component.record(10) }
      try attachment.pass()
    }
    try pass()
    try move(path, to: "old.wtrace")
    try pass()
    #expect(notes.isEmpty)
    try FileManager.default.removeItem(atPath: path)
    try pass()
    #expect(notes.count == 1 && notes.first?.isProblem == true, "\(notes)")
    try attachment.finish()
    for (file, first) in [(folder.file("old.wtrace"), 0), (path, 20)] as [(String, Int64)] {
      #expect(TraceVerification(of: try TraceFile(path: file)).isWhole, "\(file)")
      let read = try RecordedTrace(file).producers["a"]?.numbers
      #expect(read == Array(first..<first + 10) + Array(first..<first + 10), "\(file)")
    }
  }
}
