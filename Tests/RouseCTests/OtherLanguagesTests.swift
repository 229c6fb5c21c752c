import Foundation
import Testing
import WakeEvents
import WakeTestSupport
import WakeTrace

/// The recorder from programs of other languages, which are compiled here; and the one in Swift.
@Suite("Components record")
struct OtherLanguagesTests {
  private let workshop: ComponentWorkshop

  init() throws { workshop = try ComponentWorkshop() }

  private func expectTrace(_ name: String, events: Int, streams: Int) throws {
    let verification = try workshop.verification(name)
    #expect(verification.isWhole, "\(verification.problems)")
    #expect(verification.events == events && verification.streams == streams)
  }

  @Test("C: the example")
  func example() throws {
    try workshop.compileAndRun(
      ["Examples/component.c"], compiler: ["clang", "-std=c11", "-pedantic"],
      [workshop.file("a.wtrace")])
    // Two threads that follow each other may share a ring.
    let verification = try workshop.verification("a.wtrace")
    #expect(verification.isWhole && verification.events == 2_002)
  }

  @Test("C++: the example")
  func plusPlus() throws {
    try workshop.compileAndRun(
      ["Examples/component.cpp"], compiler: ["clang++", "-std=c++17", "-pedantic"],
      [workshop.file("a.wtrace")])
    try expectTrace("a.wtrace", events: 1_000, streams: 1)
  }

  @Test("Python: the example, through ctypes")
  func python() throws {
    let script = ComponentWorkshop.source("Examples/component.py")
    try workshop.run(["python3", script, ComponentWorkshop.library, workshop.file("a.wtrace")])
    try expectTrace("a.wtrace", events: 1_002, streams: 1)
  }

  @Test("Swift: the example")
  func swift() throws {
    let trace = workshop.file("a.wtrace")
    let output = try workshop.run([ComponentWorkshop.built + "/RecordingComponent", trace])
    #expect(output.isEmpty)
    let verification = try workshop.verification("a.wtrace")
    #expect(verification.isWhole && verification.events == 2_002)
  }

