import CommandLineSupport
import Measurement
import WakeTrace

/// `rouse repack`
enum RepackCommand: Command {
  static let name = "repack"
  static let specification = Specification(
    name: name,
    summary: "Recompress a trace at another level.",
    operands: "TRACE -o TRACE",
    operandCount: 1...1,
    discussion: """
      Each block keeps its events, stream, sequence number and loss count, so a replay gives the same
      result. The input is not changed. A damaged trace is refused; use 'rouse recover' first.
      """,
    options: [
      .init("--output", short: "-o", value: "TRACE", "The trace to write; '-' is standard output."),
      .init("--level", value: "N", "zlib's level, 0 (stored) to 9 (default 9)."),
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let outputPath = try arguments.required("--output")
    let level = try arguments.number("--level", in: 0...9) ?? 9
    try Console.refuse(outputPath, over: arguments.operands)
    let file = try TraceFile(path: arguments.operands[0])
    let output = try FileOutput(path: outputPath)
    let progress = Progress("repacking", total: file.length, unit: "bytes")
    let statistics: TraceWriter.Statistics
    do {
      defer { progress.finish() }
      statistics = try TraceRepacker(to: output, level: level).repack(file) { progress.update($0) }
    }
    try output.commit()
    Console.message(
      """
      \(output.name): \(Console.counted(statistics.events, "event")) in \
      \(Console.counted(statistics.blocks, "block")), \(Quantity.bytes(statistics.bytes)) in place \
      of \(Quantity.bytes(file.length))
      """)
    return .success
  }
}
