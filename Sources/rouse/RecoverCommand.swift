import Measurement
import WakeTrace

/// `rouse recover`
enum RecoverCommand: Command {
  static let specification = Specification(
    name: "recover",
    summary: "Make a clean trace of what a crash or damage has left.",
    operands: "RING|TRACE… -o TRACE",
    operandCount: 1...(.max),
    discussion: """
      RING is a ring file that a killed recorder left (in /dev/shm, unless it was told otherwise); its
      trace is recovered with it. TRACE is a trace that is torn or damaged. Whole blocks are kept, each
      once; what was kept and what was lost is told. What is given is never changed.
      """,
    options: [
      .init("--output", short: "-o", value: "TRACE", "The clean trace; '-' is standard output."),
      .init("--only-rest", "Of a ring, only what its trace does not hold."),
      .init("--level", value: "N", "zlib's level for events of rings, 0 to 9 (default 6)."),
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let outputPath = try arguments.required("--output")
    let level = try arguments.number("--level", in: 0...9) ?? 6
    var traces: [String] = []
    var rings: [String] = []
    for path in arguments.operands {
      if try TraceRecovery.isRingFile(path) { rings.append(path) } else { traces.append(path) }
    }
    if !arguments.has("--only-rest") {
      for path in try rings.flatMap({ try TraceRecovery.traces(ofRingFile: $0) })
      where !traces.contains(where: { TraceRecovery.isSameFile($0, path) }) {
        traces.append(path)
      }
    }
    if let path = (traces + rings).first(where: { TraceRecovery.isSameFile($0, outputPath) }) {
      throw arguments.usage("'\(path)' is input, which is never changed, and cannot be the output")
    }

    let output = try FileOutput(path: outputPath)
    let recovery = TraceRecovery(to: output, level: level)
    var reports: [TraceRecovery.Report] = []
    for path in traces { reports.append(try recovery.add(trace: try TraceFile(path: path))) }
    for path in rings { reports.append(try recovery.add(ringFile: path)) }
    for report in reports { Console.message(text(report)) }
    let events = reports.reduce(0) { $0 + $1.events }
    guard events > 0 else {
      Console.message("nothing could be recovered, so there is no trace")
      return .failure
    }
    try output.commit()
    Console.message(
      "\(output.name): \(events) events in \(reports.reduce(0) { $0 + $1.blocks }) blocks")
    return .success
  }

  private static func text(_ report: TraceRecovery.Report) -> String {
    var lines = report.problems.map { "\($0)" }
    let unit = report.isRingFile ? "bytes without an event" : "bytes without a block"
    lines.append(
      """
      \(report.file): kept \(report.events) events in \(report.blocks) blocks; left out \
      \(report.damagedBlocks) damaged blocks (\(report.damagedEvents) events by their headers), \
      \(report.repeatedBlocks) repeated ones and \(report.strayBytes) \(unit); \
      \(report.lostInRecording) events were lost in recording
      """)
    return lines.joined(separator: "\nrouse: ")
  }
}
