import CommandLineSupport
import Glibc
import WakeTrace

/// `rouse-bench`: finds and runs the subcommand, and turns errors into a message and an exit status.
@main
enum RouseBench {
  static let version = "0.1.0"
  static let tool = "rouse-bench \(version)"
  static let summary = "Measure Rouse, compare builds, and check for regressions."

  static let commands: [any (Command & SendableMetatype).Type] = [
    ListCommand.self, RunCommand.self, CompareCommand.self, NoiseCommand.self,
    BaselineCommand.self, CheckCommand.self, ExportCommand.self, ProfileCommand.self,
    CacheCommand.self, DigestsCommand.self, CompletionsCommand.self,
  ]

  /// Commands that the harness runs in copies of itself.
  private static let inner: [any (Command & SendableMetatype).Type] = [
    ServeCommand.self, CountCommand.self,
  ]

  static func main() {
    keepStandardDescriptors()
    // A reader of the output, or a compared build, may end before this process.
    signal(SIGPIPE, SIG_IGN)
    hashAlike()
    Interrupts.install()
    exit(run().rawValue)
  }

  /// Opens closed standard descriptors, so that no other file gets their numbers. The modes are such that
  /// reading or writing still fails.
  private static func keepStandardDescriptors() {
    for descriptor in 0...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // `open` returns the lowest free number, which is this one.
      unsafe _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Restarts this program with deterministic hashing unless it is on, so that counts repeat and times vary less.
  private static func hashAlike() {
    let variable = "SWIFT_DETERMINISTIC_HASHING"
    guard unsafe getenv(variable) == nil, unsafe setenv(variable, "1", 1) == 0 else { return }
    // These return only on failure, which is harmless. A program started by the link would be named after it, `exe`.
    if let path = try? ChildProcess.ownPath() { unsafe _ = execv(path, CommandLine.unsafeArgv) }
    unsafe _ = execv("/proc/self/exe", CommandLine.unsafeArgv)
  }

  private static func run() -> ExitStatus {
    do {
      return try dispatch(try ProgramArguments.read())
    } catch let error as UsageError {
      let command = error.command.map { " \($0)" } ?? ""
      Output.message("\(error.message)\nTry 'rouse-bench\(command) --help'.")
      return .usage
    } catch {
      Output.progress(nil)
      Output.message("\(error)")
      return .failure
    }
  }

  private static func dispatch(_ arguments: [String]) throws -> ExitStatus {
    guard let first = arguments.first else {
      throw UsageError(command: nil, message: "no command given")
    }
    switch first {
    case "--help", "-h", "help":
      Output.print(help)
      return .success
    case "--version":
      Output.print("\(tool)\n")
      return .success
    default:
      guard let command = (commands + inner).first(where: { $0.specification.name == first })
      else {
        throw UsageError(
          command: nil,
          message: first.hasPrefix("-") ? "unknown option '\(first)'" : "unknown command '\(first)'"
        )
      }
      let parsed = try Arguments(Array(arguments.dropFirst()), command.specification)
      if parsed.has("--help") {
        Output.print(command.specification.help)
        return .success
      }
      try RunEnvironment.check(for: first)
      if let scheduler = try SchedulerChoice(parsed) { Suites.measure(scheduler) }
      return try command.run(parsed)
    }
  }

  private static var help: String {
    let width = commands.map { $0.specification.name.count }.max() ?? 0
    let lines = commands.map { command in
      "  \(Output.padded(command.specification.name, width))  \(command.specification.summary)\n"
    }
    return """
      \(summary)

      Usage: rouse-bench COMMAND [ARGUMENT]…

      Commands:
      \(lines.joined())
      'rouse-bench COMMAND --help' describes a command.

      Options:
        --help     Show this help.
        --version  Show the version.

      Environment:
        ROUSE_ACCELERATIONS  The scheduler's accelerations: all (default), none, NAME,… (only these)
                             or -NAME,… (all but these). An unknown name prints the list of names.
        ROUSE_CPU            The processor path, such as portable (default: the best one available).
        ROUSE_PATIENCE       Seconds within which a compared program must answer (default 3600).
        ROUSE_PROGRESS       Seconds between the lines of progress where standard error is no terminal
                             (default 60).
        ROUSE_ROOT           The project whose traces, thresholds and revisions are used. Default: the
                             project that contains the working directory, or else the one in which
                             this program was built. Currently:
                             \(Project.root)

      Exit status: 0 success, 1 failure (such as a wrong result), 2 regression, 3 inconclusive (with
      --strict only), 64 wrong usage.

      """
  }
}
