import CommandLineSupport
import Measurement
import WakeEvents
import WakeRecorder
import WakeReplay
import WakeScheduling
import WakeTrace

enum ReplayCommand: Command {
  static let specification = Specification(
    name: "replay",
    summary: "Replay traces through the wake scheduler; report wakes and speed.",
    operands: "TRACE…",
    operandCount: 1...(.max),
    discussion: """
      The streams of a device, in one trace or in several, are merged by time. T is a time such as
      2026-01-01 or 2026-01-01T08:00:00Z, or nanoseconds since 1970. With --keep-going the result
      lists the damage, and the exit status is 1. --skip-quiet does not change wakes and counts, but
      damage in the skipped blocks is not found, and the speed is that of the other events. --verify
      compares wakes, counts and digest of replays with all accelerations (or those of
      ROUSE_ACCELERATIONS) and with none. It prints the first wake that differs, and the exit status
      is 2 if there is one.

      --waits tells why wakes came no sooner (see the page Rules, 9), in the file and, summed up, in the
      report and under "waiting" of --json. Each wait is counted once, when it is over for good. There
      are three sums of time for each reason: "any" is all the time in which it held, and these overlap;
      "alone" is the time in which nothing else held; "last" gives the whole wait to one
      reason, the first in the order of rule 9.2 of those in its last stretch, and these sums add up to
      all waiting.

      --without replays as if reasons (words, separated by commas) never held, with all that follows
      from it: what if? The result says so, and is merged only with results without the same:
      \(liftedReasons)

      TRACE may be @LIST, a file with the path of a trace in each line. With several --policy the traces are
      decoded once and scheduled under each of them: --json is an array then. --shard 3/8 replays the
      third of eight shards, which have about as many devices each, by the hashes of their names.
      'rouse merge' adds the results of all shards, or of different devices, to that of one replay (see the
      page Fleets); --results writes what it needs, a line for each policy, the same bytes each time.

      --bounds tells how far the wakes are from the best (see the page Rules, 10), in the file, in the
      report and under "bounds" of --json, times in nanoseconds: "behind" is the time for which an app
      had not got what was saved for it, "leastBehind" the least of it that as many wakes allow, and
      "fewestWakes" and "fewestWakesWithin" are how few wakes would do. 'rouse optimum' has more.

      --scheduler replays through another scheduler: a shared library with the function of
      rouse_scheduler.h, or a command that takes inputs over a pipe (see the page Schedulers). A library
      runs in a process of its own, so that one that crashes, or does not return from a call for the
      seconds of --timeout, is told of with the event that it was given, and the exit status is 1. With
      --in-process it runs in this one.

      Several --policy cannot be combined with --wakes, --waits, --bounds, --verify, --repeat, --speed,
      --scheduler or --skip-quiet. A paced replay (--speed) uses one thread.
      """,
    options: [
      .policies,
      .init("--wakes", value: "FILE", "Write the wake log as JSON Lines; '-' is standard output."),
      .init(
        "--waits", value: "FILE",
        "Write why wakes came no sooner as JSON Lines; '-' is standard output."),
      .init(
        "--without", value: "REASONS", words: WaitReason.liftable.map(\.word), isList: true,
        "Lift reasons for which wakes wait: budget,period …"),
      .init(
        "--bounds", value: "FILE",
        "Write how far wakes are from the best as JSON; '-' is standard output."),
      .init("--json", "Print the result as JSON."),
      .init(
        "--results", value: "FILE",
        "Write the result for 'rouse merge' as JSON Lines; '-' is standard output."),
      .logTimes,
      .init("--from", value: "T", "Ignore inputs before T, of every kind."),
      .init("--to", value: "T", "Ignore inputs at or after T."),
      .init(
        "--type", value: "TYPE", repeats: true,
        "Ignore saves and deletes of other types (repeatable)."),
      .init("--device", value: "NAME", repeats: true, "Ignore other devices (repeatable)."),
      .init("--shard", value: "I/N", "Ignore devices of other shards than I of N."),
      .init("--threads", value: "N", "Threads that decode and schedule (default 1)."),
      .init("--repeat", value: "N", "Replay N times (default 1); the speed is the median."),
      .init(
        "--speed", value: "SPEED", "max (default), or a multiple of the trace's own pace: 1x, 60x …"
      ),
      .scheduler, .inProcess, .timeout,
      .init("--verify", "Compare the result with that of a replay without accelerations."),
      .init("--skip-quiet", "Count blocks that cannot cause a wake from their headers."),
      .init("--keep-going", "Skip damaged blocks."),
      .init("--no-latency", "Do not sample the latency of events."),
      .init(
        "--perf-control", value: "CTL,ACK",
        "Restrict perf record --control=fifo:CTL,ACK to the replay."),
    ])

