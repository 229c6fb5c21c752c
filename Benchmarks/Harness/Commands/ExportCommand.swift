import BenchmarkModel
import CommandLineSupport

/// `rouse-bench export`
enum ExportCommand: Command {
  static let specification = Specification.bench(
    "export", "Convert a stored run or comparison to another format.", operands: "FORMAT FILE…",
    count: 2...3,
    discussion: """
      \(ExportFormat.help)
      FILE is the JSON of a run or a comparison; html takes one of each and combines them.
      """,
    options: [
      .init(
        "--output", short: "-o", value: "FILE", "The file to write (default: standard output)."),
      .init(
        "--side", value: "SIDE",
        "before or after: one build of a comparison; google and github need it."),
      .init(
        "--benchmark", value: "NAME", "hdr: the benchmark, if the run has latencies of several."),
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let format = try format(arguments.operands[0], arguments)
    let paths = arguments.operands.dropFirst()
    guard paths.count == 1 || format == .html else {
      throw arguments.usage("only html takes two files")
    }
    var subject = ExportSubject()
    for path in paths { try subject.read(path) }
    subject.side = try arguments.value("--side").map { text throws(UsageError) in
      guard let side = MeasuredBuild.Side(rawValue: text) else {
        throw arguments.usage("--side: '\(text)' is neither before nor after")
      }
      return side
    }
    subject.benchmark = arguments.value("--benchmark")
    let text = try format.text(of: subject)
    if let path = arguments.value("--output") {
      try OutputPath.write(text, to: path)
    } else {
      Output.print(text)
    }
    return .success
  }

  private static func format(
    _ name: String, _ arguments: Arguments
  ) throws(UsageError) -> ExportFormat {
    guard let format = ExportFormat(rawValue: name) else {
      throw arguments.usage("unknown format '\(name)'; use one of \(ExportFormat.names)")
    }
    return format
  }
}
