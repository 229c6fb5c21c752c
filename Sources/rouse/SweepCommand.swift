import CommandLineSupport
import Measurement
import WakeImport
import WakeScheduling
import WakeSweeping
import WakeTrace

enum SweepCommand: Command {
  static let specification = Specification(
    name: "sweep",
    summary: "Replay traces under many policies at once, and tell which is best.",
    operands: "TRACE…",
    operandCount: 1...(.max),
    discussion: """
      The rows are all combinations of the values of -P and -L over --policy. KEY is a key of the policy
      by its path ('rouse policy keys' lists them), or the frequency of subscriptions:

        -P budget.limit 1 8                                      1, 2 … 8
        -P behaviour.completesAfter 0.5 2 -D 0.5                 0.5, 1, 1.5, 2
        -L carry launch,due,always
        -L apps.com.example.run.subscriptions.TYPE.frequency hourly,daily
        -L 'apps.*.subscriptions.*.frequency' hourly,daily       of all of the policy

      Each block of a trace is decoded once for all rows, and a row that is proved to be the same as
      another is not replayed: the last column says the same as which, and why. A DAY is wakes by device
      and day. P50 to MAX are how long the oldest save of a wake had waited, UNLOCKED without the time
      for which the device was locked. BEHIND is the time for which an app had not got what was saved
      for it, BOUND the part of it that no schedule with as many wakes can avoid: 100 % is the best that
      there is (see the page Rules, 10). A row is on the FRONT if none has fewer wakes and is not longer
      behind, or the other way round. Digest and counts are those of 'rouse replay' with that policy.

      TRACE may be @LIST, a file with the path of a trace in each line.
      """,
    options: [
      .policy,
      .init(
        "--parameter-scan", short: "-P", value: "KEY FROM TO", repeats: true,
        "Sweep over numbers (repeatable)."),
      .init(
        "--parameter-step-size", short: "-D", value: "STEP", repeats: true,
        "The step of the -P before it (default 1)."),
      .init(
        "--parameter-list", short: "-L", value: "KEY LIST", repeats: true,
        "Sweep over values, separated by commas (repeatable)."),
      .init(
        "--sample", value: "PART",
        "Sweep a part of the devices, such as 1%, by their names' hashes."),
      .init("--json", "Print the result as JSON, times in nanoseconds."),
      .init("--csv", "Print the result as CSV, times in nanoseconds."),
      .init(
        "--html", value: "FILE",
        "Write a page with the front, the bound's curve and sliders; '-' is standard output."),
      .init("--threads", value: "N", "Threads that decode and schedule (default 1)."),
      .init("--no-proof", "Replay rows that are proved to be the same, too."),
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let page = arguments.value("--html")
    let onOutput = ["--json", "--csv"].filter(arguments.has) + (page == "-" ? ["--html -"] : [])
    if onOutput.count > 1 {
      throw arguments.usage("\(onOutput[0]) and \(onOutput[1]) cannot both go to standard output")
    }
    if let page, Console.isTerminal(page) {
      throw arguments.usage("a page is not written to a terminal; name a file or redirect it")
    }
    let paths = try arguments.paths()
    try Console.refuse(page, over: arguments.inputs(paths))
    var options = Sweep.Options()
    options.threads = try arguments.number("--threads", in: 1...1_024) ?? 1
    options.proves = !arguments.has("--no-proof")
    options.accelerations = try RunEnvironment.accelerations(for: specification.name)
    options.sample = try sample(arguments)
    let policy = try arguments.policy() ?? .iOS
    let parameters = try SweepParameters(arguments, in: policy)
    let policies = try parameters.policies(over: policy, arguments)
    let traces = try arguments.traces(paths)
    let output = try page.map { path throws(TraceError) in
      try FileOutput(path: path, isPrivate: arguments.hasPrivateInput(traces))
    }
    let sweep = Sweep(
      files: traces, parameters: parameters.values.map(\.path.text), policies: policies,
      options: options)
    let result = try Progress.during("sweeping", unit: "events") { progress in
      try sweep.run { done in progress.update(Int64(done)) }
    }
    if result.devices == 0, result.devicesInAll > 0 {
      Console.message("none of \(result.devicesInAll) devices is in the sample")
    }
    if let output {
      try output.write(Array(result.html(tool: "rouse \(Rouse.version)").utf8))
      try output.commit()
      if page == "-" { return .success }
    }
    if arguments.has("--csv") {
      try Console.print(String(decoding: result.csv, as: UTF8.self))
    } else {
      try Console.print(arguments.has("--json") ? result.json : result.text)
    }
    return .success
  }

  /// The part of the devices: `1%` or `0.01`.
  private static func sample(_ arguments: Arguments) throws(UsageError) -> Double {
    guard let text = arguments.value("--sample") else { return 1 }
    let isPercentage = text.hasSuffix("%")
    let number = isPercentage ? text.dropLast() : text[...]
    guard number.first?.isNumber == true, let value = Double(number) else {
      throw arguments.usage("--sample: '\(text)' is not a part such as 1% or 0.01")
    }
    let part = isPercentage ? value / 100 : value
    guard part > 0, part <= 1 else {
      throw arguments.usage("--sample: '\(text)' is not above 0 and up to 100%")
    }
    return part
  }
}
