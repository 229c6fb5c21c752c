import Foundation
import Testing
import WakeRecorder
import WakeTestSupport
import WakeTrace

/// A program whose calls fail in turn, and what is true after each.
struct FaultScenario: Sendable, CustomTestStringConvertible {
  var name: String
  /// A program of the build.
  var program = "rouse"
  var arguments: [String]
  /// Faults of every run.
  var always = ""
  /// Makes the files that the program finds.
  var prepare: @Sendable (Workshop) throws -> Void
  /// Makes what the program finds beside these files: links and sockets.
  var plant: @Sendable (Workshop) throws -> Void = { _ in }
  /// What happens while the program runs.
  var meanwhile: @Sendable (Workshop, RunningCommand) -> Void = { _, _ in }
  /// What is wrong after a run; each objection is a line.
  var objections: @Sendable (Workshop, RouseCommand.Result, Template) throws -> [String]

  var testDescription: String { name }

  /// What the program finds, and what it makes when nothing fails.
  struct Template {
    var found: [String: [UInt8]]
    var made: [String: [UInt8]]
  }
}

extension FaultScenario {
  static let all: [FaultScenario] =
    [
      command("import", ["import", "jsonl", "in.jsonl", "-o", "out", "--durable"]),
      command(
        "import where no file is nameless", ["import", "jsonl", "in.jsonl", "-o", "out"],
        always: "nameless:1+:\(EOPNOTSUPP)"),
      command(
        "import through a link", ["import", "jsonl", "in.jsonl", "-o", "out"], behind: "real"),
      command("import from Apple Health", ["import", "apple-health", "in.xml", "-o", "out"]),
      command("repack", ["repack", "in.wtrace", "-o", "out"]),
      command("export", ["export", "in.wtrace", "-o", "out"]),
      command(
        "the wake log", ["replay", "in.wtrace", "--policy", "policy.json", "--wakes", "out"]),
      command("recover a trace", ["recover", "in.wtrace", "-o", "out"]),
      recoverRing, attach, record("record", found: []),
      record("record behind a torn block", found: Array("torn".utf8)),
      record("record through a link", found: Array("torn".utf8), behind: "real"),
      recordFolder, recordSocket,
      component("a component", "durable"), component("a component, rotating", "rotating"),
      component("a component, through a link", "durable", behind: "real"), snapshot,
    ] + (OtherPrograms.has("xz") ? [importDecompressed] : [])

  private static let importDecompressed = command(
    "import of what another program decompresses", ["import", "jsonl", "in.jsonl.xz", "-o", "out"])

  static let saves = 300

  private static let health = """
    <?xml version="1.0"?>
    <HealthData>
      <Record type="T" sourceName="S" startDate="2026-01-01 00:00:00 +0000"
        endDate="2026-01-01 00:00:01 +0000" creationDate="2026-01-01 00:00:02 +0000" value="1"/>
    </HealthData>
    """

  /// A command that replaces the file `out`, or the one to which `out` is a link.
  private static func command(
    _ name: String, _ arguments: [String], always: String = "", behind file: String? = nil
  ) -> FaultScenario {
    FaultScenario(name: name, arguments: arguments, always: always) { shop in
      try shop.importing(Workshop.saves(saves), as: "in")
      if arguments.contains("in.jsonl.xz") {
        let made = try shop.shell("xz --keep in.jsonl")
        try #require(made.status == .exited(0), "\(made.errors)")
      }
      try shop.write(Workshop.policy, to: "policy.json")
      try shop.write(health, to: "in.xml")
      try shop.write("old", to: file ?? "out")
    } plant: { shop in
      try link(to: file, in: shop)
    } objections: { shop, result, template in
      var objections = lostLinks(shop, file)
      let out = try shop.read("out")
      switch result.status {
      case .exited(0):
        if out != template.made[file ?? "out"] { objections.append("out is not what it should be") }
      case .exited(1):
        // The report of a replay is printed after the log is in place.
        let isInPlace = ["is in place", "standard output"].contains(where: result.errors.contains)
        if out != (isInPlace ? template.made : template.found)[file ?? "out"] {
          objections.append("out is neither as it was nor whole")
        }
        let names = [
          "in.jsonl", "in.jsonl.xz", "in.wtrace", "in.xml", "policy.json", "out", "standard output",
          "waiting for signals",
        ]
        if !names.contains(where: { result.errors.contains("rouse: \($0): ") }) {
          objections.append("no file is named")
        }
      default: break
      }
      for name in ["in.jsonl", "in.wtrace"] where try shop.read(name) != template.found[name] {
        objections.append("\(name) is changed")
      }
      return objections + leftovers(shop)
    }
  }

