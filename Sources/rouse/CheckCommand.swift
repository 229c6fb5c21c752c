import CommandLineSupport
import Measurement
import WakeHosting
import WakeImport

enum CheckCommand: Command {
  static let specification = Specification(
    name: "check",
    summary: "Check whether another scheduler keeps the rules.",
    operands: "SCHEDULER [INPUTS…]",
    operandCount: 1...(.max),
    discussion: """
      SCHEDULER is a shared library with the function of rouse_scheduler.h, or exec: and a command, which
      takes inputs over a pipe (see the page Schedulers). The worked cases of the rules and random inputs
      under random policies are given to it and to Rouse's own scheduler. The first difference is shrunk
      and printed with the rule that it departs from, the inputs as JSON Lines, the policy, and the wakes
      of both side by side; the exit status is then 2.

      INPUTS are further inputs: a trace, under the policy of --policy or that of NAME.policy.json beside
      NAME.wtrace, or a folder with input.jsonl and policy.json.

      --allow names a file of rules that the scheduler is known to depart from, one in each line, with
      anything behind a '#'. A section, such as 6, stands for all its rules.
      """,
    options: [
      .init("--rules", value: "LIST", "Look for departures from these rules alone: 6.5,5.8 …"),
      .init("--allow", value: "FILE", "Look for no departures from the rules in a file."),
      .policy,
      .init("--seeds", value: "N", "How many random runs there are (default 200)."),
      .inProcess, .timeout,
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let path = arguments.operands[0]
    if let status = try TestedScheduler.runApart(path, arguments) { return status }
    let scheduler = try TestedScheduler.load(path, arguments)
    var check = RulesCheck(scheduler, watch: HostedProcess.watch)
    let policy = try arguments.value("--policy").map { try NamedPolicy(argument: $0).policy }
    check.given = arguments.operands.dropFirst().map { path in
      { try CheckedInputs.read(path, policy: policy) }
    }
    if let list = arguments.value("--rules") {
      let rules = list.split(separator: ",", omittingEmptySubsequences: false)
      check.rules = Set(rules.map(String.init))
    }
    if let file = arguments.value("--allow") {
      let text = String(decoding: try InputFile(path: file).readAll(limit: 1 << 20), as: UTF8.self)
      check.allowed = Set(
        text.split(whereSeparator: \.isNewline).flatMap { line in
          line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
        })
    }
    for rule in (check.rules ?? []).union(check.allowed) where !RulesCheck.rules.contains(rule) {
      let known = RulesCheck.rules.sorted().joined(separator: " ")
      throw arguments.usage(
        "'\(rule)' is no rule by which departures are told; those are \(known)")
    }
    if let seeds = try arguments.number("--seeds", in: 0...1_000_000) {
      check.seeds = 0..<UInt64(seeds)
    }
    let outcome = try Progress.during("checking", unit: "runs") { progress in
      try check.run { progress.update(Int64($0)) }
    }
    switch outcome {
    case .keeps(let runs, let allowed):
      let known = allowed.sorted { $0.key < $1.key }.map { "\($0.key) in \($0.value)" }
      let but = known.isEmpty ? "" : ", but for departures from \(known.joined(separator: ", "))"
      try Console.print("\(scheduler.name): keeps the rules in \(runs) runs\(but)\n")
      return .success
    case .departs(let finding):
      try Console.print("\(scheduler.name): \(finding.text)")
      return .difference
    }
  }
}
