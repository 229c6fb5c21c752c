import CommandLineSupport
import Measurement
import WakeEvents
import WakeImport
import WakeRecorder
import WakeScheduling
import WakeTrace

enum PolicyCommand: Command {
  static let specification = Specification(
    name: "policy",
    summary: "Show, check or make a policy, or list the keys of policies.",
    operands: "keys | show POLICY | check POLICY [TRACE…] | new --app ID --type TYPE[:FREQUENCY]",
    operandCount: 1...(.max),
    operandValues: [.words(verbs.map(\.key)), .wordsOrFile(Policy.presets), .file],
    discussion: """
      A policy is ios, watchos, or a JSON object for 'rouse replay --policy' (see the page Rules,
      "Policy").

      keys lists the keys with their defaults, ranges and sources. A default of '{…}' is an object: its
      keys have rows of their own, and caps are listed below. A default of '-' is none: the key's object
      is null or absent in that preset, or the key is required. Source: D is Apple's documentation, R is
      reported by developers, P is our choice.

      show prints what is in force: each key, with the preset's value where it is another, and each
      subscription with its frequency. check tells of subscriptions that a cap slows or that stand
      twice or are rejected, of a policy that answers no wake, and of types and apps that the traces do
      not have; the exit status is 1 if a subscription stands twice or is rejected, or anything is not in
      the traces. new writes a policy in which each app subscribes to each type, and answers; a file with
      other contents is not replaced.
      """,
    options: [
      .init(
        "--json",
        "Print JSON: of keys an array of an object for each, of show a policy with all keys."),
      .init("--app", value: "ID", repeats: true, "new: the bundle identifier (repeatable)."),
      .init(
        "--type", value: "TYPE", repeats: true,
        "new: TYPE, or TYPE:hourly, TYPE:daily … (default immediate; repeatable)."),
      .init(
        "--preset", value: "PRESET", words: Policy.presets,
        "new: the preset to override (default ios)."),
      .init(
        "--completes-after", value: "SECONDS",
        "new: the time from a wake to its answer (default 2)."),
      .init(
        "--output", short: "-o", value: "FILE", "new: the file to write (default standard output)."),
    ])

