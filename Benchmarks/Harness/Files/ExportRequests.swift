import BenchmarkModel
import CommandLineSupport
import Foundation

/// The files that a command writes: JSON by `--output FILE`, and other formats by `--export FORMAT=FILE`.
struct ExportRequests {
  static let options: [Specification.Option] = [
    .init(
      "--output", short: "-o", value: "FILE",
      "Also write the JSON to a file; with - the table goes to standard error."),
    .init(
      "--export", value: "FORMAT=FILE", repeats: true,
      "Also write another format; see export (repeatable)."),
  ]

  /// The kind of measurement.
  enum Subject {
    case run([Benchmark])
    case comparison
  }

  private var requests: [(format: ExportFormat, path: String)] = []

  /// Throws for an unknown format, one that does not fit the measurement, or a file that cannot be written, before the
  /// measurement begins.
  init(_ arguments: Arguments, for subject: Subject) throws {
    if let path = arguments.value("--output") {
      try add(.json, path, option: "--output", arguments)
    }
    for text in arguments.all("--export") {
      let parts = text.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let format = ExportFormat(rawValue: String(parts[0])) else {
        throw arguments.usage(
          "--export: '\(text)' is not like FORMAT=FILE with one of \(ExportFormat.names)")
      }
      if let objection = format.objection(to: subject) {
        throw arguments.usage("--export: \(objection)")
      }
      try add(format, String(parts[1]), option: "--export", arguments)
    }
    if writesStandardOutput, arguments.has("--json") {
      throw arguments.usage("--json and a file that is standard output exclude each other")
    }
  }

  /// Whether one of the files is standard output.
  private var writesStandardOutput: Bool {
    requests.contains { OutputPath.isStandardOutput($0.path) }
  }

  private mutating func add(
    _ format: ExportFormat, _ path: String, option: String, _ arguments: Arguments
  ) throws {
    if let other = ExportFormat.told(byNameOf: path), !other.contains(format) {
      throw arguments.usage(
        "\(option): \(path) would be \(format.rawValue); by its name it is "
          + other.map(\.rawValue).joined(separator: " or "))
    }
    if let other = requests.first(where: { OutputPath.areSame($0.path, path) }) {
      throw arguments.usage("\(option): \(path) is also to be written as \(other.format.rawValue)")
    }
    try OutputPath.refuse(path)
    requests.append((format, path))
  }

  /// Prints a report, to standard error if a file is standard output, and writes the files, unless there is nothing to
  /// write. What fails is told and does not keep the others from being written.
  ///
  /// - Returns: Whether all files were written.
  func tell(_ report: String, _ subject: ExportSubject?) -> Bool {
    let isPrinted =
      Output.write(report, to: writesStandardOutput ? STDERR_FILENO : STDOUT_FILENO)
      || writesStandardOutput
    let reason = errno
    var isWritten = true
    for (format, path) in requests {
      guard let subject else { break }
      do {
        try OutputPath.write(try format.text(of: subject), to: path)
      } catch {
        Output.message("\(error)")
        isWritten = false
      }
    }
    if !isPrinted {
      errno = reason
      Output.endUnprinted()
    }
    return isWritten
  }
}

extension ExportFormat {
  /// The reason why the measurement cannot be written in this format; nil if it can.
  fileprivate func objection(to subject: ExportRequests.Subject) -> String? {
    switch (self, subject) {
    case (.google, .comparison), (.github, .comparison):
      return "\(rawValue) holds one build, and a comparison has two: write it with -o, then "
        + "export \(rawValue) --side before or after"
    case (.hdr, .comparison):
      return "hdr needs latencies, and a comparison has none: use run"
    case (.hdr, .run(let benchmarks)):
      let timed = benchmarks.filter(\.timesSingleOperations)
      if timed.isEmpty { return "hdr needs latencies, and none of these benchmarks measures them" }
      return timed.count == 1
        ? nil
        : "hdr holds the latencies of one benchmark, and \(timed.count) of these have some: choose "
          + "one, or write them with -o, then export hdr --benchmark NAME"
    default: return nil
    }
  }

  /// The formats that a file's extension stands for; nil if none.
  fileprivate static func told(byNameOf path: String) -> [ExportFormat]? {
    switch URL(filePath: path).pathExtension.lowercased() {
    case "json": [.json, .google, .github]
    case "csv": [.csv]
    case "html", "htm": [.html]
    case "md", "markdown": [.markdown]
    case "hgrm": [.hdr]
    default: nil
    }
  }
}
