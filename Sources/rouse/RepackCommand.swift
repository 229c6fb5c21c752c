import CommandLineSupport
import Measurement
import WakeTrace

enum RepackCommand: Command {
  static let specification = Specification(
    name: "repack",
    summary: "Recompress a trace at another level.",
    operands: "TRACE -o TRACE",
    operandCount: 1...1,
    discussion: """
      Each block keeps its events, stream, sequence number and loss count, so a replay gives the same
      result. The input is not changed. A damaged trace is refused; use 'rouse recover' first.
      """,
    options: [
      .output,
      .init("--level", value: "N", "zlib's level, 0 (stored) to 9 (default 9)."),
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let outputPath = try arguments.outputTrace()
    let level = try arguments.level(default: 9)
    try Console.refuse(outputPath, over: arguments.operands)
    let file = try TraceFile(path: arguments.operands[0])
    let output = try FileOutput(path: outputPath, isPrivate: file.isPrivate)
    let written = try Progress.during("repacking", total: file.length, unit: "bytes") { progress in
      try TraceRepacker(to: output, level: level).repack(file) { progress.update($0) }
    }
    try output.commit()
    let size = Quantity.bytes(file.length)
    Console.message("\(Console.summary(output.name, written)) in place of \(size)")
    return .success
  }
}