  @Test("C: every sort of event comes back as it was given")
  func everyEvent() throws {
    let trace = workshop.file("a.wtrace")
    try workshop.compileAndRun(
      ["Resources/every.c"], compiler: ["clang", "-std=c11", "-pedantic"], [trace])
    let expected = try String(
      contentsOfFile: ComponentWorkshop.source("Resources/every.jsonl"), encoding: .utf8)
    let exported = try workshop.export(trace)
    let pairs = zip(exported.split(separator: "\n"), expected.split(separator: "\n"))
    for (line, wanted) in pairs { #expect(line == wanted) }
    #expect(exported == expected)
    for kind in InputKind.allCases {
      #expect(expected.contains("\"k\":\"\(kind.word)\""), "\(kind) is not recorded")
    }
  }

  @Test("C: what makes no sense is answered by codes; signals, fork")
  func errors() throws {
    try workshop.compileAndRun(
      ["Resources/errors.c"], compiler: ["clang", "-std=gnu11"], [workshop.folder.path])
    try expectTrace("a.wtrace", events: 108, streams: 2)
    try expectTrace("child.wtrace", events: 1, streams: 1)
    #expect(try rings().isEmpty)
  }

  @Test("C: children that are forked off while threads use the recorder")
  func forks() throws {
    try workshop.compileAndRun(
      ["Resources/forks.c"], compiler: ["clang", "-std=gnu11"], [workshop.folder.path])
    try expectTrace("a.wtrace", events: 100, streams: 1)
    try expectTrace("child.wtrace", events: 100, streams: 100)
  }

  @Test("C: a signal handler records to the producer that it interrupts, nothing lost in silence")
  func signals() throws {
    let answered = try workshop.compileAndRun(
      ["Resources/signals.c"], compiler: ["clang", "-std=gnu11"], [workshop.file("a.wtrace")])
    let verification = try workshop.verification("a.wtrace")
    #expect(verification.isWhole)
    #expect(UInt64(verification.events) + verification.lostEvents == UInt64(answered))
  }

  @Test("C: a ring file that is cut short ends no thread that blocks all signals, and is told")
  func masked() throws {
    try workshop.compileAndRun(
      ["Resources/masked.c"], compiler: ["clang", "-std=gnu11"], [workshop.folder.path])
  }

  @Test("C: recorders that are closed before their producers leave nothing behind")
  func leftProducers() throws {
    let answered = try workshop.compileAndRun(
      ["Resources/left.c"], compiler: ["clang", "-std=gnu11"], [workshop.folder.path])
    let verification = try workshop.verification("left.wtrace")
    #expect(verification.isWhole && verification.events == Int(answered))
  }

  @Test("C: without standard input, output and error; and the command")
  func closedDescriptors() throws {
    let withoutAny = ["sh", "-c", #"exec "$0" "$@" <&- >&- 2>&-"#]
    try workshop.compileAndRun(
      ["Resources/closed.c"], compiler: ["clang", "-std=gnu11"], [workshop.folder.path],
      through: withoutAny)
    try expectTrace("closed.wtrace", events: 1, streams: 1)
    // What the command tells of its work must not reach the trace.
    let lines = workshop.file("a.jsonl")
    try workshop.export(workshop.file("closed.wtrace"))
      .write(toFile: lines, atomically: true, encoding: .utf8)
    let trace = workshop.file("b.wtrace")
    try workshop.run(
      withoutAny + [ComponentWorkshop.command, "record", lines, "-o", trace])
    try expectTrace("b.wtrace", events: 1, streams: 1)
  }

  @Test("C: full disks and folders without writing")
  func fullDisk() throws {
    try workshop.compileAndRun(
      ["Resources/disk.c"], compiler: ["clang", "-std=gnu11"], [workshop.folder.path])
    try expectTrace("full.wtrace", events: 1_025, streams: 1)
    let lost = try workshop.verification("full.wtrace").lostEvents
    #expect(lost == 10)
    // One was left by a recorder of /dev/full, one holds what stays.wtrace has no room for.
    var left: [String] = []
    for ring in try rings() {
      let trace = workshop.file("\(left.count).wtrace")
      try workshop.run([
        ComponentWorkshop.command, "recover", "--only-rest", workshop.file(ring), "-o", trace,
      ])
      left.append(try workshop.export(trace))
    }
    let saves = (0..<100).map {
      "{\"t\":\($0),\"k\":\"save\",\"type\":\"type\",\"source\":\"source\"}\n"
    }
    #expect(left.sorted { $0.count < $1.count } == [saves[0] + saves[0], saves.joined()])
  }

  @Test("C: traces that are moved or removed, ring folders, snapshots; nothing is lost in silence")
  func moved() throws {
    try workshop.compileAndRun(
      ["Resources/moved.c"], compiler: ["clang", "-std=gnu11"], [workshop.folder.path])
    try expectTrace("old.wtrace", events: 10, streams: 1)
    try expectTrace("live.wtrace", events: 25, streams: 1)
    try expectTrace("-", events: 7, streams: 1)
    #expect(try rings().isEmpty)
  }

  @Test("C: a pipe that nobody reads from holds up neither forks nor other calls")
  func slowPipe() throws {
    try workshop.compileAndRun(
      ["Resources/pipe.c"], compiler: ["clang", "-std=gnu11"], [workshop.folder.path])
    #expect(try rings().isEmpty)
  }

  @Test(
    "C: exit and a return from main close what is open; _exit leaves the ring",
    arguments: ["exit", "main", "_exit"])
  func exits(how: String) throws {
    try workshop.compileAndRun(
      ["Resources/ends.c"], compiler: ["clang", "-std=gnu11"], [workshop.folder.path, how])
    #expect(try rings().isEmpty == (how != "_exit"))
    if how != "_exit" { try expectTrace("a.wtrace", events: 100, streams: 1) }
  }

  @Test("C: exit does not wait for ever for the reader of a pipe; the ring stays")
  func exitWithPipe() throws {
    let program = try workshop.compile(
      ["Resources/ends.c"], compiler: ["clang", "-std=gnu11"])
    let start = ContinuousClock.now
    try workshop.run([program, workshop.folder.path, "pipe"])
    #expect(.now - start < .seconds(60), "it took \(ContinuousClock.now - start)")
    #expect(try rings().count == 1)
  }

  @Test("C: a thread that is cancelled while it waits for room does not hold up the end")
  func cancelled() throws {
    try workshop.compileAndRun(
      ["Resources/ends.c"], compiler: ["clang", "-std=gnu11"], [workshop.folder.path, "cancelled"],
      through: ["timeout", "-s", "KILL", "60"])
  }

  @Test("C: a recorder whose thread cannot be started is refused, and leaves nothing")
  func noThread() throws {
    let told = try workshop.compileAndRun(
      ["Resources/ends.c"], compiler: ["clang", "-std=gnu11"], [workshop.folder.path, "threads"])
    #expect(told.contains("the recorder's thread cannot be started"), "\(told)")
    #expect(try rings().isEmpty)
  }

  @Test("C: a compiler refuses a source in place of a type")
  func swapped() throws {
    let program = workshop.file("swapped.c")
    try """
    #include <rouse.h>
    int32_t f(rouse_producer_t p, rouse_type_t t, rouse_source_t s) { return rouse_save(p, 1, s, t); }
    """.write(toFile: program, atomically: true, encoding: .utf8)
    let include = URL(filePath: ComponentWorkshop.header).deletingLastPathComponent().path
    for compiler in [["clang", "-std=c11"], ["clang++", "-x", "c++", "-std=c++17"]] {
      let result = try OtherPrograms.run(
        compiler + ["-fsyntax-only", "-I", include, program], into: workshop.file("told"))
      #expect(result.status == 1 && result.output.contains("rouse_type_t"), "\(result.output)")
    }
  }

  private func rings() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: workshop.folder.path)
      .filter { $0.hasSuffix(".ring") }
  }

  @Test("the library has exactly the functions of its headers, and the version script names them")
  func functions() throws {
    let columns = ComponentWorkshop.header.replacing("rouse.h", with: "rouse_columns.h")
    let headers = try [ComponentWorkshop.header, columns].map {
      try String(contentsOfFile: $0, encoding: .utf8)
    }
    let declared = headers.joined().matches(of: /\b(rouse_[a-z_]+)\(/).map { String($0.1) }.sorted()
    let symbols = try workshop.run([
      "nm", "-D", "--defined-only", "--extern-only", ComponentWorkshop.library,
    ])
    let found = symbols.matches(of: /\bT (rouse_[a-z_]+)/).map { String($0.1) }.sorted()
    #expect(Set(declared) == Set(found))
    let script = try String(
      contentsOf: ComponentWorkshop.package.appending(path: "Sources/RouseC/Install/librouse.map"),
      encoding: .utf8)
    #expect(Set(script.matches(of: /\b(rouse_[a-z_]+);/).map { String($0.1) }) == Set(declared))
  }
}
