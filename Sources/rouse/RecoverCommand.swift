import CommandLineSupport
import Measurement
import WakeEvents
import WakeJSON
import WakeRecorder
import WakeTrace

enum RecoverCommand: Command {
  static let specification = Specification(
    name: "recover",
    summary: "Recover a valid trace from ring files or from damaged traces.",
    operands: "RING|TRACE… -o TRACE",
    operandCount: 1...(.max),
    discussion: """
      RING is a ring file of a recorder that was killed (by default in /dev/shm); the recorder's trace
      is recovered with it. The ring of a running process is refused. TRACE is a truncated or damaged
      trace; '-' is standard input. Each intact block is kept once, and the command reports what it
      kept and what is lost. A ring's trace is left out if it belongs to another user than the ring.
      Input files are never changed; delete a ring file yourself. The exit status is 1 if a file cannot
      be read, is empty or is in use, or if nothing could be recovered. A file without any block is
      damage, which the report tells. An operand may be @LIST, a file with the path of a RING or TRACE
      in each line.
      """,
    options: [
      .output,
      .init("--only-rest", "Recover only the events of a ring that its trace lacks."),
      .init("--level", value: "N", "zlib's level for the events of rings, 0 to 9 (default 6)."),
      .init("--json", "Print what was kept and what is lost as JSON."),
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let outputPath = try arguments.outputTrace()
    let level = try arguments.level(default: 6)
    if arguments.has("--json"), outputPath == "-" {
      throw arguments.usage("the trace and --json cannot both go to standard output")
    }
    var inputs = Inputs()
    let paths = try arguments.paths()
    for path in paths.all { inputs.add(path, withTrace: !arguments.has("--only-rest")) }
    let read = inputs.given + paths.inputs
    if let path = read.first(where: { TraceRecovery.isSameFile($0, outputPath) }) {
      throw arguments.usage("'\(path)' is an input and cannot be the output")
    }

    // What was in a ring file stays as private as that was.
    let output = try FileOutput(
      path: outputPath,
      isPrivate: !inputs.rings.isEmpty || inputs.traces.contains(where: \.isPrivate))
    let recovery = TraceRecovery(to: output, level: level)
    var reports: [TraceRecovery.Report] = []
    func add(_ body: () throws(TraceError) -> [TraceRecovery.Report]) throws(TraceError) {
      do throws(TraceError) {
        reports += try body()
      } catch let error {
        if error.file == output.name { throw error }
        inputs.refuse(error)
      }
    }
    try add { () throws(TraceError) in try recovery.add(inputs.traces) }
    for ring in inputs.rings { try add { () throws(TraceError) in [try recovery.add(ring)] } }
    for report in reports { Console.message(text(report)) }
    for trace in paths.all where !arguments.has("--only-rest") {
      Console.tellLeftRings(of: trace, but: inputs.rings.map(\.path))
    }
    let events = reports.reduce(0) { $0 + $1.events }
    let blocks = reports.reduce(0) { $0 + $1.blocks }
    if events > 0 { try output.commit() }
    if arguments.has("--json") {
      let outcome = Outcome(
        blocks: blocks, events: events, inputs: reports, output: events > 0 ? outputPath : nil,
        refused: inputs.refused)
      try Console.print(outcome.json)
    }
    guard events > 0 else {
      Console.message("nothing could be recovered, so no trace is written")
      return .failure
    }
    Console.message(
      "\(output.name.shown): \(Quantity.counted(events, "event")) in \(Quantity.counted(blocks, "block"))"
    )
    return inputs.refused.isEmpty ? .success : .failure
  }

  /// The input files by kind.
  private struct Inputs {
    /// Files that must not be the output: the inputs, and the traces of rings.
    var given: [String] = []
    var traces: [TraceFile] = []
    var rings: [LeftRing] = []
    /// Why inputs were refused.
    var refused: [TraceError] = []

    /// Adds an input, or reports why it is refused.
    mutating func add(_ path: String, withTrace: Bool) {
      do throws(TraceError) {
        if path != "-" { given.append(path) }
        let file = try TraceRecovery.open(path)
        guard path != "-", try TraceRecovery.isRingFile(file) else {
          addTrace(path, file)
          return
        }
        guard !rings.contains(where: { TraceRecovery.isSameFile($0.path, path) }) else { return }
        let ring = try LeftRing(path)
        given += ring.traces
        // Keeps recorders from writing to its trace from here on.
        try ring.claim()
        rings.append(ring)
        for trace in ring.traces where withTrace {
          // The trace may be missing or a pipe, or empty where nothing was written.
          guard TraceRecovery.isPlainFile(trace) else { continue }
          do throws(TraceError) {
            addTrace(trace, try ring.open(trace))
          } catch {
            if error.code != .empty { refuse(error) }
          }
        }
      } catch var error {
        if error.code == .empty {
          error.message =
            "the file is empty: no block was written; what its recorder still had is in the ring file"
        }
        refuse(error)
      }
    }

    private mutating func addTrace(_ path: String, _ file: TraceFile) {
      guard !traces.contains(where: { TraceRecovery.isSameFile($0.name, path) }) else { return }
      traces.append(file)
    }

    mutating func refuse(_ error: TraceError) {
      refused.append(error)
      Console.message("\(error)")
    }
  }

  private static func text(_ report: TraceRecovery.Report) -> String {
    let stray = Quantity.counted(Int(report.strayBytes), "byte")
    let leftOut =
      report.isRingFile
      ? """
      beyond its traces; left out \(Quantity.counted(report.repeatedEvents, "event")) that the \
      result holds and \(stray) without an event
      """
      : """
      left out \(Quantity.counted(report.damagedBlocks, "damaged block")) \
      (\(report.damagedEvents) events by their headers), \(report.repeatedBlocks) repeated and \
      \(stray) without a block
      """
    let summary = """
      \(report.file.shown): kept \(Quantity.counted(report.events, "event")) in \
      \(Quantity.counted(report.blocks, "block"))\(report.isRingFile ? " " : "; ")\(leftOut); \
      \(report.lostInRecording) events were lost in recording\
      \(report.isRingFile ? "; the ring file stays until you delete it" : "")
      """
    return (report.problems.map { "\($0)" } + [summary]).joined(separator: "\nrouse: ")
  }

  /// The object of `--json`.
  private struct Outcome {
    let blocks: Int
    let events: Int
    let inputs: [TraceRecovery.Report]
    /// Nil if nothing could be recovered.
    let output: String?
    let refused: [TraceError]

    var json: String {
      var json = JSONWriter(.indented)
      json.object { json in
        json.member("blocks", blocks)
        json.member("events", events)
        json.member("inputs", inputs, Self.write)
        json.memberIfPresent("output", output)
        json.member("refused", refused, Self.write)
      }
      return json.text
    }

    private static func write(_ json: inout JSONWriter, _ report: TraceRecovery.Report) {
      json.object { json in
        json.member("blocks", report.blocks)
        json.member("damagedBlocks", report.damagedBlocks)
        json.member("damagedEvents", report.damagedEvents)
        json.member("events", report.events)
        json.member("file", report.file)
        json.member("isRingFile", report.isRingFile)
        json.member("lostInRecording", report.lostInRecording)
        json.member("problems", report.problems, write)
        json.member("repeatedBlocks", report.repeatedBlocks)
        json.member("repeatedEvents", report.repeatedEvents)
        json.member("strayBytes", report.strayBytes)
      }
    }

    private static func write(_ json: inout JSONWriter, _ error: TraceError) {
      json.object { json in
        json.member("code", error.code.description)
        json.member("file", error.file)
        json.member("message", error.message)
        json.memberIfPresent("offset", error.offset)
      }
    }
  }
}
