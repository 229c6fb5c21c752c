import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@_spi(RouseC) @testable import WakeRecorder
@testable import WakeTrace

@Suite("Attached processes take every event once")
struct RingAttachmentTests {
  private let folder: ScratchFolder
  private var trace: String { folder.file("out.wtrace") }

  init() throws {
    folder = try ScratchFolder()
  }

  /// A component without a writer of its own, of which each thread records numbered events.
  private final class Component {
    let recorder: Recorder
    private let type: SampleType
    private var producers: [String: (handle: UInt64, source: Source, next: Int64)] = [:]

    init(_ options: Recorder.Options) throws {
      recorder = try Recorder(options)
      type = try recorder.type("type")
    }

    func record(_ count: Int, from source: String) throws {
      var producer =
        try producers[source]
        ?? (recorder.core.openProducer(device: 0), recorder.source(source), 0)
      for _ in 0..<count {
        let save = Input.save(Sample(type: type, source: producer.source))
        let status = recorder.core.cells.memory.record(
          producer.handle, save, time: producer.next, device: nil)
        #expect(status.isRecorded || status == .lost)
        producer.next += 1
      }
      producers[source] = producer
    }
  }

  private func component(_ mode: RecorderMode = .drop) throws -> Component {
    try Component(Recorder.testOptions(folder, trace: nil, mode: mode))
  }

  private func attachment(
    to path: String? = nil, _ options: RingAttachment.Options = .init(),
    tell: @escaping (RingAttachment.Note) -> Void = { _ in }
  ) throws -> RingAttachment {
    try RingAttachment(to: folder.path, output: path ?? trace, options: options, tell: tell)
  }

  private var rings: [String] {
    (SystemCalls.files(in: folder.path) ?? []).filter { $0.hasSuffix(".ring") }
  }

