import CommandLineSupport
import WakeImport
import WakeTrace

enum ExportCommand: Command {
  static let specification = Specification(
    name: "export",
    summary: "Convert traces to JSON Lines.",
    operands: "TRACE… [-o FILE]",
    operandCount: 1...(.max),
    discussion: """
      Importing the lines gives the same trace again. The streams of a device, in one trace or in
      several, are merged by time.
      """,
    options: [
      .init("--output", short: "-o", value: "FILE", "The file to write (default standard output).")
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    try Console.refuse(arguments.value("--output"), over: arguments.operands)
    let traces = try arguments.traces()
    let export = try TraceExport(traces)
    let output = try FileOutput(
      path: arguments.value("--output") ?? "-", isPrivate: traces.contains(where: \.isPrivate))
    try Progress.during("exporting", total: Int64(export.eventCount), unit: "events") { progress in
      try export.run(to: output) { progress.update(Int64($0)) }
    }
    try output.commit()
    return .success
  }
}
