import CommandLineSupport
import FoundationEssentials
import WakeEvents
import WakeImport
import WakeReplay

enum MergeCommand: Command {
  static let specification = Specification(
    name: "merge",
    summary: "Add the results of replays of different devices.",
    operands: "RESULT…",
    operandCount: 1...(.max),
    discussion: """
      RESULT is a file with the output of 'rouse replay --json'. The merged counts and digest equal
      those of one replay of all the devices. Why wakes came no sooner (--waits) is told if all results
      tell it; so are bounds (--bounds), and a message says so if they are left out.
      """,
    options: [.init("--json", "Print the merged result as JSON.")])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    guard arguments.operands.count <= ReplayResult.mostMerged else {
      throw arguments.usage(
        "more than \(ReplayResult.mostMerged) results; merge them in groups")
    }
    let results = try arguments.operands.map(ResultFile.read)
    if let other = results.firstIndex(where: { $0.without != results[0].without }) {
      throw ImportError(
        code: .outOfRange, file: arguments.operands[other], field: "without",
        message:
          "the replay was \(rules(results[other])), but that of \(arguments.operands[0].shown) "
          + "\(rules(results[0])): merge results of the same rules")
    }
    if let other = results.firstIndex(where: { $0.scheduler != results[0].scheduler }) {
      throw ImportError(
        code: .outOfRange, file: arguments.operands[other], field: "scheduler",
        message:
          "the replay was on \(scheduler(results[other])), but that of \(arguments.operands[0].shown) "
          + "on \(scheduler(results[0])): merge results of the same scheduler")
    }
    guard let merged = ReplayResult.merged(results) else { return .failure }
    for notice in merged.notices.filter({ !results.flatMap(\.notices).contains($0) }) {
      Console.message(notice)
    }
    try Console.print(arguments.has("--json") ? merged.json : merged.report)
    return .success
  }

  private static func scheduler(_ result: ReplayResult) -> String {
    result.scheduler.map { "the scheduler \($0.shown)" } ?? "Rouse's scheduler"
  }

  private static func rules(_ result: ReplayResult) -> String {
    result.without.map { "without " + $0.joined(separator: ",") } ?? "by all rules"
  }
}

/// Reads replay results from JSON (``ReplayResult/json``).
private enum ResultFile {
  static func read(_ path: String) throws -> ReplayResult {
    let file = try InputFile(path: path)
    let bytes = try file.readAll(limit: 256 << 20)
    do {
      let result = try JSONDecoder().decode(ReplayResult.self, from: Data(bytes))
      guard let key = result.implausibleCount else { return result }
      throw ImportError(
        code: .outOfRange, file: file.name, field: key,
        message: "count is negative, too large or inconsistent")
    } catch let error as DecodingError {
      throw ImportError(
        code: .invalidJSON, file: file.name,
        message: "not a result of 'rouse replay --json': \(Self.reason(error))")
    }
  }

  private static func reason(_ error: DecodingError) -> String {
    let context =
      switch error {
      case .keyNotFound(let key, let context): (context, "\(key.stringValue) is missing")
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        (context, context.debugDescription)
      @unknown default: (nil as DecodingError.Context?, "invalid JSON")
      }
    let path = context.0?.codingPath.map(\.stringValue).joined(separator: ".") ?? ""
    return path.isEmpty ? context.1 : "\(path): \(context.1)"
  }
}
