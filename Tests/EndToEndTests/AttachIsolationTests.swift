import Foundation
import Testing
import WakeEvents
import WakeRecorder
import WakeTestSupport

/// What is wrong with one component's ring file or trace concerns no other one.
@Suite("record --attach and recover: components apart from each other")
struct AttachIsolationTests {
  private static let nobody = 65_534
  private let shop: Workshop

  init() throws {
    shop = try Workshop()
    try run("chmod 755 . && mkdir rings")
  }

  @discardableResult
  private func run(_ command: String) throws -> RouseCommand.Result {
    let result = try shop.shell(command)
    try #require(result.status == .exited(0), "\(command): \(result.errors)")
    return result
  }

  /// The ring file of a component that was killed after so many events; its name.
  private func leaveRing(_ name: String, events: Int64, trace: String? = nil) throws {
    var options = Recorder.Options(trace: trace.map { "\(shop.path)/\($0)" })
    options.ringFolder = shop.path
    options.slotsPerRing = 1 << 10
    options.flushInterval = .seconds(1_000)
    let recorder = try Recorder(options)
    let (type, source) = (try recorder.type("type"), try recorder.source("source"))
    var producer = try recorder.producer()
    for number in 0..<events {
      producer.save(type, from: source, at: Timestamp(nanoseconds: number))
    }
    let ring = try #require(shop.files.first { $0.hasSuffix(".ring") })
    let bytes = try shop.read(ring)
    if trace != nil { try recorder.flush() }
    try recorder.close()
    try? FileManager.default.removeItem(atPath: "\(shop.path)/\(ring)")
    try shop.write(bytes, to: "rings/\(name).ring")
    try run("chmod 600 rings/\(name).ring")
  }

  private func events(_ trace: String) throws -> Int {
    let verified = try shop.rouse("verify", trace)
    #expect(verified.status == .exited(0), "\(trace): \(verified.output)\(verified.errors)")
    return try shop.rouse("export", trace).output.split(separator: "\n").count
  }

  @Test("a file that is no trace under a component's name is passed over")
  func takenName() throws {
    try leaveRing("a", events: 3)
    try leaveRing("b", events: 5)
    try run("mkdir out && head -c 300 /dev/urandom > out/a-0001.wtrace")
    let result = try shop.rouse("record", "--attach", "rings", "-o", "out")
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(result.errors.contains("out/a-0002.wtrace is written instead"), "\(result.errors)")
    #expect(try events("out/a-0002.wtrace") == 3)
    #expect(try events("out/b-0001.wtrace") == 5)
  }

  @Test("a name that is too long for a trace's concerns its component alone")
  func longName() throws {
    let long = String(repeating: "a", count: 245)
    try leaveRing(long, events: 3)
    try leaveRing("b", events: 5)
    try run("mkdir out")
    let result = try shop.rouse("record", "--attach", "rings", "-o", "out")
    #expect(result.status == .exited(1), "\(result.errors)")
    #expect(result.errors.contains("\(long).ring: its events are left: "), "\(result.errors)")
    #expect(try events("out/b-0001.wtrace") == 5)
  }

  @Test("a copy of a ring file is left alone")
  func copy() throws {
    try leaveRing("a", events: 3)
    try run("cp -p rings/a.ring rings/b.ring")
    let result = try shop.rouse("record", "--attach", "rings", "-o", "out.wtrace")
    #expect(result.status == .exited(1), "\(result.errors)")
    #expect(result.errors.contains("rings/b.ring: has the events of rings/a.ring"))
    #expect(try events("out.wtrace") == 3)
    #expect(try run("ls rings").output == "b.ring\n")
  }

  @Test("ring files that cannot be opened for want of descriptors are opened later")
  func descriptors() throws {
    for number in 0..<12 { try leaveRing("\(number)", events: 7) }
    let result = try shop.shell(
      "ulimit -n 14; exec '\(RouseCommand.path)' record --attach rings -o out.wtrace")
    #expect(result.errors.contains("Too many open files; it is tried again"), "\(result.errors)")
    #expect(try events("out.wtrace") == 84)
    #expect(try run("ls rings").output == "")
  }

  @Test("a trace that is a hole of a terabyte does not hold up the recovery of its ring")
  func hole() throws {
    try leaveRing("a", events: 3, trace: "a.wtrace")
    try run("truncate -s 1T a.wtrace")
    let result = try shop.shell(
      "timeout 20 '\(RouseCommand.path)' recover rings/a.ring -o out.wtrace")
    #expect(result.status == .exited(0), "\(result.status): \(result.errors)")
    #expect(try events("out.wtrace") == 3)
  }

  @Test(
    "another user's links in a folder that everybody may write to are not followed",
    .enabled(if: geteuid() == 0, "needs root"))
  func linkedFolders() throws {
    try run(
      """
      mkdir -m 1777 shared && mkdir -m 700 own && ln -s ../own shared/theirs && ln -s ../own shared/ours
      chown -h \(Self.nobody):\(Self.nobody) shared/theirs && ln -s own plain && chown -h \(Self.nobody) plain
      """)
    try run("'\(RouseCommand.path)' generate fleet --events 100 -o own/x.wtrace")
    let before = try shop.read("own/x.wtrace")
    try leaveRing("a", events: 3)
    let told = "is a symbolic link of another user, so it is not followed"
    for call in [
      ["repack", "own/x.wtrace", "-o", "shared/theirs/y.wtrace"],
      ["split", "own/x.wtrace", "--parts", "1", "-o", "shared/theirs"],
      ["record", "--attach", "rings", "-o", "shared/theirs"],
      ["record", "--attach", "rings", "-o", "shared/theirs/y.wtrace"],
    ] {
      let result = try RouseCommand.run(call, folder: shop.path)
      #expect(result.status == .exited(1), "\(call): \(result.status)")
      #expect(result.errors.contains(told), "\(call): \(result.errors)")
    }
    var options = Recorder.Options(trace: nil)
    options.ringFolder = "\(shop.path)/shared/theirs"
    #expect(throws: (any Error).self) { try Recorder(options) }
    #expect(try run("ls own").output == "x.wtrace\n")
    #expect(try shop.read("own/x.wtrace") == before)
    // Root's own link is followed, and one in a folder that its owner alone may write to.
    try run("'\(RouseCommand.path)' repack own/x.wtrace -o shared/ours/y.wtrace")
    try run("'\(RouseCommand.path)' repack own/x.wtrace -o plain/z.wtrace")
    #expect(try run("ls own").output == "x.wtrace\ny.wtrace\nz.wtrace\n")
  }
}
