import Foundation
import Testing
import WakeTestSupport

@Suite("record: where the trace goes")
struct RecordOutputTests {
  private let shop: Workshop

  init() throws {
    shop = try Workshop()
  }

  /// A component that is killed with events in its ring.
  private func leaveRing() throws {
    let path = URL(filePath: RouseCommand.path).deletingLastPathComponent()
    let process = Process()
    process.executableURL = path.appending(path: "RecordingVictim")
    process.arguments = ["-", "drop", shop.path, shop.path + "/progress", "1"]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.start()
    _ = pipe.fileHandleForReading.availableData  // "started"
    let progress = try SharedProgress(path: shop.path + "/progress", count: 2)
    let deadline = Date(timeIntervalSinceNow: 30)
    while progress[0] < 100 {
      try #require(Date() < deadline, "nothing is recorded")
      usleep(1_000)
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private var rings: [String] { shop.files.filter { $0.hasSuffix(".ring") } }

  @Test(
    "a pipe that nobody reads is an error, of one line, whatever is captured",
    arguments: ["-", "/dev/stdout"], [10, 200_000])
  func closedPipe(output: String, count: Int) throws {
    try shop.write(Workshop.saves(count), to: "in.jsonl")
    let result = try shop.rouseWithoutReader("record in.jsonl --level 0 -o \(output)")
    #expect(result.status == .exited(1), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    #expect(
      result.errors.hasPrefix("rouse: /dev/stdout: cannot be written: Broken pipe; 0 of "),
      "\(result.errors)")
  }

  @Test("a FIFO gets the trace, once it has a reader; without one an interrupt ends the command")
  func fifo() throws {
    try shop.write(Workshop.saves(1_000), to: "in.jsonl")
    try shop.importing(Workshop.saves(1_000), as: "imported")
    #expect(try shop.shell("mkfifo pipe").status == .exited(0))
    let late = try shop.shell(
      "\"$ROUSE\" record in.jsonl -o pipe & sleep 0.2; cat pipe > got.wtrace; wait $!")
    #expect(late.status == .exited(0), "\(late.errors)")
    #expect(
      try shop.rouse("export", "got.wtrace").output
        == shop.rouse("export", "imported.wtrace").output)
    let waiting = try RouseCommand.start(["record", "in.jsonl", "-o", "pipe"], folder: shop.path)
    usleep(200_000)
    waiting.signal(SIGTERM)
    #expect(try waiting.wait().status == .signalled(SIGTERM))
  }

  @Test("--attach -o - is standard output, not a file of that name; rings stay if it is closed")
  func attachToStandardOutput() throws {
    try leaveRing()
    let closed = try shop.rouseWithoutReader("record --attach . -o -")
    #expect(closed.status == .exited(1), "\(closed.errors)")
    #expect(closed.errors.contains("Broken pipe"), "\(closed.errors)")
    #expect(rings.count == 1)
    let kept = try shop.shell("\"$ROUSE\" record --attach . --keep -o - > out.wtrace")
    #expect(kept.status == .exited(0) && kept.errors.contains("rouse: standard output: "))
    #expect(try shop.rouse("verify", "out.wtrace").status == .exited(0))
    #expect(!shop.files.contains("-") && rings.count == 1)
    // Where its events went is known, and nothing is taken twice.
    let recovered = try shop.rouse("recover", #require(rings.first), "-o", "clean.wtrace", "--json")
    #expect(recovered.status == .exited(0), "\(recovered.errors)")
    #expect(try recovered.json()["inputs"]?.elements.last?["events"] == .integer(0))
    #expect(try shop.read("clean.wtrace") == shop.read("out.wtrace"))
  }

  @Test("what a ring file holds, which its owner alone may read, goes to such a file")
  func ringPermissions() throws {
    try leaveRing()
    let made = try shop.shell(
      """
      umask 022; "$ROUSE" record --attach . --keep -o attached.wtrace
      "$ROUSE" recover *.ring -o recovered.wtrace; stat -c %a *.ring attached.wtrace recovered.wtrace
      """)
    #expect(made.output == "600\n600\n600\n", "\(made.errors)")
  }

  @Test("a pipe that rings were drained to cannot be looked at again, and that is told")
  func attachToPipe() throws {
    try leaveRing()
    let piped = try shop.shell("\"$ROUSE\" record --attach . --keep -o - | cat > out.wtrace")
    #expect(piped.status == .exited(0))
    #expect(try shop.rouse("verify", "out.wtrace").status == .exited(0))
    let recovered = try shop.rouse("recover", #require(rings.first), "-o", "clean.wtrace")
    #expect(recovered.errors.contains("its trace standard output is not there"))
  }

  @Test("a second attachment that finds nothing leaves the note of the first as it was")
  func secondAttachment() throws {
    try leaveRing()
    let first = try shop.rouse("record", "--attach", ".", "--keep", "-o", "first.wtrace")
    #expect(first.status == .exited(0), "\(first.errors)")
    let second = try shop.rouse("record", "--attach", ".", "--keep", "-o", "second.wtrace")
    #expect(second.status == .exited(0), "\(second.errors)")
    #expect(!shop.files.contains("second.wtrace"))
    let recovered = try shop.rouse("recover", #require(rings.first), "-o", "clean.wtrace")
    #expect(recovered.status == .exited(0), "\(recovered.errors)")
    #expect(try shop.read("clean.wtrace") == shop.read("first.wtrace"))
  }

  @Test("a trace that is being recorded is not replaced; one that was removed is told")
  func live() throws {
    #expect(try shop.shell("mkfifo lines").status == .exited(0))
    try shop.importing(Workshop.saves(5), as: "other")
    let command = try RouseCommand.start(
      ["record", "lines", "-o", "live.wtrace", "--flush", "0.01"], folder: shop.path)
    let writer = try FileHandle(forWritingTo: URL(filePath: shop.path + "/lines"))
    func send(_ seconds: Range<Int>) throws {
      let before = try shop.files.contains("live.wtrace") ? shop.read("live.wtrace").count : 0
      let saves = Workshop.saves(seconds.count, from: seconds.lowerBound)
      try writer.write(contentsOf: Data(saves.utf8))
      let deadline = Date(timeIntervalSinceNow: 30)
      while try !shop.files.contains("live.wtrace") || shop.read("live.wtrace").count == before {
        try #require(Date() < deadline, "nothing is written")
        usleep(2_000)
      }
    }
    try send(0..<10)
    for arguments in [
      ["recover", "other.wtrace"], ["import", "jsonl", "other.jsonl"],
      ["record", "other.jsonl"],
    ] {
      let refused = try RouseCommand.run(arguments + ["-o", "live.wtrace"], folder: shop.path)
      #expect(refused.status == .exited(1), "\(arguments)")
      #expect(
        refused.errors.hasPrefix("rouse: live.wtrace: is being written by a")
          || refused.errors.contains("/live.wtrace: is being written by another recorder"),
        "\(refused.errors)")
    }
    try FileManager.default.moveItem(
      atPath: shop.path + "/live.wtrace", toPath: shop.path + "/old.wtrace")
    try send(10..<20)
    try FileManager.default.removeItem(atPath: shop.path + "/live.wtrace")
    try send(20..<30)
    try writer.close()
    let result = try command.wait()
    #expect(result.status == .exited(1))
    #expect(result.errors.contains("live.wtrace: was removed or replaced"), "\(result.errors)")
    #expect(try shop.rouse("export", "old.wtrace").output == Workshop.saves(10))
    #expect(try shop.rouse("export", "live.wtrace").output == Workshop.saves(10, from: 20))
  }
}