  private static let recoverRing = FaultScenario(
    name: "recover a ring", arguments: ["recover", "a.ring", "-o", "out"], prepare: leaveRing
  ) { shop, result, template in
    var objections = leftovers(shop)
    if try shop.read("a.ring") != template.found["a.ring"] {
      objections.append("the ring is changed")
    }
    if shop.files.contains("out") {
      let kept = try verify(shop, "out", &objections)
      if kept != 500, result.status == .exited(0) || !result.errors.contains("a.ring") {
        objections.append("\(kept) events of 500 are kept, and that is not told")
      }
    } else if result.status == .exited(0) {
      objections.append("nothing was written")
    }
    return objections
  }

  private static let attach = FaultScenario(
    name: "record --attach",
    arguments: ["record", "--attach", ".", "-o", "out", "--durable"], prepare: leaveRing
  ) { shop, result, _ in
    var objections = leftovers(shop)
    let written = shop.files.contains("out") ? try verify(shop, "out", &objections) : 0
    guard shop.files.contains("a.ring") else {
      return objections
        + (written == 500 ? [] : ["\(written) of 500 events are written, and the ring is gone"])
    }
    if result.status == .exited(0), written != 500 {
      objections.append("\(written) of 500 events are written")
    }
    let recovered = try shop.rouse("recover", "a.ring", "-o", "clean")
    let kept = try verify(shop, "clean", &objections)
    if kept != 500 { objections.append("\(kept) of 500 events are recovered: \(recovered.errors)") }
    return objections
  }

  /// A capture of lines to a trace that exists, if `found` is not empty with so many bytes of a torn block.
  private static func record(
    _ name: String, found: [UInt8], behind file: String? = nil
  ) -> FaultScenario {
    FaultScenario(
      name: name, arguments: ["record", "in.jsonl", "-o", "out", "--durable"]
    ) { shop in
      let trace = try shop.importing(Workshop.saves(saves), as: "in")
      if !found.isEmpty { try shop.write(trace + trace.prefix(40), to: file ?? "out") }
    } plant: { shop in
      try link(to: file, in: shop)
    } objections: { shop, result, template in
      var objections = leftovers(shop) + lostLinks(shop, file)
      let told = eventsTold(result)
      if result.status == .exited(0), told != saves { objections.append("\(told) events are told") }
      guard shop.files.contains("out") else {
        return objections + (told == 0 ? [] : ["\(told) events are told, and out is not there"])
      }
      let before = found.isEmpty ? 0 : saves
      let isTorn = result.errors.contains("torn block") || shop.hasTornTail("out")
      let written = try verify(shop, "out", &objections, mayBeTorn: isTorn)
      if written != before + told {
        objections.append("\(told) events are told, \(written - before) are in out")
      }
      // The next run goes on.
      let again = try shop.rouse("record", "in.jsonl", "-o", "out")
      if again.status != .exited(0) { objections.append("the next run: \(again.errors)") }
      let then = try verify(shop, "out", &objections)
      if then != written + saves { objections.append("the next run leaves \(then) events") }
      return objections
    }
  }

