import CommandLineSupport
import WakeReplay

enum MergeCommand: Command {
  static let specification = Specification(
    name: "merge",
    summary: "Add the results of replays of different devices.",
    operands: "RESULT…",
    operandCount: 1...(.max),
    discussion: """
      RESULT is a file with the output of 'rouse replay --json'. The merged counts and digest equal
      those of one replay of all the devices.
      """,
    options: [.init("--json", "Print the merged result as JSON.")])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    guard arguments.operands.count <= ReplayResult.mostMerged else {
      throw arguments.usage(
        "more than \(ReplayResult.mostMerged) results; merge them in groups")
    }
    let results = try arguments.operands.map(ResultFile.read)
    guard let merged = ReplayResult.merged(results) else { return .failure }
    try Console.print(arguments.has("--json") ? merged.json : merged.report)
    return .success
  }
}
