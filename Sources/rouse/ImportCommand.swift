import CommandLineSupport
import WakeImport
import WakeTrace

enum ImportCommand: Command {
  static let specification = Specification(
    name: "import",
    summary: "Convert JSON Lines or an Apple Health export to a trace.",
    operands: "jsonl|apple-health FILE -o TRACE",
    operandCount: 2...2,
    operandValues: [.words(TraceImport.Form.allCases.map(\.rawValue)), .file],
    discussion: """
      The lines of each device keep their order, even if times go back; --sort sorts them by
      time. An Apple Health export is the export.zip of the Health app, or the file export.xml in it;
      its samples are always sorted.

      FILE may be compressed: gzip and zip, and xz and zstd if the programs are installed. Its first
      bytes tell, not its name.
      """,
    options: [
      .output,
      .init("--sort", "Sort by time (stable sort, in bounded memory)."),
      .init("--level", value: "N", "zlib's level, 0 to 9 (default 6)."),
      .init("--durable", "Return only when the disk has the trace."),
      .init(
        "--temporary", value: "FOLDER", "The folder for temporary files (default $TMPDIR or /tmp)."),
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    guard let form = TraceImport.Form(rawValue: arguments.operands[0]) else {
      throw arguments.usage("'\(arguments.operands[0])' is neither jsonl nor apple-health")
    }
    var traceImport = TraceImport(form)
    traceImport.isSorted = arguments.has("--sort")
    traceImport.level = try arguments.level(default: 6)
    traceImport.temporaryFolder = arguments.value("--temporary")
    let outputPath = try arguments.outputTrace()

    try Console.refuse(outputPath, over: [arguments.operands[1]])
    let input = try InputFile(path: arguments.operands[1], form: form)
    let output = try FileOutput(
      path: outputPath, isPrivate: input.isPrivate, isDurable: arguments.has("--durable"))
    let report = try Progress.during("importing", total: input.length, unit: "bytes") { progress in
      try traceImport.run(input, to: output) { progress.update($0) }
    }
    let written = report.statistics
    guard written.events > 0 else {
      throw ImportError(
        code: .missingField, file: input.name, message: "no inputs, so no trace is written")
    }
    try output.commit()
    for notice in report.notices { Console.message(notice) }
    Console.message(
      """
      \(Console.summary(output.name, written)): \
      \(Console.perEvent(written.bytes, written.events)) bytes an event, of which \
      \(Console.perEvent(written.bytes - written.detailBytes, written.events)) for scheduling
      """)
    if let advice = report.advice { Console.message(advice) }
    return .success
  }
}
