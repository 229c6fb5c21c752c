import CommandLineSupport
import Measurement
import WakeHosting
import WakeImport
import WakeTrace

enum CheckCommand: Command {
  static let specification = Specification(
    name: "check",
    summary: "Check whether another scheduler keeps the rules.",
    operands: "SCHEDULER [INPUTS…]",
    operandCount: 0...(.max),
    discussion: """
      SCHEDULER is a shared library with the function of rouse_scheduler.h, or exec: and a command, which
      takes inputs over a pipe (see the page Schedulers). INPUTS, the worked cases of the rules, and random
      inputs under random policies are given to it and to Rouse's own scheduler, in this order. The first
      difference is shrunk and printed with the rule that it departs from, the inputs as JSON Lines, the
      policy, and the wakes of both side by side; the exit status is then 2.

      INPUTS are further inputs: a trace, under the policy of --policy or that of NAME.policy.json beside
      NAME.wtrace, or a folder with input.jsonl and policy.json; @LIST is a file with the path of one in
      each line.

      --allow names a file of rules that the scheduler is known to depart from, one in each line, with
      anything behind a '#'. A section, such as 6, stands for all its rules.

      A crash, or what no scheduler may do, is told with the case or the seed in which it came; the exit
      status is then 1. --write FOLDER, in place of SCHEDULER, writes the inputs of each case and seed as a
      folder NAME, seed-N or rows-N, to be given to a debugger by 'rouse check SCHEDULER FOLDER/NAME'.
      """,
    options: [
      .init("--rules", value: "LIST", "Look for departures from these rules alone: 6.5,5.8 …"),
      .init(
        "--allow", value: "FILE", isInput: true, "Look for no departures from the rules in a file."),
      .policy,
      .init("--seeds", value: "N", "How many random runs there are (default 200)."),
      .init("--write", value: "FOLDER", "Write the inputs of all runs, and check nothing."),
      .inProcess, .timeout,
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    if let folder = arguments.value("--write") { return try write(to: folder, arguments) }
    guard let path = arguments.operands.first else {
      throw arguments.usage("SCHEDULER is missing")
    }
    if let status = try TestedScheduler.runApart(path, arguments) { return status }
    // Before the scheduler is there, which may change the folder.
    let inputs = try arguments.paths(behind: 1)
    let scheduler = try TestedScheduler.load(path, arguments)
    var check = RulesCheck(scheduler, watch: HostedProcess.watch)
    let policy = try arguments.value("--policy").map { try NamedPolicy(argument: $0).policy }
    check.given = inputs.all.map { path in
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
    for rule in (check.rules ?? []).union(check.allowed) where !RulesCheck.knownRules.contains(rule)
    {
      let known = RulesCheck.knownRules.sorted().joined(separator: " ")
      throw arguments.usage(
        "'\(rule)' is no rule by which departures are told; those are \(known)")
    }
    if let seeds = try seeds(arguments) { check.seeds = seeds }
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

  private static func seeds(_ arguments: Arguments) throws -> Range<UInt64>? {
    try arguments.number("--seeds", in: 0...1_000_000).map { 0..<UInt64($0) }
  }

  /// Writes a folder with input.jsonl and policy.json for each case and seed.
  private static func write(to folder: String, _ arguments: Arguments) throws -> ExitStatus {
    guard arguments.operands.isEmpty else {
      throw arguments.usage("--write checks nothing: leave '\(arguments.operands[0])' out")
    }
    var check = RulesCheck(PipedScheduler(name: PipedScheduler.prefix, timeout: 1))
    if let seeds = try seeds(arguments) { check.seeds = seeds }
    func makeFolder(_ path: String) throws {
      guard SystemCalls.makeFolder(path) else {
        throw TraceError(.inputOutput, path, "cannot be made, or is no folder")
      }
    }
    func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
      let output = try FileOutput(path: path)
      try output.write(Array(bytes))
      try output.commit()
    }
    try makeFolder(folder)
    var count = 0
    try check.forEachInputs { inputs in
      let path = "\(folder)/\(inputs.name)"
      try makeFolder(path)
      var writer = JSONLinesWriter(symbols: inputs.symbols)
      var lines: [UInt8] = []
      for event in inputs.events { writer.append(event, to: &lines) }
      try write(lines, to: path + "/input.jsonl")
      try write(inputs.policy.json(preset: "ios").utf8, to: path + "/policy.json")
      count += 1
      return true
    }
    Console.message("\(folder): \(Quantity.counted(count, "folder"))")
    return .success
  }
}
