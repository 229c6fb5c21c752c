import CommandLineSupport
import WakeReplay

/// `rouse merge`
enum MergeCommand: Command {
  static let name = "merge"
  static let specification = Specification(
    name: name,
    summary: "Add up results of replays of different devices.",
    operands: "RESULT…",
    operandCount: 1...(.max),
    discussion: """
      RESULT is what 'rouse replay --json' printed. The digests of different devices add up, so the
      merged digest is that of one replay of them all.
      """,
    options: [.init("--json", "Print the merged result as JSON.")])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    guard arguments.operands.count <= ReplayResult.mostMerged else {
      throw arguments.usage(
        "more than \(ReplayResult.mostMerged) results; merge some of them first")
    }
    let results = try arguments.operands.map(ResultFile.read)
    guard let merged = ReplayResult.merged(results) else { return .failure }
    try Console.print(arguments.has("--json") ? merged.json : merged.report)
    return .success
  }
}
