import CommandLineSupport
import Glibc
import Measurement
import WakeEvents
import WakeImport
import WakeJSON
import WakeRecorder
import WakeScheduling
import WakeTrace

/// Prints results to standard output, everything else to standard error.
///
/// That the reader of standard output has gone, as in `rouse verify | grep -q`, is no error of a result: the command goes
/// on, and its exit status says what came of it.
enum Console {
  static func print(_ text: String) throws(TraceError) { try print(CollectionOfOne(text)) }

  /// Prints a text in parts.
  static func print(_ parts: some Sequence<String>) throws(TraceError) {
    do throws(TraceError) {
      let output = try FileOutput(path: "-")
      var bytes: [UInt8] = []
      for part in parts {
        bytes += part.utf8
        guard bytes.count >= 1 << 16 else { continue }
        try output.write(bytes)
        bytes.removeAll(keepingCapacity: true)
      }
      try output.write(bytes)
      try output.commit()
    } catch {
      guard error.isClosedStandardOutput else { throw error }
    }
  }

  /// A JSON array of an object for each element, indented, as `--json` prints it.
  static func json<Element>(
    _ elements: [Element], times: JSONTimeForm = .nanoseconds,
    _ members: (inout JSONWriter, Element) -> Void
  ) -> String {
    var json = JSONWriter(.indented, times: times)
    json.array(elements) { json, element in json.object { members(&$0, element) } }
    return json.text
  }

  static func message(_ text: String) {
    write("rouse: \(text)\n")
  }

  /// Names the rings that recorders of a trace have left when they were killed, as the trace is whole without them.
  static func tellLeftRings(of trace: String, but given: [String] = []) {
    for rest in LeftRing.left(by: trace)
    where !given.contains(where: { TraceRecovery.isSameFile($0, rest.ring) }) {
      message(
        "\(rest.ring.shown): was left by a recorder of \(trace.shown) that was not closed; "
          + "\(Quantity.counted(rest.events, "event")) in it are not in the trace: "
          + "`rouse recover` makes a trace of both")
    }
  }

  /// Prints to standard error; returns whether all of it was written.
  @discardableResult
  static func write(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return SystemCalls.write(bytes, count: bytes.count, to: STDERR_FILENO) == bytes.count
  }

  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Whether what is written to a path appears on a terminal, as of `-`, `/dev/stdout` or `/dev/tty`.
  static func isTerminal(_ path: String) -> Bool {
    if path == "-" { return isatty(SystemCalls.standardOutput) == 1 }
    // A pipe is not opened, as its reader would take the close for the end.
    guard SystemCalls.sort(of: path) == S_IFCHR else { return false }
    let descriptor = SystemCalls.open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return isatty(descriptor) == 1
  }

  /// Refuses an output that is also an input.
  static func refuse(_ output: String?, over inputs: [String]) throws(UsageError) {
    guard let output, output != "-", TraceRecovery.isPlainFile(output) else { return }
    for input in inputs where input != "-" && TraceRecovery.isSameFile(input, output) {
      throw UsageError(command: nil, message: "'\(output)' is an input and cannot be the output")
    }
  }

  /// What a trace holds, in a line: `out.wtrace: 5 events in 1 block, 1.2 kB`.
  static func summary(_ name: String, events: Int, blocks: Int, bytes: Int64) -> String {
    "\(name.shown): \(Quantity.counted(events, "event")) in \(Quantity.counted(blocks, "block")), "
      + Quantity.bytes(bytes)
  }

  static func summary(_ name: String, _ written: TraceWriter.Statistics) -> String {
    summary(name, events: written.events, blocks: written.blocks, bytes: written.bytes)
  }

  /// Bytes an event with three decimals.
  static func perEvent(_ bytes: Int64, _ events: Int) -> String {
    let events = max(1, Int64(events))
    let thousandths = (bytes * 1_000 + events / 2) / events
    return "\(thousandths / 1_000).\(String(thousandths % 1_000 + 1_000).dropFirst())"
  }
}

extension Specification.Option {
  static let output = Specification.Option(
    "--output", short: "-o", value: "TRACE", "The trace to write; '-' is standard output.")
  static let policy = Specification.Option(
    "--policy", value: "POLICY", words: Policy.presets, isInput: true,
    "ios (default), watchos, or a JSON file (see the page Rules, \"Policy\").")

  /// ``policy``, several times.
  static let policies = Specification.Option(
    policy.name, value: policy.value, words: policy.words, repeats: true, isInput: true,
    "ios (default), watchos, or a JSON file (see the page Rules, \"Policy\"); repeatable.")

  /// How the JSON of a command has points in time; see ``Arguments/times(in:)``.
  static let times = Specification.Option(
    "--times", value: "FORM", words: JSONTimeForm.allCases.map(\.rawValue),
    "Times in JSON: ns (default), nanoseconds since 1970, or iso, as in ISO 8601.")

  /// ``times`` of the logs of a replay; its result has none.
  static let logTimes = Specification.Option(
    times.name, value: times.value, words: times.words,
    "Times in the logs of --wakes and --waits: ns (default), or iso, as in ISO 8601.")
}

extension Arguments {
  /// The trace to write. As it is binary, it is not written to a terminal.
  func outputTrace() throws(UsageError) -> String {
    let path = try required("--output")
    if Console.isTerminal(path) {
      throw usage("a trace is binary and not written to a terminal; name a file or redirect it")
    }
    return path
  }

  /// The page to write. As nobody reads HTML there, it is not written to a terminal.
  func outputPage() throws(UsageError) -> String {
    let path = try required("--output")
    if Console.isTerminal(path) {
      throw usage("a page is not written to a terminal; name a file or redirect it")
    }
    return path
  }

  func level(default level: Int) throws(UsageError) -> Int {
    try number("--level", in: 0...9) ?? level
  }

  /// The policy of `--policy`: a preset or a file. Tells of subscriptions that stand twice in it or are rejected.
  func policy() throws -> Policy? {
    try namedPolicy()?.policy
  }

  /// The same with the preset that it is or overrides.
  func namedPolicy() throws -> NamedPolicy? {
    try value("--policy").map { try Self.namedPolicy($0) }
  }

  /// The same of each of several policies.
  func namedPolicies() throws -> [(argument: String, policy: Policy)] {
    try all("--policy").map { ($0, try Self.namedPolicy($0).policy) }
  }

  private static func namedPolicy(_ name: String) throws -> NamedPolicy {
    let named = try NamedPolicy(argument: name)
    for line in named.policy.faultySubscriptions { Console.message(line) }
    return named
  }

  /// The form of points in time that `--times` asks for.
  ///
  /// - Parameter outputs: The options by which the command writes JSON, of which one must be given; none if it always does.
  func times(in outputs: String...) throws(UsageError) -> JSONTimeForm {
    guard let name = value("--times") else { return .nanoseconds }
    guard let form = JSONTimeForm(rawValue: name) else {
      throw usage("--times: '\(name)' is neither ns nor iso")
    }
    guard outputs.isEmpty || outputs.contains(where: has) else {
      throw usage("--times requires \(outputs.joined(separator: " or "))")
    }
    return form
  }

  /// A time, in ISO 8601 or as nanoseconds.
  func time(_ option: String) throws(UsageError) -> Timestamp? {
    guard let text = value(option) else { return nil }
    do throws(TimestampSyntaxError) {
      return try Timestamp(parsing: text)
    } catch let error {
      throw usage("\(option): '\(text)' is not a time: \(error)")
    }
  }
}
