import CommandLineSupport
import Measurement
import WakeImport
import WakeTrace

/// `rouse import`
enum ImportCommand: Command {
  static let name = "import"
  static let specification = Specification(
    name: name,
    summary: "Convert JSON Lines or an Apple Health export to a trace.",
    operands: "jsonl|apple-health FILE -o TRACE",
    operandCount: 2...2,
    discussion: """
      JSON Lines keep their order, even if times go back; --sort sorts the lines of each device by
      time. An Apple Health export is the file export.xml; its samples are always sorted. To read
      it from a zip file:
        unzip -p export.zip apple_health_export/export.xml | rouse import apple-health - -o TRACE
      """,
    options: [
      .init("--output", short: "-o", value: "TRACE", "The trace to write; '-' is standard output."),
      .init("--sort", "Sort by time (stable sort, in bounded memory)."),
      .init("--level", value: "N", "zlib's level, 0 to 9 (default 6)."),
      .init(
        "--temporary", value: "FOLDER", "The folder for temporary files (default $TMPDIR or /tmp)."),
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    guard let form = TraceImport.Form(rawValue: arguments.operands[0]) else {
      throw arguments.usage("'\(arguments.operands[0])' is neither jsonl nor apple-health")
    }
    var traceImport = TraceImport(form)
    traceImport.isSorted = arguments.has("--sort")
    traceImport.level = try arguments.number("--level", in: 0...9) ?? 6
    traceImport.temporaryFolder = arguments.value("--temporary")
    let outputPath = try arguments.required("--output")

    try Console.refuse(outputPath, over: [arguments.operands[1]])
    let input = try InputFile(path: arguments.operands[1])
    let output = try FileOutput(path: outputPath)
    let progress = Progress("importing", total: input.length, unit: "bytes")
    let report: TraceImport.Report
    do {
      defer { progress.finish() }
      report = try traceImport.run(input, to: output) { progress.update($0) }
    }
    guard report.statistics.events > 0 else {
      throw ImportError(
        code: .missingField, file: input.name, message: "no inputs, so no trace is written")
    }
    try output.commit()
    for notice in report.notices { Console.message(notice) }
    let statistics = report.statistics
    Console.message(
      """
      \(output.name): \(Console.counted(statistics.events, "event")) in \
      \(Console.counted(statistics.blocks, "block")), \
      \(Quantity.bytes(statistics.bytes)): \(perEvent(statistics.bytes, statistics)) bytes an event, \
      of which \(perEvent(statistics.bytes - statistics.detailBytes, statistics)) for scheduling
      """)
    return .success
  }

  /// Bytes an event with two or, below 1, three decimals.
  private static func perEvent(_ bytes: Int64, _ statistics: TraceWriter.Statistics) -> String {
    let thousandths = (bytes * 1_000 + Int64(statistics.events) / 2) / Int64(statistics.events)
    let digits = String(thousandths % 1_000 + 1_000).dropFirst()
    return "\(thousandths / 1_000).\(digits)"
  }
}
