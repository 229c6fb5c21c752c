import CommandLineSupport
import Measurement
import WakeEvents
import WakeTrace

enum RepackCommand: Command {
  static let specification = Specification(
    name: "repack",
    summary: "Recompress a trace, or put the events of each device together.",
    operands: "TRACE… -o TRACE",
    operandCount: 1...Int.max,
    discussion: """
      Each block keeps its events, stream, sequence number and loss count, so a replay gives the same
      result. The input is not changed. A damaged trace is refused; use 'rouse recover' first.

      With --by-device the events of one or more traces become one stream, device after device, as a
      replay takes them: by time where several streams of a device overlap. A replay of many devices
      whose events are spread over a trace is several times as fast afterwards.

      TRACE may be @LIST, a file with the path of a trace in each line.
      """,
    options: [
      .output,
      .init("--by-device", "Put the events of each device together."),
      .init("--level", value: "N", "zlib's level, 0 (stored) to 9 (default 9)."),
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let outputPath = try arguments.outputTrace()
    let level = try arguments.level(default: 9)
    let paths = try arguments.paths()
    try Console.refuse(outputPath, over: paths.inputs)
    if arguments.has("--by-device") {
      return try regroup(try GivenTraces(paths).files, to: outputPath, level: level)
    }
    guard paths.count == 1 else {
      throw UsageError(
        command: specification.name, message: "several traces become one only with --by-device")
    }
    let file = try TraceFile(path: paths[0])
    let output = try FileOutput(path: outputPath, isPrivate: file.isPrivate)
    let written = try Progress.during("repacking", total: file.length, unit: "bytes") { progress in
      try TraceRepacker(to: output, level: level).repack(file) { progress.update($0) }
    }
    try output.commit()
    let size = Quantity.bytes(file.length)
    Console.message("\(Console.summary(output.name, written)) in place of \(size)")
    return .success
  }

  private static func regroup(
    _ files: [TraceFile], to outputPath: String, level: Int
  ) throws -> ExitStatus {
    let output = try FileOutput(path: outputPath, isPrivate: files.contains(where: \.isPrivate))
    let result = try Progress.during("repacking", unit: "events") { progress in
      try TraceRegrouper(to: output, level: level).regroup(files) { progress.update(Int64($0)) }
    }
    try output.commit()
    if let text = StreamOrder.inWords(
      missing: result.missingBlocks, misplaced: result.misplacedBlocks)
    {
      Console.message("\(text); \(output.name.shown) does not show it")
    }
    let size = Quantity.bytes(files.reduce(0) { $0 + $1.length })
    Console.message("\(Console.summary(output.name, result.written)) in place of \(size)")
    return .success
  }
}
