import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@_spi(RouseC) @testable import WakeRecorder
@testable import WakeTrace

@Suite("Rings of other users, links, pipes and crowds in a ring folder")
struct OtherUsersTests {
  private static let nobody: uid_t = 65_534
  private let folder: ScratchFolder
  private var trace: String { folder.file("out.wtrace") }
  private var left: String { folder.file("left.ring") }

  init() throws { folder = try ScratchFolder() }

  /// A ring file that a dead component left, of 100 numbered events.
  private func makeRing(trace: String? = nil) throws {
    let recorder = try Recorder(Recorder.testOptions(folder, trace: trace))
    let (type, source) = (try recorder.type("type"), try recorder.source("a"))
    var producer = try recorder.producer()
    for number in 0..<100 as Range<Int64> {
      producer.save(type, from: source, at: Timestamp(nanoseconds: number))
    }
    if trace != nil { try recorder.flush() }
    for number in 100..<103 as Range<Int64> {
      producer.save(type, from: source, at: Timestamp(nanoseconds: number))
    }
    try FileManager.default.copyItem(atPath: recorder.ringPath, toPath: left)
    let length = try trace.map { try Data(contentsOf: URL(filePath: folder.file($0))).count }
    try recorder.close()
    // Without the last events, as a kill leaves it.
    if let trace, let length { #expect(unsafe truncate(folder.file(trace), length) == 0) }
    try? FileManager.default.removeItem(atPath: recorder.ringPath)
  }

  private func attach(
    _ options: RingAttachment.Options = .init()
  ) throws -> (written: Int, notes: [RingAttachment.Note]) {
    var notes: [RingAttachment.Note] = []
    let attachment = try RingAttachment(to: folder.path, output: trace, options: options) {
      notes.append($0)
    }
    let deadline = ContinuousClock.now + .seconds(120)
    repeat { try attachment.pass() } while !attachment.isDone && .now < deadline
    #expect(attachment.isDone, "attach does not end")
    try attachment.finish()
    return (attachment.statistics.written, notes)
  }

  private func expectLeftAlone(_ message: String, at place: SourceLocation = #_sourceLocation)
    throws
  {
    let (written, notes) = try attach()
    #expect(written == 0 && notes.map(\.message) == ["\(left): \(message)"], sourceLocation: place)
    #expect(notes.allSatisfy { !$0.isProblem }, sourceLocation: place)
    var status = stat()
    #expect(unsafe lstat(left, &status) == 0, "the file was removed", sourceLocation: place)
  }

  @Test("a ring file that another user made", .enabled(if: geteuid() == 0, "needs root"))
  func foreign() throws {
    try makeRing()
    #expect(unsafe chown(left, Self.nobody, Self.nobody) == 0)
    try expectLeftAlone("is another user's, or one may write to it; it is left alone")
    var all = RingAttachment.Options()
    all.takesAllUsers = true
    #expect(try attach(all).written == 103)
  }

  @Test("a ring file that others may write to", arguments: [0o620, 0o602] as [mode_t])
  func writable(permissions: mode_t) throws {
    try makeRing()
    #expect(unsafe chmod(left, permissions) == 0)
    try expectLeftAlone("is another user's, or one may write to it; it is left alone")
  }

  @Test("a symbolic link to a ring file, and a FIFO")
  func otherFiles() throws {
    try makeRing()
    let elsewhere = try ScratchFolder()
    try FileManager.default.moveItem(atPath: left, toPath: elsewhere.file("left.ring"))
    #expect(unsafe symlink(elsewhere.file("left.ring"), left) == 0)
    try expectLeftAlone("is a symbolic link, no ring file")
    #expect(unsafe unlink(left) == 0)
    #expect(unsafe mkfifo(left, 0o600) == 0)
    try expectLeftAlone("is no ring file")
  }

  @Test("a recorder starts where files have the names that its ring could be expected to have")
  func expectedNames() throws {
    let first = try Recorder(Recorder.testOptions(folder, trace: nil))
    let parts = first.ringPath.dropLast(".ring".utf8.count).split(separator: "-")
    let (start, count) = (parts.dropLast().joined(separator: "-"), parts.last.flatMap { Int($0) })
    // Recorders of other tests are counted, too.
    for number in 1...1_000 {
      let path = try "/\(start)-\(#require(count) + number).ring"
      unsafe close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
    }
    let second = try Recorder(Recorder.testOptions(folder))
    try second.close()
    try first.close()
  }

  /// The seconds of a clock.
  private func clock(of id: clockid_t) -> Double {
    var time = timespec()
    #expect(unsafe clock_gettime(id, &time) == 0)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test("20,000 empty files do not hold it up")
  func crowd() throws {
    try makeRing()
    for number in 0..<20_000 {
      unsafe close(open(folder.file("empty-\(number).ring"), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
    }
    // The time of this thread's processor, which does not pass while other processes run.
    let started = clock(of: CLOCK_THREAD_CPUTIME_ID)
    let (written, notes) = try attach()
    let seconds = clock(of: CLOCK_THREAD_CPUTIME_ID) - started
    #expect(seconds < 20, "it took \(seconds) s")
    // A hundred are told of, that there are more, and what was taken.
    #expect(written == 103 && notes.count == 102, "\(notes.count) notes")
    let more = "\(folder.path): more such files are left alone without a line"
    #expect(notes.contains { $0.message == more })
  }

  @Test("control characters in a path are escaped")
  func escaped() throws {
    let path = folder.file("\u{1B}[2J\n.ring")
    try Data("no ring".utf8).write(to: URL(filePath: path))
    let notes = try attach().notes.map(\.message)
    #expect(
      notes == [
        folder.file("\\u{1b}[2J\\u{a}.ring")
          + ": is no ring file, or one whose header was not finished"
      ])
  }

  @Test("recover opens a ring's trace only if it is the same user's")
  func foreignTrace() throws {
    try makeRing(trace: "secret.wtrace")
    let ring = try LeftRing(left)
    let secret = try #require(ring.traces.first)
    #expect(try ring.open(secret).length > 0)
    guard geteuid() == 0 else { return }
    #expect(unsafe chown(left, Self.nobody, Self.nobody) == 0)
    let error = #expect(throws: TraceError.self) { try LeftRing(left).open(secret) }
    #expect(error?.code == .anotherUsers, "\(String(describing: error))")
    #expect(unsafe chown(secret, Self.nobody, Self.nobody) == 0)
    #expect(try LeftRing(left).open(secret).length > 0)
  }

  @Test("the ring that is left of a trace is found, also if that was renamed, and by root")
  func leftByTrace() throws {
    try makeRing(trace: "own.wtrace")
    let moved = folder.file("moved.wtrace")
    let rest = [LeftRing.Rest(ring: left, events: 3)]
    #expect(LeftRing.left(by: folder.file("own.wtrace")) == rest)
    try FileManager.default.moveItem(atPath: folder.file("own.wtrace"), toPath: moved)
    #expect(LeftRing.left(by: moved) == rest)
    let elsewhere = try ScratchFolder()
    #expect(unsafe symlink(moved, elsewhere.file("link.wtrace")) == 0)
    #expect(LeftRing.left(by: elsewhere.file("link.wtrace")) == rest, "by a link to the trace")
    // What was recovered has them.
    let whole = try FileOutput(path: folder.file("whole.wtrace"))
    let recovery = TraceRecovery(to: whole)
    _ = try recovery.add(trace: TraceFile(path: moved))
    _ = try recovery.add(LeftRing(left))
    try whole.commit()
    #expect(LeftRing.left(by: folder.file("whole.wtrace")) == [])
    // Whoever can write to the folder may link to any file of this user.
    #expect(unsafe symlink(left, folder.file("link.ring")) == 0)
    #expect(LeftRing.left(by: moved) == rest, "a link to a ring is followed")
    // Another trace of the same folder has no part in it.
    try Recorder(Recorder.testOptions(folder, trace: "own.wtrace")).close()
    try Data().write(to: URL(filePath: folder.file("other.wtrace")))
    #expect(LeftRing.left(by: folder.file("other.wtrace")) == [])
    guard geteuid() == 0 else { return }
    #expect(unsafe chown(left, Self.nobody, Self.nobody) == 0)
    #expect(LeftRing.left(by: moved) == [], "another user's ring is trusted")
    #expect(unsafe chown(moved, Self.nobody, Self.nobody) == 0)
    #expect(LeftRing.left(by: moved) == rest)
  }

  @Test(
    "recover does not wait for the end of a FIFO or a device", arguments: ["fifo", "/dev/zero"])
  func endless(path: String) throws {
    let path = path.hasPrefix("/") ? path : folder.file(path)
    if !path.hasPrefix("/dev") { #expect(unsafe mkfifo(path, 0o600) == 0) }
    let error = #expect(throws: TraceError.self) { try TraceRecovery.open(path) }
    #expect(error?.message == "is no regular file; `-` reads standard input")
  }

  @Test(
    "a block whose file was moved before its writer was killed is not written again, or that is told",
    arguments: ["old.wtrace", "folder/old.wtrace"])
  func moved(to name: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("folder"), withIntermediateDirectories: false)
    let recorder = try Recorder(Recorder.testOptions(folder, trace: nil))
    let (type, source) = (try recorder.type("type"), try recorder.source("a"))
    var producer = try recorder.producer()
    func record(_ numbers: Range<Int64>) {
      for number in numbers {
        producer.save(type, from: source, at: Timestamp(nanoseconds: number))
      }
    }
    var notes: [String] = []
    func attach() throws -> Int {
      let attachment = try RingAttachment(to: folder.path, output: trace) {
        notes.append($0.message)
      }
      try attachment.pass()
      try attachment.finish()
      return attachment.statistics.written
    }
    record(0..<100)
    #expect(try attach() == 100)
    let ring = try RingFile(opening: recorder.ringPath, isPrivate: false).ring(0)
    let before = ring.progress
    record(100..<200)
    #expect(try attach() == 100)
    // What a kill right behind the write leaves.
    let file = try RingFile(opening: recorder.ringPath, isPrivate: false)
    let after = try file.ring(0).progress
    #expect(after.trace != nil && after.tail == 200)
    ring.progress = before
    ring.prepare(after)
    try FileManager.default.moveItem(atPath: trace, toPath: folder.file(name))
    record(200..<300)
    let written = try attach()
    let numbers = try RecordedTrace([folder.file(name), trace]).producers["a"]?.numbers
    guard name.contains("/") else {
      #expect(written == 100, "the block before the kill was written twice")
      #expect(numbers == Array(0..<300) && notes.isEmpty, "\(notes)")
      return
    }
    // Where a file has gone cannot be found.
    #expect(written == 200 && Set(numbers ?? []) == Set(0..<300))
    #expect(notes.count == 1 && notes[0].contains("up to 100 events may be in it, too"), "\(notes)")
  }

  @Test("recover puts the blocks of a stream that several files hold into their order")
  func order() throws {
    let recorder = try Recorder(Recorder.testOptions(folder))
    let (type, source) = (try recorder.type("type"), try recorder.source("a"))
    var producer = try recorder.producer()
    for block in 0..<4 as Range<Int64> {
      for number in 10 * block..<10 * block + 10 {
        producer.save(type, from: source, at: Timestamp(nanoseconds: number))
      }
      try recorder.flush()
    }
    try recorder.close()
    let whole = try TraceFile(path: folder.file("a.wtrace"))
    var scan = BlockScan(whole)
    var parts: [[UInt8]] = [[], []]
    var place = 0
    while let block = try scan.next() {
      var bytes: [UInt8] = []
      let count = try whole.read(block.length, at: block.offset, into: &bytes)
      parts[place % 2] += bytes[..<count]
      place += 1
    }
    for (number, bytes) in parts.enumerated() {
      try Data(bytes).write(to: URL(filePath: folder.file("\(number).wtrace")))
    }
    for order in [[0, 1], [1, 0]] {
      let output = try FileOutput(path: trace)
      let reports = try TraceRecovery(to: output).add(
        order.map { try TraceFile(path: folder.file("\($0).wtrace")) })
      try output.commit()
      #expect(reports.map(\.events).reduce(0, +) == 40)
      let verification = TraceVerification(of: try TraceFile(path: trace))
      #expect(verification.isWhole, "\(order): \(verification.problems)")
      #expect(try RecordedTrace(trace).producers["a"]?.numbers == Array(0..<40), "\(order)")
    }
  }
}