  /// The events that `record` says it has written: either "3 of 300 events were written" or "out: 300 events in 1 block".
  static func eventsTold(_ result: RouseCommand.Result) -> Int {
    result.errors.firstMatch(of: #/(\d+) of \d+ events were written/#).flatMap { Int($0.1) }
      ?? result.errors.firstMatch(of: #/out: (\d+) events? in/#).flatMap { Int($0.1) } ?? 0
  }

  /// A component that writes one trace, or `rotating`, each block to another one of a folder.
  private static func component(
    _ name: String, _ how: String, behind file: String? = nil
  ) -> FaultScenario {
    FaultScenario(
      name: name, program: "RecordingVictim", arguments: [how, "out", "."]
    ) { shop in
      if let file { try shop.write("", to: file) }
    } plant: { shop in
      try link(to: file, in: shop)
    } objections: { shop, result, _ in
      var objections = leftovers(shop) + lostLinks(shop, file)
      let told = result.output.firstMatch(of: #/recorded (\d+) lost (\d+)/#)
      let recorded = told.flatMap { Int($0.1) } ?? 0
      let lost = told.flatMap { UInt64($0.2) } ?? 0
      let rings = shop.files.filter { $0.hasSuffix(".ring") }
      // What a link leads to was there before.
      let left = rings + (file == nil ? traces(shop) : [])
      if told == nil, !left.isEmpty {
        objections.append("an open that failed left \(left)")
      }
      let says = result.output.contains("close: ")
      if !says, !rings.isEmpty { objections.append("close said nothing, and the ring is there") }
      var (events, counted): (Int, UInt64) = (0, 0)
      if let ring = rings.first {
        let recovered = try shop.rouse("recover", ring, "-o", "clean")
        if shop.files.contains("clean") {
          events = try verify(shop, "clean", &objections, lost: &counted)
        } else if recorded > 0 {
          objections.append("nothing is recovered: \(recovered.errors)")
        }
      } else {
        for trace in traces(shop) {
          var lost: UInt64 = 0
          events += try verify(shop, trace, &objections, lost: &lost)
          counted += lost
        }
      }
      if events != recorded {
        objections.append("\(recorded) events are recorded, \(events) are kept")
      }
      if counted != lost { objections.append("\(lost) events are lost, \(counted) are counted") }
      return objections
    }
  }

  private static let snapshot = FaultScenario(
    name: "a snapshot", program: "RecordingVictim", arguments: ["snapshot", "out", "."]
  ) { shop in
    try shop.write("old", to: "out")
  } objections: { shop, result, template in
    var objections = leftovers(shop)
    let out = try shop.read("out")
    if result.output.contains("open: ") || result.output.contains("producer: ") {
      return objections
    }
    if result.output.contains("write: "), !result.output.contains("is in place") {
      if out != template.found["out"] { objections.append("out is changed, and an error told") }
    } else {
      let events = try verify(shop, "out", &objections)
      if events != 500 { objections.append("the snapshot has \(events) events") }
    }
    return objections
  }
}

extension FaultScenario {
  /// Leaves 500 events in `a.ring`.
  @Sendable private static func leaveRing(_ shop: Workshop) throws {
    let victim = RouseCommand.path.replacing("/rouse", with: "/RecordingVictim")
    let made = try shop.shell(
      "\(victim) - block . progress 1 500 > told && mv *.ring a.ring && rm progress told")
    try #require(made.status == .exited(0), "\(made.errors)")
  }

  /// The trace `out`, or the traces of a folder of this name.
  static func traces(_ shop: Workshop) -> [String] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: shop.path + "/out")
    else { return shop.files.filter { $0 == "out" } }
    return names.sorted().map { "out/\($0)" }
  }

  /// Makes `out` a link to a file.
  private static func link(to file: String?, in shop: Workshop) throws {
    guard let file else { return }
    try FileManager.default.createSymbolicLink(
      atPath: shop.path + "/out", withDestinationPath: file)
  }

  /// Whether a run has replaced the link `out`.
  private static func lostLinks(_ shop: Workshop, _ file: String?) -> [String] {
    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: shop.path + "/out")
    return target == file ? [] : ["out is a link to \(target ?? "nothing"), not \(file ?? "none")"]
  }

  /// The files that a run left and that nobody can use.
  static func leftovers(_ shop: Workshop) -> [String] {
    shop.files.filter { $0.hasSuffix(".partial") || $0.hasPrefix(".rouse-") }.map {
      "\($0) is left"
    }
  }

  static func verify(
    _ shop: Workshop, _ name: String, _ objections: inout [String], mayBeTorn: Bool = false
  ) throws -> Int {
    var lost: UInt64 = 0
    return try verify(shop, name, &objections, lost: &lost, mayBeTorn: mayBeTorn)
  }

  /// The events of a trace, which must be whole and is recovered entirely.
  static func verify(
    _ shop: Workshop, _ name: String, _ objections: inout [String], lost: inout UInt64,
    mayBeTorn: Bool = false
  ) throws -> Int {
    let path = "\(shop.path)/\(name)"
    if !FileManager.default.fileExists(atPath: path) {
      objections.append("\(name) is not there")
      return 0
    }
    if try shop.read(name).isEmpty { return 0 }
    let verification = TraceVerification(of: try TraceFile(path: path))
    if !verification.isWhole, !mayBeTorn { objections.append("\(verification.problems)") }
    lost = verification.lostEvents
    let recovery = TraceRecovery(to: try FileOutput(path: "/dev/null"))
    let kept = try recovery.add(trace: try TraceFile(path: path)).events
    if kept != verification.events {
      objections.append("\(name): verify finds \(verification.events) events, recover \(kept)")
    }
    return verification.events
  }
}

extension Workshop {
  /// Whether a trace ends within a block.
  fileprivate func hasTornTail(_ name: String) -> Bool {
    guard let file = try? TraceFile(path: "\(path)/\(name)") else { return false }
    return TraceVerification(of: file).problems.contains { $0.code == .truncated }
  }
}