  /// Checks that the traces are whole and hold the events 0 ..< count of a source.
  private func expect(
    _ count: Int, from source: String, in paths: [String],
    at place: SourceLocation = #_sourceLocation
  ) throws {
    for path in paths {
      let verification = TraceVerification(of: try TraceFile(path: path))
      #expect(
        verification.isWhole, "\(path): \(verification.problems)", sourceLocation: place)
    }
    let numbers = try RecordedTrace(paths).producers[source]?.numbers ?? []
    #expect(numbers == Array(0..<Int64(count)), "\(source)", sourceLocation: place)
  }

  @Test("of a running component, also threads and names that come later; and its end")
  func running() throws {
    var component: Component? = try component()
    try component?.record(100, from: "a")
    var notes: [RingAttachment.Note] = []
    let attachment = try attachment { notes.append($0) }
    try attachment.pass()
    #expect(!attachment.isDone && attachment.components == 1)
    try component?.record(50, from: "b")
    try component?.record(100, from: "a")
    try attachment.finish()
    try expect(200, from: "a", in: [trace])
    try expect(50, from: "b", in: [trace])
    #expect(notes.isEmpty && rings.count == 1)

    // What comes after the first attachment's end is the second one's.
    try component?.record(10, from: "b")
    try component?.recorder.close()
    component = nil
    let last = try self.attachment { notes.append($0) }
    try last.pass()
    #expect(last.isDone)
    try last.finish()
    try expect(60, from: "b", in: [trace])
    #expect(last.statistics.written == 10 && last.statistics.lost == 0)
    #expect(rings.isEmpty && notes.count == 1 && notes.first?.isProblem == false)
    #expect(notes.first?.message.hasSuffix("is drained, and removed") == true, "\(notes)")
  }

  @Test(
    "names that come and go without end take no memory, and a later file of such a name is read")
  func passingNames() throws {
    var notes: [RingAttachment.Note] = []
    let attachment = try attachment { notes.append($0) }
    let name = folder.file("a.ring")
    func look() throws {
      usleep(110_000)
      try attachment.pass()
    }
    for number in 0..<3 {
      let foreign = folder.file("\(number).ring")
      for path in number == 0 ? [foreign, name] : [foreign] {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "elsewhere")
      }
      try look()
      #expect(notes.count == number + 2, "\(notes)")
      try FileManager.default.removeItem(atPath: foreign)
      if number == 1 { try FileManager.default.removeItem(atPath: name) }
    }
    try look()
    #expect(attachment.refused.isEmpty)

    var component: Component? = try component()
    try component?.record(100, from: "a")
    try component?.recorder.close()
    let ring = try #require(component).recorder.ringPath
    component = nil
    #expect(SystemCalls.rename(ring, to: name))
    try look()
    try attachment.finish()
    try expect(100, from: "a", in: [trace])
  }

  @Test("loss is told where it was")
  func loss() throws {
    let component = try component()
    try component.record(3_000, from: "a")
    let attachment = try attachment()
    try attachment.pass()
    try component.record(10, from: "a")
    try attachment.finish()
    let read = try RecordedTrace(trace).producers["a"]
    #expect(read?.objection == nil && (read?.lost ?? 0) > 0, "\(read?.objection ?? "")")
    #expect(UInt64(read?.numbers.count ?? 0) + (read?.lost ?? 0) == 3_010)
  }

  @Test("a stop, and another trace from then on")
  func otherTrace() throws {
    let component = try component()
    let second = folder.file("second.wtrace")
    for (round, path) in [trace, trace, second, trace, second].enumerated() {
      try component.record(100, from: "a")
      let attachment = try attachment(to: path)
      try attachment.pass()
      try attachment.finish()
      #expect(attachment.statistics.written == 100, "round \(round)")
    }
    for path in [trace, second] {
      #expect(TraceVerification(of: try TraceFile(path: path)).isWhole, "\(path)")
    }
    let numbers = try RecordedTrace([trace, second]).producers["a"]?.numbers ?? []
    #expect(numbers.sorted() == Array(0..<500))
  }

  @Test("a kill before and after a block was written", arguments: [false, true])
  func killed(isWritten: Bool) throws {
    let component = try component()
    try component.record(100, from: "a")
    let first = try attachment()
    try first.pass()
    try first.finish()

    // A predecessor that was killed leaves a progress in doubt.
    let file = try RingFile(opening: component.recorder.ringPath, isPrivate: false)
    let ring = try file.ring(0)
    let before = ring.progress
    try component.record(100, from: "a")
    let bytes = try Data(contentsOf: URL(filePath: trace))
    let second = try attachment()
    try second.pass()
    try second.finish()
    // Opened again, as a consumer reads its progress only then.
    let after = try file.ring(0).progress
    ring.progress = before
    ring.prepare(after)
    if !isWritten { try bytes.write(to: URL(filePath: trace)) }

    let third = try attachment()
    try third.pass()
    try third.finish()
    #expect(third.statistics.written == (isWritten ? 0 : 100))
    try expect(200, from: "a", in: [trace])
  }

  @Test("a kill before the first block was written, when the trace is empty")
  func killedBeforeFirstBlock() throws {
    let component = try component()
    try component.record(100, from: "a")
    let file = try RingFile(opening: component.recorder.ringPath, isPrivate: false)
    let ring = try file.ring(0)
    let before = ring.progress
    let first = try attachment()
    try first.pass()
    try first.finish()
    let after = try file.ring(0).progress
    ring.progress = before
    ring.prepare(after)
    // The same file, as the ring has its identity.
    try FileHandle(forWritingTo: URL(filePath: trace)).truncate(atOffset: 0)

    var notes: [RingAttachment.Note] = []
    let second = try attachment { notes.append($0) }
    try second.pass()
    try second.finish()
    #expect(notes.isEmpty, "\(notes.map(\.message))")
    #expect(second.statistics.written == 100)
    try expect(100, from: "a", in: [trace])
  }

  @Test("a block that a kill has torn is cut off, and written anew")
  func torn() throws {
    let component = try component()
    try component.record(100, from: "a")
    let first = try attachment()
    try first.pass()
    try first.finish()
    let bytes = try Data(contentsOf: URL(filePath: trace))
    try (bytes + bytes.prefix(bytes.count - 7)).write(to: URL(filePath: trace))
    try component.record(100, from: "a")
    var notes: [RingAttachment.Note] = []
    let second = try attachment { notes.append($0) }
    try second.pass()
    try second.finish()
    #expect(
      notes.map(\.message) == [
        "\(trace): ended with \(bytes.count - 7) bytes of a torn block; they were cut off"
      ])
    try expect(200, from: "a", in: [trace])
  }

  @Test("recorders that write traces of their own are left alone while they live")
  func ownWriter() throws {
    var options = Recorder.testOptions(folder, trace: "own.wtrace")
    options.flushInterval = .seconds(1_000)
    var component: Component? = try Component(options)
    try component?.record(100, from: "a")
    try component?.recorder.flush()
    try component?.record(100, from: "a")
    let ring = try #require(component).recorder.ringPath
    let attachment = try attachment()
    try attachment.pass()
    #expect(attachment.isDone && attachment.components == 0)
    try attachment.finish()
    #expect(SystemCalls.sort(of: trace) == nil, "an empty trace is left behind")

    // A copy of its ring file is what a kill would leave; nobody holds its locks.
    let dead = try ScratchFolder()
    try FileManager.default.copyItem(atPath: ring, toPath: dead.file("dead.ring"))
    let other = try RingAttachment(to: dead.path, output: trace) { _ in }
    try other.pass()
    #expect(other.isDone && other.statistics.written == 100)
    try other.finish()
    try component?.recorder.close()
    component = nil
    #expect(TraceVerification(of: try TraceFile(path: trace)).isWhole)
    let numbers = try RecordedTrace(trace).producers["a"]?.numbers
    #expect(numbers == Array(100..<200), "what its own trace holds is not written again")
  }

  @Test("overwritten rings: nothing while their process lives, then the newest, once")
  func overwritten() throws {
    var component: Component? = try component(.overwrite)
    try component?.record(5_000, from: "a")
    var notes: [RingAttachment.Note] = []
    let attachment = try attachment { notes.append($0) }
    try attachment.pass()
    #expect(attachment.isDone && notes.count == 1)
    try attachment.finish()
    let dead = try ScratchFolder()
    let ring = try #require(component).recorder.ringPath
    try FileManager.default.copyItem(atPath: ring, toPath: dead.file("dead.ring"))
    component = nil
    var options = RingAttachment.Options()
    options.keepsRings = true
    for round in 0..<2 {
      let other = try RingAttachment(to: dead.path, output: trace, options: options) { _ in }
      try other.pass()
      try other.finish()
      #expect(other.isDone && (other.statistics.written > 0) == (round == 0))
    }
    let read = try RecordedTrace(trace).producers["a"]
    let first = read?.numbers.first ?? 0
    #expect(first > 0 && read?.numbers == Array(first..<5_000))
    #expect(read?.lost == UInt64(first))
  }

  @Test("in a folder each component has traces of its own, which go on after a stop")
  func rotation() throws {
    let traces = try ScratchFolder()
    let components = try (0..<2).map { _ in try component(.block) }
    var options = RingAttachment.Options()
    options.trace.bytesPerFile = 1
    for _ in 0..<3 {
      let attachment = try attachment(to: traces.path, options)
      for _ in 0..<2 {
        for (index, component) in components.enumerated() {
          try component.record(100, from: "\(index)")
        }
        try attachment.pass()
      }
      try attachment.finish()
    }
    for (index, component) in components.enumerated() {
      let name = try RingFile(opening: component.recorder.ringPath, isPrivate: true).name
      let files = (SystemCalls.files(in: traces.path) ?? []).filter { $0.hasPrefix(name) }.sorted()
      #expect(files.count >= 3, "\(files)")
      try expect(600, from: "\(index)", in: files.map(traces.file))
    }
  }

  @Test("a file that is not a ring file is reported once and skipped; only one's own is a problem")
  func bad() throws {
    let component = try component()
    try component.record(10, from: "a")
    let good = try Data(contentsOf: URL(filePath: component.recorder.ringPath))
    let dead = try ScratchFolder()
    var version = good
    version[7] = 99
    var other = good
    other[0] = 1
    var names = good
    names[RingLayout.pageBytes] = 0xFF
    var counts = good
    counts[RingLayout.ringsOffset + 8 * RingLayout.Ring.head + 7] = 0xFF
    let files = [
      (
        "version.ring", version,
        "ring file of version 99; this program reads version \(RingLayout.magic >> 56)", false
      ),
      ("names.ring", names, "ring file's names are damaged", true),
      (
        "counts.ring", counts,
        "ring 0 is damaged: its counts contradict each other, or the file has no such slots", true
      ),
      (
        "text.ring", Data("no ring".utf8),
        "is no ring file, or one whose header was not finished", false
      ),
      ("other.ring", Data(count: good.count), "ring file's header was not finished", false),
      ("foreign.ring", other, "is no ring file", false),
      (
        "cut.ring", Data(good.dropLast(4_096)), "ring file ends before its 1 rings do", true
      ),
    ]
    for (name, bytes, _, _) in files { try bytes.write(to: URL(filePath: dead.file(name))) }
    var notes: [RingAttachment.Note] = []
    let attachment = try RingAttachment(to: dead.path, output: trace) { notes.append($0) }
    let deadline = ContinuousClock.now + .seconds(20)
    repeat { try attachment.pass() } while !attachment.isDone && .now < deadline
    try attachment.finish()
    for (name, _, message, isProblem) in files {
      let told = notes.filter { $0.message.contains(dead.file(name)) && $0.isProblem == isProblem }
      #expect(told.map(\.message) == ["\(dead.file(name)): \(message)"], "\(name)")
      #expect(SystemCalls.sort(of: dead.file(name)) == S_IFREG, "\(name) is gone")
    }
    #expect(SystemCalls.sort(of: trace) == nil)
  }
}
