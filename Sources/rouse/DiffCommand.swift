import CommandLineSupport
import Measurement
import WakeEvents
import WakeImport
import WakeReplay
import WakeScheduling
import WakeSweeping
import WakeTrace

enum DiffCommand: Command {
  static let specification = Specification(
    name: "diff",
    summary: "Compare two wake logs, or what a device did with the rules.",
    operands: "A B | LOG --trace TRACE | --observed TRACE",
    operandCount: 0...2,
    discussion: """
      A and B are wake logs, as 'rouse replay --wakes' writes them: JSON Lines, compressed or not; '-' is
      standard input. With --trace, LOG is what a device did and A what the rules make of the inputs
      of TRACE. With --observed, the observations of TRACE are compared with what the rules make of its
      inputs; devices without an observation are left out.

      Wakes are paired by device and app, as the page Diff tells: at the same time, give or take --within,
      they are the SAME, or have OTHER ITEMS (types, push, refresh) or OTHER DETAILS (saves, oldest,
      outcome, end). What a log does not tell counts as equal. Of the others, those with the same oldest
      save, then those with the same items or one in common are paired in order: B's came EARLIER or
      LATER. The rest is MISSING in B, or EXTRA. Where a device was earlier than the rules, the reasons
      are told for which they held the wake back then. The exit status is 2 if a wake differs.

      TRACE may be @LIST, a file with the path of a trace in each line.
      """,
    options: [
      .init(
        "--trace", value: "TRACE", repeats: true, isInput: true,
        "The inputs of the device of LOG (repeatable)."),
      .init(
        "--observed", value: "TRACE", repeats: true, isInput: true,
        "Compare the observations of a trace with the rules (repeatable)."),
      .policy,
      .init(
        "--within", value: "DURATION",
        "Times so far apart count as equal: 1, 250ms, 2m … (default 0)."),
      .init(
        "--device", value: "NAME", repeats: true,
        "Only this device (repeatable; '' is the unnamed one)."),
      .init("--from", value: "T", "Only wakes at or after T."),
      .init("--to", value: "T", "Only wakes before T."),
      .init("--show", value: "N", "Show the first N differences (default 10), or all."),
      .init("--threads", value: "N", "Threads that decode and schedule (default 1)."),
      .init("--json", "Print the result as JSON."),
      .times,
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let (traces, observed) = (arguments.all("--trace"), arguments.all("--observed"))
    let logs = arguments.operands
    guard traces.isEmpty || observed.isEmpty else {
      throw arguments.usage("--trace cannot be combined with --observed")
    }
    let wanted = observed.isEmpty ? traces.isEmpty ? 2 : 1 : 0
    guard logs.count == wanted else {
      throw arguments.usage("give two wake logs, one and --trace TRACE, or --observed TRACE alone")
    }
    if traces.isEmpty, observed.isEmpty {
      for option in ["--policy", "--threads"] where arguments.has(option) {
        throw arguments.usage("\(option) requires --trace or --observed")
      }
    }
    let times = try arguments.times(in: "--json")
    let within = try arguments.tolerance()
    let shown = try arguments.shown()
    var selection = DiffSide.Selection()
    selection.devices = Set(arguments.all("--device").map { ExactName($0) })
    selection.from = try arguments.time("--from")
    selection.to = try arguments.time("--to")

    var (first, second) = WakeDiff.sides(selection)
    var diff: WakeDiff
    let devices = selection.devices.sorted().map(\.string)
    if wanted == 2 {
      let named = try read(logs[0], into: &first).union(read(logs[1], into: &second))
      diff = WakeDiff(first, second, within: within, shown: shown)
      TraceNames.unmatched(devices: devices, inLogs: named, inputs: nil).forEach(Console.message)
    } else {
      var options = ReplayOptions()
      let paths = try PathList(traces + observed)
      let sources = logs + paths.all + arguments.all("--policy")
      guard sources.count(where: Arguments.isStandardInput) < 2 else {
        throw arguments.repeatedInput
      }
      options.policy = try arguments.policy() ?? .iOS
      options.threads = try arguments.number("--threads", in: 1...1_024) ?? 1
      options.accelerations = try RunEnvironment.accelerations(for: specification.name)
      options.measuresLatency = false
      options.selection.devices = selection.devices
      let files = try GivenTraces(paths).files
      // The traces together; what was observed may be in the same ones.
      if observed.isEmpty { Console.tellOrder(of: files) }
      let inputs = devices.isEmpty ? nil : try TraceNames(files)
      var unwatched = 0
      if wanted == 1 {
        let named = try read(logs[0], into: &second)
        if let inputs {
          TraceNames.unmatched(devices: devices, inLogs: named, inputs: inputs)
            .forEach(Console.message)
        }
      } else {
        let found = try second.append(observationsOf: files, symbols: Symbols())
        guard !found.watched.isEmpty else {
          throw ImportError.withoutObservations(paths[0])
        }
        if let inputs {
          tellUnwatched(devices, found.watched, inputs)
          options.selection.devices.formIntersection(found.watched)
        } else {
          (options.selection.devices, unwatched) = (found.watched, found.others)
        }
      }
      tellUnsorted(second, of: wanted == 1 ? logs[0] : paths[0])
      // An empty selection would be everything.
      let isNothing = options.selection.devices.isEmpty && !devices.isEmpty
      diff =
        isNothing
        ? WakeDiff(first, second, within: within, shown: shown)
        : try WakeDiff(
          rules: first, of: files, options, observed: second, within: within, shown: shown)
      diff.labels = ("rules", wanted == 1 ? "log" : "observed")
      diff.unwatchedDevices = unwatched
    }
    if diff.all.first + diff.all.second == 0, selection.from != nil || selection.to != nil {
      Console.message("no wake is within --from and --to")
    }
    if arguments.has("--json") {
      try Console.print(diff.json(times: times))
    } else {
      try Console.print(diff.text)
    }
    return diff.isSame ? .success : .difference
  }

  /// Tells of devices that are left out, as they have no observation.
  private static func tellUnwatched(
    _ devices: [String], _ watched: Set<ExactName>, _ inputs: TraceNames
  ) {
    inputs.unmatched(devices: devices).forEach(Console.message)
    for device in devices where !watched.contains(ExactName(device)) {
      guard inputs.unmatched(devices: [device]).isEmpty else { continue }
      Console.message("the device '\(device.shown)' has no observation and is left out")
    }
  }

  /// Reads a wake log.
  ///
  /// - Returns: The names of all its devices.
  private static func read(_ path: String, into side: inout DiffSide) throws -> Set<ExactName> {
    let input = try InputFile(path: path)
    let symbols = Symbols()
    var reader = JSONLinesReader(file: input.name, symbols: symbols)
    try reader.readWakes(from: { span in try input.read(into: &span) }) { wake, _ in
      side.append(
        DiffSide.Wake(
          time: wake.time, types: wake.types, saves: wake.saves, oldest: wake.oldest,
          push: wake.push, refresh: wake.refresh, outcome: wake.outcome, end: wake.end),
        device: wake.device, app: wake.app, symbols)
    }
    tellUnsorted(side, of: path)
    return Set(symbols.devices.names.map { ExactName($0) })
  }

  private static func tellUnsorted(_ side: DiffSide, of path: String) {
    guard side.unsorted > 0 else { return }
    Console.message(
      "\(path.shown): \(Quantity.counted(side.unsorted, "wake")) earlier than the one before of "
        + "the app; they are sorted by time")
  }
}

extension Arguments {
  /// The tolerance of times in nanoseconds.
  fileprivate func tolerance() throws(UsageError) -> Int64 {
    guard let text = value("--within") else { return 0 }
    guard let length = DurationText.nanoseconds(text) else {
      throw usage("--within: '\(text)' is not \(DurationText.form), from 0 to 10^9 seconds")
    }
    return length
  }

  /// How many differences are shown; nil is all.
  fileprivate func shown() throws(UsageError) -> Int? {
    value("--show") == "all" ? nil : try number("--show", in: 0...1_000_000) ?? 10
  }
}

extension ImportError {
  fileprivate static func withoutObservations(_ path: String) -> ImportError {
    ImportError(
      code: .empty, file: path,
      message: "holds no observations; 'rouse record' and 'rouse import' take them as lines of "
        + "the kind observed")
  }
}
