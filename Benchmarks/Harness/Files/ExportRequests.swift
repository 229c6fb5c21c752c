import BenchmarkModel
import CommandLineSupport
import Foundation

/// The files that a command is asked to write: the JSON, by `--output FILE`, and other formats, by
/// `--export FORMAT=FILE`.
struct ExportRequests {
  static let options: [Specification.Option] = [
    .init("--output", short: "-o", value: "FILE", "Write the JSON to a file as well."),
    .init(
      "--export", value: "FORMAT=FILE", repeats: true,
      "Write it in another format, too; see export (repeatable)."),
  ]

  /// What is going to be measured.
  enum Subject {
    case run([Benchmark])
    case comparison
  }

  private var requests: [(format: ExportFormat, path: String)] = []

  /// Throws for what is no format, does not fit what will be measured or cannot be written, so that nothing
  /// is measured in vain.
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
  }

  private mutating func add(
    _ format: ExportFormat, _ path: String, option: String, _ arguments: Arguments
  ) throws {
    if let other = ExportFormat.told(byNameOf: path), !other.contains(format) {
      throw arguments.usage(
        "\(option): \(path) would be \(format.rawValue); by its name it is "
          + other.map(\.rawValue).joined(separator: " or "))
    }
    try OutputPath.refuse(path)
    requests.append((format, path))
  }

  /// Writes what was asked for.
  func write(_ subject: ExportSubject) throws {
    for (format, path) in requests {
      try OutputPath.write(try format.text(of: subject), to: path)
    }
  }
}

extension ExportFormat {
  /// Why what is going to be measured cannot be told in this format; nil if it can.
  fileprivate func objection(to subject: ExportRequests.Subject) -> String? {
    switch (self, subject) {
    case (.google, .comparison), (.github, .comparison):
      return "\(rawValue) tells of one build, and a comparison has two: write it with -o, then "
        + "export \(rawValue) --side before or after"
    case (.hdr, .comparison):
      return "hdr tells latencies, and a comparison keeps none: use run"
    case (.hdr, .run(let benchmarks)):
      let timed = benchmarks.filter(\.timesSingleOperations)
      if timed.isEmpty { return "hdr tells latencies, and none of these benchmarks times any" }
      return timed.count == 1
        ? nil
        : "hdr tells the latencies of one benchmark, and \(timed.count) of these have some: choose "
          + "one, or write them with -o, then export hdr --benchmark NAME"
    default: return nil
    }
  }

  /// The formats that a file's name promises; nil if it promises none.
  fileprivate static func told(byNameOf path: String) -> [ExportFormat]? {
    switch URL(filePath: path).pathExtension.lowercased() {
    case "json": [.json, .google, .github]
    case "html", "htm": [.html]
    case "md", "markdown": [.markdown]
    case "hgrm": [.hdr]
    default: nil
    }
  }
}
