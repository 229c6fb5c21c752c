import CommandLineSupport
import WakeImport
import WakeScheduling
import WakeSweeping
import WakeTrace

enum CompareCommand: Command {
  static let specification = Specification(
    name: "compare",
    summary: "Compare two policies on one trace, or two captures by their rates.",
    operands: "TRACE --policy P --against Q | A B [--policy P]",
    operandCount: 1...2,
    discussion: """
      With --against, the trace is replayed under both policies, and wakes are paired by app and device:
      SAME at the same time with the same contents and end, CHANGED in one of these, EARLIER or LATER
      under Q, or under one policy alone, as the page Diff tells. The waiting of each policy is given to
      its reasons as in 'rouse replay --waits'. The exit status is 2 if a wake differs.

      With two captures, A and B, of other days or devices, each app's wakes, expired wakes and carried
      saves while it had a subscription are divided by these hours; wakes at other times are counted as
      'outside'. RATIO is B's rate by A's, with the interval of 95 % of the ratios of days of devices
      drawn again (bootstrap, with a fixed seed), and 'more' or 'fewer' if that interval leaves out 1,
      else 'cannot tell'. For rare counts the number of days with at least one must differ, too, by an
      exact conditional test. The exit status is 2 if anything is 'more' or 'fewer'.
      """,
    options: [
      .policy,
      .init(
        "--against", value: "POLICY", words: Policy.presets, isInput: true,
        "The policy Q that is compared with --policy."),
      .init("--json", "Print the result as JSON, times in nanoseconds."),
      .init(
        "--threads", value: "N", "Threads that decode and schedule, with --against (default 1)."),
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let threads = try arguments.number("--threads", in: 1...1_024) ?? 1
    let accelerations = try RunEnvironment.accelerations(for: specification.name)
    let policy = try arguments.policy() ?? .iOS
    guard let against = arguments.value("--against") else {
      guard arguments.operands.count == 2 else {
        throw arguments.usage("give --against POLICY, or two captures")
      }
      guard !arguments.has("--threads") else {
        throw arguments.usage("captures are compared on one thread; omit --threads")
      }
      // Each by itself, as they are not added.
      let traces = try arguments.operands.map { path throws(TraceError) in
        let trace = try TraceFile(path: path)
        Console.tellOrder(of: [trace])
        return trace
      }
      let result = try CaptureComparison(
        traces[0], traces[1], policy, accelerations: accelerations)
      try Console.print(arguments.has("--json") ? result.json : result.text)
      return result.differs ? .difference : .success
    }
    guard arguments.operands.count == 1 else {
      throw arguments.usage("--against compares policies on one trace")
    }
    let other = try NamedPolicy(argument: against).policy
    let trace = try TraceFile(path: arguments.operands[0])
    Console.tellOrder(of: [trace])
    let result = try PolicyComparison(
      files: [trace], policy, against: other, threads: threads,
      accelerations: accelerations)
    try Console.print(arguments.has("--json") ? result.json : result.text)
    return result.isSame ? .success : .difference
  }
}
