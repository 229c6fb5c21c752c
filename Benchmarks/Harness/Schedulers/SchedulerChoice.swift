import CommandLineSupport
import Foundation
import WakeImport
import WakeScheduling

/// The scheduler that `--scheduler` puts on the bench instead of Rouse's own, and what it runs.
struct SchedulerChoice: Sendable {
  /// The path of the shared library (rouse_scheduler.h).
  var library: String
  /// A preset or the path of a file, as given; nil is ios.
  var policy: String?
  /// Traces of the user's own.
  var traces: [String] = []
  /// How long one call of the scheduler may take, in seconds.
  var timeout = 10.0

  static let options: [Specification.Option] = [
    .init("--scheduler", value: "LIBRARY", "Measure the scheduler of a shared library, ./mine.so."),
    .init("--trace", value: "TRACE", repeats: true, "Also replay this trace on it (repeatable)."),
    .init(
      "--policy", value: "POLICY", words: Policy.presets,
      "The policy of these traces: a preset or a file (default ios)."),
    .init("--timeout", value: "SECONDS", "How long a call of it may take (default 10)."),
  ]

  /// The part of a command's help that explains these options.
  static let help = """
    With --scheduler, the benchmarks are those of a scheduler behind rouse_scheduler.h ('rouse-bench
    list --scheduler ./mine.so'), and a replay of each --trace is one more, trace/NAME. It need not
    keep the rules. It runs in processes of its own: a crash, a call that does not return and what no
    scheduler may do fail one benchmark, and the others are measured.
    """

  /// The choice in a command line; nil without one.
  init?(_ arguments: Arguments) throws {
    guard let library = arguments.value("--scheduler") else {
      for option in ["--trace", "--policy", "--timeout"] where arguments.has(option) {
        throw arguments.usage("\(option) requires --scheduler")
      }
      return nil
    }
    guard !library.hasPrefix("exec:") else {
      throw arguments.usage(
        "--scheduler: '\(library)' is a command, whose pipe would be measured; use a library, ./mine.so"
      )
    }
    self.library = library
    policy = arguments.value("--policy")
    traces = arguments.all("--trace")
    if let seconds = try arguments.positive("--timeout") { timeout = seconds }
    let names = traces.map(Self.name)
    if let place = names.indices.first(where: { names[..<$0].contains(names[$0]) }) {
      throw arguments.usage("--trace: two traces are named \(names[place])")
    }
  }

  /// The options that name it, with another library.
  func arguments(library: String? = nil) -> [String] {
    var words = ["--scheduler", library ?? self.library, "--timeout", "\(timeout)"]
    if let policy { words += ["--policy", policy] }
    return words + traces.flatMap { ["--trace", $0] }
  }

  /// The name of a trace's benchmark, without spaces, as the protocol of `serve` separates words by them.
  static func name(ofTrace path: String) -> String {
    let file = URL(filePath: path).lastPathComponent
    let stem = file.hasSuffix(".wtrace") ? String(file.dropLast(7)) : file
    return "trace/" + String(stem.map { $0.isWhitespace || $0 == "/" ? "_" : $0 })
  }

  /// The policy of the user's traces.
  func readPolicy() throws -> Policy {
    guard let policy else { return .iOS }
    if let preset = Policy.named(policy) { return preset }
    return try Self.readPolicy(file: policy)
  }

  static func readPolicy(file: String) throws -> Policy {
    guard let bytes = try? Data(contentsOf: URL(filePath: file)) else {
      throw BenchmarkFailure(
        "\(file): cannot be read; the presets are \(Policy.presets.joined(separator: ", "))")
    }
    return try PolicyReader(file: file).read(Array(bytes))
  }

  /// Throws unless its files can be read: before anything is measured.
  func refuse() throws {
    for file in [library] + traces
    where !FileManager.default.isReadableFile(atPath: file) {
      throw BenchmarkFailure("\(file): cannot be read")
    }
    _ = try readPolicy()
  }
}
