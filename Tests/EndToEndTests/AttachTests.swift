import Foundation
import Testing
import WakeTestSupport
import WakeTrace

@Suite("record --attach and recover: rings of other processes")
struct AttachTests {
  private let shop: Workshop

  init() throws {
    shop = try Workshop()
  }

  private static let threads = 2

  /// A component that records numbered events until it is killed, and how far it came.
  private final class Victim {
    private let process = Process()
    private let progress: SharedProgress

    init(_ mode: String, trace: String = "-", in folder: String) throws {
      let path = URL(filePath: RouseCommand.path).deletingLastPathComponent()
      process.executableURL = path.appending(path: "RecordingVictim")
      process.arguments = [trace, mode, folder, folder + "/progress", "\(AttachTests.threads)"]
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardInput = FileHandle.nullDevice
      try process.start()
      _ = pipe.fileHandleForReading.availableData  // "started"
      progress = try SharedProgress(path: folder + "/progress", count: 2 * AttachTests.threads)
    }

    deinit { end() }

    /// Calls that have returned.
    func returned(_ thread: Int) -> UInt64 { progress[2 * thread] }

    func end() {
      guard process.isRunning else { return }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  private func wait(for what: String, _ condition: () throws -> Bool) throws {
    let deadline = Date(timeIntervalSinceNow: 30)
    while try !condition() {
      try #require(Date() < deadline, "\(what) did not happen")
      usleep(2_000)
    }
  }

  private var rings: [String] { shop.files.filter { $0.hasSuffix(".ring") } }

  /// Checks that each thread's events are there once, in order, and none is invented.
  private func expectAll(
    of victim: Victim, in trace: String, at place: SourceLocation = #_sourceLocation
  ) throws {
    let verified = try shop.rouse("verify", trace)
    #expect(verified.status == .exited(0), "\(verified.output)", sourceLocation: place)
    var numbers = [[Int]](repeating: [], count: Self.threads)
    for line in try shop.rouse("export", trace).output.utf8.split(separator: UInt8(ascii: "\n")) {
      let digits = line.dropFirst(5).prefix { $0 != UInt8(ascii: ",") }
      // …,"source":"0"} or …,"source":"0","value":1}
      let words = line.split(separator: UInt8(ascii: "\""))
      let source = try #require(
        words.firstIndex { $0.elementsEqual("source".utf8) }, sourceLocation: place)
      let thread = Int(words[source + 2].last ?? 0) - Int(UInt8(ascii: "0"))
      let number = try #require(Int(String(Substring(digits))), sourceLocation: place)
      try #require(numbers.indices.contains(thread), sourceLocation: place)
      numbers[thread].append(number)
    }
    for thread in 0..<Self.threads {
      let read = numbers[thread]
      let returned = Int(victim.returned(thread))
      // The call that was under way may have recorded its event, or not.
      #expect(
        read.count == returned || read.count == returned + 1, "thread \(thread)",
        sourceLocation: place)
      #expect(read == Array(0..<read.count), "thread \(thread)", sourceLocation: place)
    }
  }

