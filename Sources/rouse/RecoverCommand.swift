import CommandLineSupport
import FoundationEssentials
import WakeTrace

/// `rouse recover`
enum RecoverCommand: Command {
  static let name = "recover"
  static let specification = Specification(
    name: name,
    summary: "Make a clean trace of what a crash or damage has left.",
    operands: "RING|TRACE… -o TRACE",
    operandCount: 1...(.max),
    discussion: """
      RING is a ring file that a killed recorder left (in /dev/shm, unless it was told otherwise); its
      trace is recovered with it. Nothing is taken of a ring whose process still runs. TRACE is a trace
      that is torn or damaged. Whole blocks are kept, each once; what was kept and what was lost is
      told. What is given is never changed; a ring file stays until you delete it. The exit status is 1
      if a file is neither or in use, or nothing could be kept.
      """,
    options: [
      .init("--output", short: "-o", value: "TRACE", "The clean trace; '-' is standard output."),
      .init("--only-rest", "Of a ring, only what its trace does not hold."),
      .init("--level", value: "N", "zlib's level for events of rings, 0 to 9 (default 6)."),
      .init("--json", "Print what was kept and lost as JSON."),
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let outputPath = try arguments.required("--output")
    let level = try arguments.number("--level", in: 0...9) ?? 6
    if arguments.has("--json"), outputPath == "-" {
      throw arguments.usage("standard output cannot take both the trace and --json")
    }
    var inputs = Inputs()
    for path in arguments.operands { inputs.add(path, withTrace: !arguments.has("--only-rest")) }
    if let path = inputs.given.first(where: { TraceRecovery.isSameFile($0, outputPath) }) {
      throw arguments.usage("'\(path)' is input, which is never changed, and cannot be the output")
    }

    let output = try FileOutput(path: outputPath)
    let recovery = TraceRecovery(to: output, level: level)
    var reports: [TraceRecovery.Report] = []
    func add(_ body: () throws(TraceError) -> TraceRecovery.Report) throws(TraceError) {
      do throws(TraceError) {
        reports.append(try body())
      } catch let error {
        if error.file == output.name { throw error }
        inputs.refuse(error)
      }
    }
    for file in inputs.traces { try add { () throws(TraceError) in try recovery.add(trace: file) } }
    for ring in inputs.rings { try add { () throws(TraceError) in try recovery.add(ring) } }
    for report in reports { Console.message(text(report)) }
    let events = reports.reduce(0) { $0 + $1.events }
    let blocks = reports.reduce(0) { $0 + $1.blocks }
    if events > 0 { try output.commit() }
    if arguments.has("--json") {
      try Console.print(try json(reports, inputs.refused, output: events > 0 ? outputPath : nil))
    }
    guard events > 0 else {
      Console.message("nothing could be recovered, so there is no trace")
      return .failure
    }
    Console.message(
      "\(output.name): \(Console.counted(events, "event")) in \(Console.counted(blocks, "block"))")
    return inputs.refused.isEmpty ? .success : .failure
  }

  /// What is given, told apart.
  private struct Inputs {
    /// What may not be the output: files that are given, and the traces of rings.
    var given: [String] = []
    var traces: [TraceFile] = []
    var rings: [LeftRing] = []
    /// Why files are left out.
    var refused: [TraceError] = []

    /// Adds a file, or tells why it is none that anything can be recovered from.
    mutating func add(_ path: String, withTrace: Bool) {
      do throws(TraceError) {
        if path != "-" { given.append(path) }
        // Opened once, as a pipe can be read but once.
        let file = try TraceFile(path: path)
        guard path != "-", try TraceRecovery.isRingFile(file) else {
          addTrace(path, file)
          return
        }
        guard !rings.contains(where: { TraceRecovery.isSameFile($0.path, path) }) else { return }
        let ring = try LeftRing(path)
        given += ring.traces
        // From here on its trace stays as it is.
        try ring.claim()
        rings.append(ring)
        for trace in ring.traces where withTrace {
          // One may be gone or a pipe; one that was just begun may be empty.
          guard TraceRecovery.isPlainFile(trace) else { continue }
          if let file = try? TraceFile(path: trace) { addTrace(trace, file) }
        }
      } catch let error {
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
    var lines = report.problems.map { "\($0)" }
    let kept =
      "\(report.file): kept \(Console.counted(report.events, "event")) in "
      + Console.counted(report.blocks, "block")
    guard !report.isRingFile else {
      lines.append(
        """
        \(kept) beyond its traces; left out \(Console.counted(report.repeatedEvents, "event")) that \
        the result holds and \(Console.counted(Int(report.strayBytes), "byte")) without an event; \
        \(report.lostInRecording) events were lost in recording; the ring file stays until you \
        delete it
        """)
      return lines.joined(separator: "\nrouse: ")
    }
    lines.append(
      """
      \(kept); left out \
      \(Console.counted(report.damagedBlocks, "damaged block")) (\(report.damagedEvents) events by \
      their headers), \(report.repeatedBlocks) repeated and \
      \(Console.counted(Int(report.strayBytes), "byte")) without a block; \
      \(report.lostInRecording) events were lost in recording
      """)
    return lines.joined(separator: "\nrouse: ")
  }

  private struct Record: Encodable {
    struct Problem: Encodable {
      var code: String
      var file: String
      var offset: Int64?
      var message: String

      init(_ error: TraceError) {
        (code, file) = ("\(error.code)", error.file)
        (offset, message) = (error.offset, error.message)
      }
    }

    struct Input: Encodable {
      var file: String
      var isRingFile: Bool
      var events: Int
      var blocks: Int
      var repeatedBlocks: Int
      var repeatedEvents: Int
      var damagedBlocks: Int
      var damagedEvents: Int
      var strayBytes: Int64
      var lostInRecording: UInt64
      var problems: [Problem]
    }

    /// Nil if nothing could be recovered.
    var output: String?
    var events: Int
    var blocks: Int
    var inputs: [Input]
    var refused: [Problem]
  }

  private static func json(
    _ reports: [TraceRecovery.Report], _ refused: [TraceError], output: String?
  ) throws -> String {
    let record = Record(
      output: output, events: reports.reduce(0) { $0 + $1.events },
      blocks: reports.reduce(0) { $0 + $1.blocks },
      inputs: reports.map { report in
        Record.Input(
          file: report.file, isRingFile: report.isRingFile, events: report.events,
          blocks: report.blocks, repeatedBlocks: report.repeatedBlocks,
          repeatedEvents: report.repeatedEvents,
          damagedBlocks: report.damagedBlocks, damagedEvents: report.damagedEvents,
          strayBytes: report.strayBytes, lostInRecording: report.lostInRecording,
          problems: report.problems.map(Record.Problem.init))
      }, refused: refused.map(Record.Problem.init))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(record), as: UTF8.self) + "\n"
  }
}