  /// The options of each verb.
  private static let verbs: KeyValuePairs<String, [String]> = [
    "keys": ["--json"], "show": ["--json"], "check": [],
    "new": ["--app", "--type", "--preset", "--completes-after", "--output"],
  ]

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let verb = arguments.operands[0]
    guard let options = verbs.first(where: { $0.key == verb })?.value else {
      let words = verbs.map(\.key).joined(separator: ", ")
      throw arguments.usage("'\(verb)' is not one of \(words)")
    }
    for option in specification.options
    where arguments.has(option.name) && !options.contains(option.name) {
      throw arguments.usage("\(option.name) cannot be combined with \(verb)")
    }
    let operands = arguments.operands.dropFirst()
    switch verb {
    case "show", "check":
      guard let name = operands.first else { throw arguments.usage("\(verb) requires a POLICY") }
      if verb == "check" {
        return try check(
          NamedPolicy(argument: name), Array(operands.dropFirst()))
      }
      try refuse(operands.dropFirst(), arguments)
      try show(NamedPolicy(argument: name), asJSON: arguments.has("--json"))
    case "new":
      try refuse(operands, arguments)
      try make(arguments)
    default:
      try refuse(operands, arguments)
      try Console.print(arguments.has("--json") ? PolicyKeyList.json : PolicyKeyList.table)
    }
    return .success
  }

  private static func refuse(_ operands: ArraySlice<String>, _ arguments: Arguments) throws {
    if let operand = operands.first { throw arguments.usage("unexpected argument '\(operand)'") }
  }

  private static func show(_ named: NamedPolicy, asJSON: Bool) throws {
    let policy = named.policy
    if asJSON { return try Console.print(policy.json(preset: named.preset)) }
    let keys = policy.keys(preset: named.preset)
    let width = keys.map(\.path.count).max() ?? 0
    var text = keys.map { key in
      let padding = String(repeating: " ", count: width - key.path.count + 2)
      let other = key.preset.map { " (\(named.preset): \($0))" } ?? ""
      return key.path + padding + key.value + other + "\n"
    }.joined()
    if !policy.subscriptions.isEmpty { text += "\nsubscriptions:\n" }
    for subscription in policy.subscriptions {
      let allowed = policy.frequency(of: subscription.type, asked: subscription.frequency)
      let cap = policy.cap(slowing: subscription, preset: named.preset).map { ": \($0)" } ?? ""
      text += "  \(subscription.app.shown)  \(subscription.type.shown)  \(allowed.word)\(cap)\n"
    }
    try Console.print(text)
    for line in policy.faultySubscriptions { Console.message(line) }
  }

  private static func check(_ named: NamedPolicy, _ traces: [String]) throws -> ExitStatus {
    let policy = named.policy
    var faults = policy.faultySubscriptions
    var remarks = policy.slowedSubscriptions(preset: named.preset)
    if let (wakes, cause) = policy.unanswered {
      remarks.append("\(cause): only completions in a trace answer \(wakes)")
    }
    if !traces.isEmpty {
      let files = try traces.map { path throws(TraceError) in try TraceFile(path: path) }
      faults += try TraceNames(files, depth: .events).unmatched(policy)
    }
    for line in faults + remarks { Console.message(line) }
    return faults.isEmpty ? .success : .failure
  }

  private static func make(_ arguments: Arguments) throws {
    let preset = arguments.value("--preset") ?? Policy.presets[0]
    guard var policy = Policy.named(preset) else {
      let presets = Policy.presets.joined(separator: ", ")
      throw arguments.usage("--preset: '\(preset)' is not one of \(presets)")
    }
    for option in ["--app", "--type"] { _ = try arguments.required(option) }
    let types = try arguments.all("--type").map { try subscription($0, arguments) }
    for app in arguments.all("--app") {
      policy.subscriptions += types.map { Policy.Subscription(app: app, type: $0, frequency: $1) }
    }
    if let fault = policy.faultySubscriptions.first { throw arguments.usage(fault) }
    let seconds = arguments.value("--completes-after") ?? "2"
    guard let answer = DurationText.nanoseconds(seconds) else {
      throw arguments.usage(
        "--completes-after: '\(seconds)' is not \(DurationText.form), from 0 to 10^9 seconds")
    }
    policy.behaviour.completesAfter = answer
    if policy.unanswered != nil {
      let timeout = Quantity.duration(nanoseconds: policy.completionTimeout)
      throw arguments.usage("--completes-after: every wake would expire first, after \(timeout)")
    }
    let (path, text) = (arguments.value("--output") ?? "-", Array(policy.file(preset: preset).utf8))
    if TraceRecovery.isPlainFile(path) {
      // It may have been edited by hand.
      let old = try InputFile(path: path).readAll(limit: 16 << 20)
      guard old.isEmpty || old == text else {
        throw arguments.usage("'\(path)' has other contents; remove it or name another file")
      }
    }
    let output = try FileOutput(path: path)
    try output.write(text)
    try output.commit()
    for line in policy.slowedSubscriptions(preset: preset) { Console.message(line) }
  }

  /// Reads `TYPE` or `TYPE:FREQUENCY`.
  private static func subscription(
    _ text: String, _ arguments: Arguments
  ) throws(UsageError) -> (type: String, frequency: Frequency) {
    guard let colon = text.lastIndex(of: ":") else { return (text, .immediate) }
    let word = text[text.index(after: colon)...]
    guard let frequency = Frequency.allCases.first(where: { $0.word == word }) else {
      let words = Frequency.allCases.map(\.word).joined(separator: ", ")
      throw arguments.usage("--type: '\(word)' is not one of \(words)")
    }
    return (String(text[..<colon]), frequency)
  }
}