  @Test("a running component, while attached processes are stopped and killed")
  func running() throws {
    let victim = try Victim("block", in: shop.path)
    for signal in [SIGINT, SIGKILL, SIGTERM, SIGKILL] {
      let command = try RouseCommand.start(
        ["record", "--attach", ".", "-o", "out.wtrace", "--flush", "0.01"], folder: shop.path)
      // Rings block when they are full, so the component goes on only as events are taken.
      let target = (0..<Self.threads).map { victim.returned($0) + 6_000 }
      try wait(for: "a component that goes on") {
        (0..<Self.threads).allSatisfy { victim.returned($0) >= target[$0] }
      }
      command.signal(signal)
      let result = try command.wait()
      #expect(
        result.status == (signal == SIGKILL ? .signalled(SIGKILL) : .exited(0)), "\(result.errors)")
      if signal != SIGKILL {
        #expect(
          result.errors.hasSuffix(" of 1 ring file; 0 lost in recording\n"), "\(result.errors)")
      }
    }
    // Now it dies while a process is attached, which ends by itself.
    let last = try RouseCommand.start(
      ["record", "--attach", ".", "-o", "out.wtrace"], folder: shop.path)
    let target = victim.returned(0) + 6_000
    try wait(for: "a component that goes on") { victim.returned(0) >= target }
    victim.end()
    let result = try last.wait()
    #expect(result.status == .exited(0))
    #expect(result.errors.contains("the ring file is drained, and removed\n"), "\(result.errors)")
    #expect(rings.isEmpty)
    try expectAll(of: victim, in: "out.wtrace")
  }

  @Test("a component that comes later, with --stay; another attached process gets nothing")
  func late() throws {
    let command = try RouseCommand.start(
      ["record", "--attach", ".", "-o", "out.wtrace", "--stay", "--keep"], folder: shop.path)
    let victim = try Victim("block", in: shop.path)
    try wait(for: "a component that goes on") { victim.returned(0) > 6_000 }
    let other = try shop.rouse("record", "--attach", ".", "-o", "other.wtrace")
    #expect(other.status == .exited(1))
    #expect(
      other.errors == """
        rouse: ./\(rings.first ?? ""): another process takes its events
        rouse: other.wtrace: nothing was recorded of 0 ring files; 0 lost in recording\n
        """)
    victim.end()
    try wait(for: "its end") { command.errorsSoFar.contains("its process has ended") }
    command.signal(SIGINT)
    let result = try command.wait()
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(result.errors.contains("the ring file is drained\n"), "\(result.errors)")
    #expect(rings.count == 1)
    try expectAll(of: victim, in: "out.wtrace")
    // Whoever recovers the file that was kept gets the whole again, and nothing twice.
    let recovered = try shop.rouse("recover", rings[0], "-o", "clean.wtrace", "--json")
    #expect(recovered.status == .exited(0), "\(recovered.errors)")
    #expect(try recovered.json()["inputs"]?.elements.last?["events"] == .integer(0))
    try expectAll(of: victim, in: "clean.wtrace")
  }

  @Test("recover, of a component that was killed; what is given stays as it is")
  func recover() throws {
    let victim = try Victim("block", trace: shop.path + "/own.wtrace", in: shop.path)
    try wait(for: "a component that goes on") { victim.returned(0) > 6_000 }
    let ring = try #require(rings.first)
    func expectNoOutput(_ output: String) throws {
      for options in [[], ["--only-rest"]] {
        let refused = try RouseCommand.run(
          ["recover", ring, "-o", output] + options, folder: shop.path)
        #expect(refused.status == .exited(64), "\(refused.errors)")
      }
    }
    let living = try shop.rouse("recover", ring, "-o", "living.wtrace")
    #expect(living.status == .exited(1) && !shop.files.contains("living.wtrace"))
    #expect(
      living.errors == """
        rouse: \(ring): its process still runs, so nothing is recovered of it: it writes its own \
        trace; stop it first
        rouse: nothing could be recovered, so no trace is written\n
        """)
    try expectNoOutput("own.wtrace")
    victim.end()
    let before = (try shop.read(ring), try shop.read("own.wtrace"))
    for output in [ring, "own.wtrace"] { try expectNoOutput(output) }
    let result = try shop.rouse("recover", ring, "-o", "clean.wtrace", "--json")
    #expect(result.status == .exited(0), "\(result.errors)")
    try expectAll(of: victim, in: "clean.wtrace")
    let json = try result.json()
    let kept = Array(json["inputs"]?.elements ?? []).compactMap { $0["events"]?.wholeNumber }
    #expect(kept.count == 2 && kept.reduce(0, +) == json["events"]?.wholeNumber)
    #expect(json["output"] == .string("clean.wtrace") && json["refused"]?.elements.isEmpty == true)
    #expect(try shop.read(ring) == before.0 && shop.read("own.wtrace") == before.1)

    // The rest alone, of the ring or by attaching, has no event that the trace has.
    let rest = try shop.rouse("recover", ring, "--only-rest", "-o", "rest.wtrace", "--json")
    let events = try rest.json()["events"]?.wholeNumber ?? -1
    #expect(kept.last == events)
    let attached = try shop.rouse("record", "--attach", ".", "-o", "attached.wtrace", "--keep")
    if events > 0 {
      #expect(
        attached.errors.contains("attached.wtrace: \(events) event"), "\(events) \(attached.errors)"
      )
      // Events of the two threads at one time stand in the order in which their streams appear, which
      // depends on where the kill met the writer.
      func lines(_ traces: String...) throws -> [Substring] {
        let exported = try RouseCommand.run(["export"] + traces, folder: shop.path)
        return exported.output.split(separator: "\n").sorted()
      }
      #expect(try lines("own.wtrace", "attached.wtrace") == lines("clean.wtrace"))
    }
    // Without its trace, that is told.
    try FileManager.default.removeItem(atPath: shop.path + "/own.wtrace")
    try shop.write(before.0, to: ring)
    let alone = try shop.rouse("recover", ring, "-o", "alone.wtrace")
    #expect(alone.errors.contains("own.wtrace is not there"), "\(alone.errors)")
  }

  @Test("a full disk: the rings keep what could not be written")
  func fullDisk() throws {
    let victim = try Victim("block", in: shop.path)
    try wait(for: "events") { victim.returned(0) > 100 }
    victim.end()
    let full = try shop.rouse("record", "--attach", ".", "-o", "/dev/full")
    #expect(full.status == .exited(1))
    #expect(full.errors == "rouse: /dev/full: cannot be written: No space left on device\n")
    let whole = try shop.rouse("record", "--attach", ".", "-o", "out.wtrace")
    #expect(whole.status == .exited(0), "\(whole.errors)")
    try expectAll(of: victim, in: "out.wtrace")
  }

  @Test("verify, info and recover name the ring that a killed recorder has left, and its events")
  func leftRing() throws {
    let victim = try Victim("block", trace: shop.path + "/own.wtrace", in: shop.path)
    try wait(for: "a component that goes on") { victim.returned(0) > 6_000 }
    let ring = try #require(rings.first)
    #expect(try shop.rouse("verify", "own.wtrace").errors == "", "the recorder still runs")
    victim.end()
    let whole = try shop.rouse("recover", ring, "-o", "clean.wtrace", "--json")
    let rest = try whole.json()["inputs"]?.elements.last?["events"]
    for command in [["verify"], ["info"], ["recover", "-o", "alone.wtrace"]] {
      let result = try RouseCommand.run(command + ["own.wtrace"], folder: shop.path)
      guard case .integer(let events)? = rest, events > 0 else { continue }
      #expect(
        result.errors.contains(
          "\(ring): was left by a recorder of own.wtrace that was not closed; \(events) event"),
        "\(command): \(result.errors)")
    }
    // One that was killed early has an empty trace.
    try shop.write("", to: "own.wtrace")
    let empty = try shop.rouse("verify", "own.wtrace")
    #expect(empty.status == .exited(1) && empty.errors.contains("the file is empty"))
    #expect(
      empty.errors.contains("\(ring): was left by a recorder") || rest == .integer(0),
      "\(empty.errors)")
  }

  @Test("recover goes on with other files behind one that it cannot read")
  func badFiles() throws {
    let victim = try Victim("block", in: shop.path)
    try wait(for: "events") { victim.returned(0) > 100 }
    victim.end()
    let ring = try #require(rings.first)
    var version = try shop.read(ring)
    version[7] = 9
    try shop.write(version, to: "version.ring")
    try shop.write([UInt8](repeating: 0, count: 4_096), to: "header.ring")
    try shop.write(Array(version.prefix(100_000)), to: "short.ring")
    try shop.write((0..<3_000).map { UInt8(truncatingIfNeeded: $0 &* 37) }, to: "random.ring")
    let trace = try shop.importing(Workshop.saves(10), as: "in")
    let bad = [
      ("version.ring", "ring file of version 9; this program reads version"),
      ("header.ring", "is no ring file, or one whose header was not finished"),
      ("short.ring", "is no ring file, or one whose header was not finished"),
      ("missing.ring", "cannot be opened: No such file or directory"),
    ]
    let result = try RouseCommand.run(
      ["recover"] + bad.map(\.0) + ["in.wtrace", "-o", "out.wtrace", "--json"], folder: shop.path)
    #expect(result.status == .exited(1))
    for (name, message) in bad {
      #expect(result.errors.contains("rouse: \(name): \(message)"), "\(result.errors)")
    }
    #expect(try result.json()["refused"]?.elements.count == bad.count)
    #expect(try shop.read("out.wtrace") == trace)
    for name in bad.map(\.0) + ["random.ring"] {
      let alone = try shop.rouse("recover", name, "-o", "none.wtrace")
      #expect(alone.status == .exited(1), "\(name)")
      #expect(
        alone.errors.hasSuffix("rouse: nothing could be recovered, so no trace is written\n"),
        "\(name): \(alone.errors)")
      #expect(!shop.files.contains("none.wtrace"), "\(name)")
    }
    // A pipe is read but once.
    let piped = try shop.rouse("recover", "-", "-o", "piped.wtrace", stdin: trace)
    #expect(piped.status == .exited(0), "\(piped.errors)")
    #expect(try shop.read("piped.wtrace") == trace)
    #expect(try shop.shell("cat in.wtrace | \"$ROUSE\" recover - -o p").status == .exited(0))
    #expect(try shop.read("p") == trace)
  }
}