  /// A line for each reason that can be lifted.
  private static var liftedReasons: String {
    let width = WaitReason.liftable.map(\.word.count).max() ?? 0
    return WaitReason.liftable.map { reason in
      let padding = String(repeating: " ", count: width - reason.word.count)
      return "  \(reason.word)\(padding)  \(reason.effectOfLifting ?? "")"
    }.joined(separator: "\n")
  }

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    if let status = try TestedScheduler.runApart(arguments) { return status }
    var options = try options(arguments)
    options.tested = try TestedScheduler.host(arguments, options)
    if TestedScheduler.onlyLocates { options.wakeLog = nil }
    let outputs = ["--wakes", "--waits", "--bounds", "--results"]
    let onOutput =
      outputs.filter { arguments.value($0) == "-" }.map { $0 + " -" }
      + (arguments.has("--json") ? ["--json"] : [])
    if onOutput.count > 1 {
      throw arguments.usage("\(onOutput[1]) and \(onOutput[0]) cannot both go to standard output")
    }
    if arguments.has("--verify") {
      for option in [
        "--json", "--wakes", "--waits", "--bounds", "--results", "--repeat", "--speed",
        "--perf-control",
      ]
      where arguments.has(option) {
        throw arguments.usage("--verify cannot be combined with \(option)")
      }
    }
    if arguments.has("--verify"), options.accelerations.isEmpty {
      throw arguments.usage(
        "--verify needs an acceleration to compare with the plain rules, and ROUSE_ACCELERATIONS "
          + "selects none")
    }
    let paths = try arguments.paths()
    let repetitions = try arguments.number("--repeat", in: 1...1_000_000) ?? 1
    for (number, file) in outputs.enumerated() {
      guard let path = arguments.value(file), path != "/dev/null" else { continue }
      if let other = outputs[..<number].first(where: {
        arguments.value($0).map { TraceRecovery.isSamePath($0, path) } ?? false
      }) {
        throw arguments.usage("\(file) and \(other) cannot both go to '\(path)'")
      }
      try Console.refuse(path, over: arguments.inputs(paths))
    }
    let given = try GivenTraces(paths, keepsGoing: options.keepsGoing)
    let traces = given.files
    // By its place among the traces, as tasks may have copies of them in other folders.
    let shard = options.selection.shard
    options.damagedFiles = given.damaged.filter { damaged in
      shard.map { damaged.place % $0.count == $0.number - 1 } ?? true
    }.map(\.error)
    options.makesPrivateLogs = arguments.hasPrivateInput(traces)
    let bounds = try arguments.value("--bounds").map { path throws(TraceError) in
      try FileOutput(path: path, isPrivate: arguments.hasPrivateInput(traces))
    }
    let resultFile = try arguments.value("--results").map { path throws(TraceError) in
      try FileOutput(path: path, isPrivate: arguments.hasPrivateInput(traces))
    }
    let perf = try arguments.value("--perf-control").map { paths throws(PerfControlError) in
      try PerfControl(paths: paths)
    }
    if arguments.has("--verify") { return try verify(traces, options) }
    let region = MeasuredRegion("replay", perf: perf)
    var results = try region.measure { try replay(traces, options) }
    var result = results[0]
    options.wakeLog = nil
    options.waitLog = nil
    var performances = [result.performance].compactMap(\.self)
    for _ in 1..<repetitions {
      let again = try region.measure { try replay(traces, options)[0] }
      guard again.summary == result.summary else {
        // A bug in Rouse.
        Console.message(
          "two replays of the same traces differ: \(result.digest) and \(again.digest)")
        return .failure
      }
      if let performance = again.performance { performances.append(performance) }
    }
    if repetitions > 1 { result.performance?.takeMedians(of: performances) }
    if let bounds, let found = result.bounds {
      try bounds.write(Array(found.json.utf8))
      try bounds.commit()
    }
    results[0] = result
    if let resultFile {
      try resultFile.write(results.flatMap { Array($0.repeatable.jsonLine.utf8) })
      try resultFile.commit()
    }
    report(result)
    Remarks(options, traces).tell(result)
    for (other, result) in zip(options.otherPolicies, results.dropFirst()) {
      var options = options
      options.policy = other.policy
      Remarks(options, traces).tell(result)
    }
    let text =
      !arguments.has("--json")
      ? ReplayResult.report(results)
      : results.count == 1 ? result.json : ReplayResult.json(results)
    if onOutput.contains(where: { $0.hasSuffix(" -") }) {
      // A log uses standard output.
      Console.write(text)
    } else {
      try Console.print(text)
    }
    return result.loss.damages.isEmpty ? .success : .failure
  }

  private static func replay(
    _ files: [TraceFile], _ options: ReplayOptions
  ) throws -> [ReplayResult] {
    try Progress.during("replaying", unit: "events") { progress in
      try Replayer(files: files, options: options).runAll { done, _ in
        progress.update(Int64(done))
      }
    }
  }

  /// Prints notices, and each damaged place that was skipped, on standard error.
  private static func report(_ result: ReplayResult) {
    for notice in result.notices { Console.message(notice) }
    for damage in result.loss.damages {
      let place = damage.offset.map { ": byte \($0)" } ?? ""
      Console.message("skipped: \(damage.file.shown)\(place): \(damage.message)")
    }
  }

  private static func verify(
    _ files: [TraceFile], _ options: ReplayOptions
  ) throws -> ExitStatus {
    let outcome = try Progress.during("verifying", unit: "events") { progress in
      try ReplayVerification(files: files, options: options).run { done, _ in
        progress.update(Int64(done))
      }
    }
    let with = options.accelerations == .all ? "all accelerations" : options.accelerations.names
    try Console.print(outcome.text(with: with))
    guard case .equal(let result) = outcome else { return .difference }
    report(result)
    return result.loss.damages.isEmpty ? .success : .failure
  }

  private static func options(_ arguments: Arguments) throws -> ReplayOptions {
    var options = ReplayOptions()
    try readPolicies(arguments, &options)
    if let text = arguments.value("--shard") {
      guard let shard = DeviceShard(text) else {
        throw arguments.usage(
          "--shard: '\(text)' is not a shard such as 3/8, from 1 to at most \(DeviceShard.mostShards)"
        )
      }
      options.selection.shard = shard
    }
    // The result has no points in time.
    options.times = try arguments.times(in: "--wakes", "--waits")
    options.wakeLog = arguments.value("--wakes")
    options.waitLog = arguments.value("--waits")
    if arguments.has("--bounds") { options.bounds = ReplayOptions.Bounds() }
    options.selection.from = try arguments.time("--from")?.nanoseconds
    options.selection.to = try arguments.time("--to")?.nanoseconds
    if let from = options.selection.from, let to = options.selection.to, from > to {
      throw arguments.usage("--from is after --to")
    }
    options.selection.types = Set(arguments.all("--type").map { ExactName($0) })
    options.selection.devices = Set(arguments.all("--device").map { ExactName($0) })
    options.threads = try arguments.number("--threads", in: 1...1_024) ?? 1
    options.keepsGoing = arguments.has("--keep-going")
    options.skipsQuiet = arguments.has("--skip-quiet")
    if options.skipsQuiet, options.keepsGoing {
      throw arguments.usage(
        "--skip-quiet cannot be combined with --keep-going: it does not find damage in the blocks "
          + "it skips; use 'rouse recover' first")
    }
    options.accelerations = try RunEnvironment.accelerations(for: specification.name)
    options.measuresLatency = !arguments.has("--no-latency")
    if let speed = arguments.value("--speed"), speed != "max" {
      guard speed.hasSuffix("x"), let factor = Double(speed.dropLast()), factor > 0,
        factor.isFinite
      else {
        throw arguments.usage("--speed: '\(speed)' is neither max nor a multiple such as 1x or 60x")
      }
      guard options.threads == 1 else {
        throw arguments.usage("a paced replay uses one thread; omit --threads or --speed")
      }
      guard !options.skipsQuiet else {
        throw arguments.usage("a paced replay schedules every event; omit --skip-quiet or --speed")
      }
      options.speed = .paced(factor)
    }
    return options
  }

  private static func readPolicies(_ arguments: Arguments, _ options: inout ReplayOptions) throws {
    var lifted = WaitReasons()
    if let reasons = arguments.value("--without") {
      do throws(UnliftableReason) {
        lifted = try WaitReasons(lifting: reasons)
      } catch {
        throw arguments.usage("--without: \(error)")
      }
    }
    var policies = try arguments.namedPolicies()
    if policies.isEmpty { policies = [(options.policyName, options.policy)] }
    for place in policies.indices {
      policies[place].policy = policies[place].policy.without(lifted)
      if let same = policies[..<place].first(where: { $0.policy == policies[place].policy }) {
        throw arguments.usage(
          "--policy: \(same.argument) and \(policies[place].argument) are the same policy")
      }
    }
    (options.policyName, options.policy) = policies[0]
    options.otherPolicies = policies.dropFirst().map { .init($0.policy, name: $0.argument) }
    guard policies.count > 1 else { return }
    for option in [
      "--wakes", "--waits", "--bounds", "--verify", "--repeat", "--speed", "--scheduler",
      "--skip-quiet",
    ]
    where arguments.has(option) {
      throw arguments.usage("\(option) cannot be combined with several --policy")
    }
  }
}

extension ReplayVerification.Outcome {
  /// The outcome for people.
  ///
  /// - Parameter accelerations: The accelerations of the first replay, in words.
  func text(with accelerations: String) -> String {
    switch self {
    case .equal(let result):
      return """
        equal: \(Quantity.count(result.summary.wakes)) wakes of \
        \(Quantity.count(result.summary.inputs)) inputs, digest \(result.digest), with \
        \(accelerations) and with none\n
        """
    case .wakesDiffer(let wake):
      let device = wake.device.isEmpty ? "" : " of device \(wake.device)"
      return """
        different: wake \(wake.number)\(device)
          with \(accelerations): \(wake.accelerated ?? "no such wake")
          with none: \(wake.plain ?? "no such wake")\n
        """
    case .countsDiffer(let counts):
      let lines = counts.map {
        "  \($0.key): \($0.accelerated) with \(accelerations), \($0.plain) with none\n"
      }
      return "different: all wakes are equal, but these counts differ\n"
        + lines.joined()
    }
  }
}
