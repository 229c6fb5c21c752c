import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeRecorder
@testable import WakeTrace

@Suite("A trace that another user could have planted gets no events")
struct OutputOwnershipTests {
  private static let nobody: uid_t = 65_534
  private let folder: ScratchFolder
  private var trace: String { folder.file("a.wtrace") }

  init() throws { folder = try ScratchFolder() }

  /// Everything that appends to a trace, and what replaces one.
  private enum Writer: CaseIterable {
    case recorder, capture, attachment, output

    func open(_ folder: ScratchFolder, _ path: String) throws {
      switch self {
      case .recorder: try Recorder(Recorder.testOptions(folder)).close()
      case .capture: try TraceCapture(to: path, symbols: Symbols()).finish()
      case .attachment: try RingAttachment(to: folder.path, output: path) { _ in }.finish()
      case .output: _ = try FileOutput(path: path)
      }
    }
  }

  private func makeTrace() throws -> Data {
    let recorder = try Recorder(Recorder.testOptions(folder))
    let (type, source) = (try recorder.type("type"), try recorder.source("a"))
    do {
      var producer = try recorder.producer()
      producer.save(type, from: source, at: Timestamp(nanoseconds: 0))
    }
    try recorder.close()
    return try Data(contentsOf: URL(filePath: trace))
  }

  private func expectRefused(
    _ message: String, of writers: [Writer] = [.recorder, .capture, .attachment],
    at place: SourceLocation = #_sourceLocation
  ) throws {
    for writer in writers {
      let error = #expect(throws: TraceError.self, "\(writer)", sourceLocation: place) {
        try writer.open(folder, trace)
      }
      #expect(
        error?.code == .anotherUsers && error?.file == trace
          && error?.message.hasPrefix(message) == true,
        "\(writer): \(String(describing: error))", sourceLocation: place)
    }
    let rings = (SystemCalls.files(in: folder.path) ?? []).filter { $0.hasSuffix(".ring") }
    #expect(rings == [], "a recorder that does not start leaves a ring", sourceLocation: place)
  }

  @Test("as it belongs to one", .enabled(if: geteuid() == 0, "only root can give files away"))
  func foreign() throws {
    let bytes = try makeTrace()
    #expect(unsafe chown(trace, Self.nobody, Self.nobody) == 0)
    try expectRefused("is another user's, so nothing is added to it")
    #expect(try Data(contentsOf: URL(filePath: trace)) == bytes)
  }

  @Test("as every user may write to it")
  func writable() throws {
    let bytes = try makeTrace()
    #expect(unsafe chmod(trace, 0o646) == 0)
    try expectRefused("can be written to by every user, so nothing is added to it")
    #expect(try Data(contentsOf: URL(filePath: trace)) == bytes)
    // Of those who share it, no more is asked.
    #expect(unsafe chmod(trace, 0o664) == 0)
    for writer in Writer.allCases { try writer.open(folder, trace) }
  }

  @Test("which a process that may only read it keeps locked: that is said")
  func locked() throws {
    _ = try makeTrace()
    let reader = SystemCalls.open(trace, O_RDONLY)
    defer { close(reader) }
    var lock = flock()
    (lock.l_type, lock.l_start, lock.l_len) = (Int16(F_RDLCK), SystemCalls.recorderLock, 1)
    // F_OFD_SETLK of fcntl(2), which Swift does not import.
    #expect(unsafe fcntl(reader, 37, &lock) == 0)
    for writer in [Writer.recorder, .capture, .attachment] {
      let error = #expect(throws: TraceError.self) { try writer.open(folder, trace) }
      #expect(
        error?.code == .inUse
          && error?.message.hasPrefix("is locked by a process that reads it") == true,
        "\(writer): \(String(describing: error))")
    }
  }

  @Test(
    "but a pipe in a folder that everybody may write to, of a user who is not its owner",
    .enabled(if: geteuid() == 0, "only root can give files away"))
  func pipe() throws {
    #expect(unsafe mkfifo(trace, 0o622) == 0 && chmod(folder.path, 0o1777) == 0)
    let reader = SystemCalls.open(trace, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    #expect(unsafe chown(trace, Self.nobody, Self.nobody) == 0)
    try expectRefused("is a pipe of another user", of: Writer.allCases)
    // A service's own folder, or the same user's pipe.
    #expect(unsafe chown(folder.path, Self.nobody, Self.nobody) == 0)
    for writer in Writer.allCases { try writer.open(folder, trace) }
    #expect(unsafe chown(folder.path, 0, 0) == 0 && chown(trace, 0, 0) == 0)
    for writer in Writer.allCases { try writer.open(folder, trace) }
  }

  @Test(
    "through a link that another user made, to a file or to none yet",
    .enabled(if: geteuid() == 0, "only root can give links away"), arguments: [true, false])
  func link(isDangling: Bool) throws {
    let target = folder.file("mine")
    if !isDangling {
      _ = try makeTrace()
      try FileManager.default.moveItem(atPath: trace, toPath: target)
    }
    let bytes = try? Data(contentsOf: URL(filePath: target))
    #expect(unsafe symlink("mine", trace) == 0)
    #expect(unsafe lchown(trace, Self.nobody, Self.nobody) == 0)
    try expectRefused(
      "is a symbolic link of another user, so it is not followed", of: Writer.allCases)
    #expect(bytes == (try? Data(contentsOf: URL(filePath: target))))
    // Of this user's own, the file that it leads to is written.
    #expect(unsafe lchown(trace, geteuid(), getegid()) == 0)
    _ = try makeTrace()
    #expect(SystemCalls.status(of: target)?.length ?? 0 > 0)
  }
}
