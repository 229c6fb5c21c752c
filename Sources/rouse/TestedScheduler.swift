import CommandLineSupport
import WakeHosting
import WakeRecorder
import WakeReplay
import WakeTrace

/// The scheduler that `--scheduler` names.
enum TestedScheduler {
  /// Runs the command in a process of its own, if it has a scheduler that may not run in this one.
  ///
  /// - Returns: The exit status; nil if the command is to run in this process.
  static func runApart(_ arguments: Arguments) throws -> ExitStatus? {
    guard let path = arguments.value("--scheduler") else {
      for option in ["--in-process", "--timeout"] where arguments.has(option) {
        throw arguments.usage("\(option) requires --scheduler")
      }
      return nil
    }
    return try runApart(path, arguments)
  }

  /// ``runApart(_:)`` for a scheduler that is given otherwise.
  static func runApart(_ path: String, _ arguments: Arguments) throws -> ExitStatus? {
    let timeout = try timeout(arguments)
    if path.hasPrefix(PipedScheduler.prefix) {
      guard !arguments.has("--in-process") else {
        throw arguments.usage("--in-process is of a library; omit it for a command")
      }
      return nil
    }
    guard !arguments.has("--in-process"), !HostedProcess.isSupervised else { return nil }
    let child = ChildRun(
      arguments: Array(CommandLine.arguments.dropFirst()), scheduler: path, timeout: timeout,
      mayRepeat: !arguments.inputs.contains { !TraceRecovery.isPlainFile($0) })
    let status = try child.run()
    return ExitStatus(rawValue: status) ?? .failure
  }

  /// Whether this run is there to find an event alone, after one that has written its outputs.
  static var onlyLocates: Bool { HostedProcess.watch?.locatesFrom != nil }

  private static func timeout(_ arguments: Arguments) throws(UsageError) -> Double {
    guard let text = arguments.value("--timeout") else { return 10 }
    if arguments.has("--in-process") {
      throw arguments.usage("--timeout cannot be combined with --in-process")
    }
    guard let length = DurationText.nanoseconds(text), length > 0, length <= 1_000_000_000_000_000
    else {
      throw arguments.usage(
        "--timeout: '\(text)' is not \(DurationText.form), above 0 and up to 10^6 seconds")
    }
    return Double(length) / 1e9
  }

  /// Loads the scheduler for a replay; nil if the arguments name none.
  static func host(
    _ arguments: Arguments, _ options: ReplayOptions
  ) throws -> (any SchedulerUnderTest)? {
    guard let path = arguments.value("--scheduler") else { return nil }
    for option in ["--waits", "--without", "--verify", "--skip-quiet"]
    where arguments.has(option) {
      throw arguments.usage("\(option) is of Rouse's own scheduler; omit it or --scheduler")
    }
    if arguments.has("--bounds"), path.hasPrefix(PipedScheduler.prefix) {
      throw arguments.usage("--bounds needs a library, which tells of wakes as they begin")
    }
    let scheduler = try load(path, arguments)
    if options.threads > 1, (scheduler as? SchedulerLibrary)?.mayUseThreads == false {
      throw arguments.usage(
        "--threads: '\(path)' does not have the flag ROUSE_SCHEDULER_THREADS (see rouse_scheduler.h)"
      )
    }
    return scheduler.host(policy: options.policy, watch: HostedProcess.watch, context: "")
  }

  /// Loads the library, or takes the command, that an argument names.
  static func load(_ path: String, _ arguments: Arguments) throws -> any OtherScheduler {
    guard path.hasPrefix(PipedScheduler.prefix) else {
      // What it prints must not stand among results.
      guard SystemCalls.reserveStandardOutput() else {
        throw TraceError.system("standard output cannot be kept for results", file: path)
      }
      return try SchedulerLibrary(path: path)
    }
    guard path.utf8.count > PipedScheduler.prefix.utf8.count else {
      throw arguments.usage("'\(path)' has no command behind '\(PipedScheduler.prefix)'")
    }
    return PipedScheduler(name: path, timeout: try timeout(arguments))
  }
}

extension Specification.Option {
  static let scheduler = Specification.Option(
    "--scheduler", value: "SCHEDULER",
    "Use the scheduler of a shared library, ./mine.so, or of a command, exec:COMMAND.")
  static let inProcess = Specification.Option(
    "--in-process", "Run that scheduler in this process; a crash then ends it.")
  static let timeout = Specification.Option(
    "--timeout", value: "SECONDS",
    "How long a call or an answer of that scheduler may take (default 10).")
}
