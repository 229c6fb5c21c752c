import CommandLineSupport
import Glibc
import WakeTrace

/// `rouse-bench`: finds the subcommand, runs it, and turns what it throws into a line and a status.
@main
enum RouseBench {
  static let version = "0.1.0"
  static let tool = "rouse-bench \(version)"

  static let commands: [any (Command & SendableMetatype).Type] = [
    ListCommand.self, RunCommand.self, CompareCommand.self, NoiseCommand.self,
    BaselineCommand.self, CheckCommand.self, ExportCommand.self, ProfileCommand.self,
    CacheCommand.self, DigestsCommand.self,
  ]

  /// What the harness asks of copies of itself.
  private static let inner: [any (Command & SendableMetatype).Type] = [
    ServeCommand.self, CountCommand.self,
  ]

  static func main() {
    // Whoever reads the output, or a compared build, may end before we do.
    signal(SIGPIPE, SIG_IGN)
    hashAlike()
    Interrupts.install()
    exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  /// Starts this program anew with hash tables that are laid out alike in every process, unless they are:
  /// counts repeat then, and times vary less.
  private static func hashAlike() {
    let variable = "SWIFT_DETERMINISTIC_HASHING"
    guard unsafe getenv(variable) == nil, unsafe setenv(variable, "1", 1) == 0 else { return }
    // Returns only if it failed; then everything works all the same.
    unsafe _ = execv("/proc/self/exe", CommandLine.unsafeArgv)
  }

  private static func run(_ arguments: [String]) -> ExitStatus {
    do {
      return try dispatch(arguments)
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
      return try command.run(parsed)
    }
  }

  private static var help: String {
    let width = commands.map { $0.specification.name.count }.max() ?? 0
    let lines = commands.map { command in
      "  \(Output.padded(command.specification.name, width))  \(command.specification.summary)\n"
    }
    return """
      Measure Rouse, compare builds of it, and check that nothing became worse.

      Usage: rouse-bench COMMAND [ARGUMENT]…

      Commands:
      \(lines.joined())
      'rouse-bench COMMAND --help' tells more.

      Options:
        --help     Show this help.
        --version  Show the version.

      Environment:
        ROUSE_ACCELERATIONS  The scheduler's accelerations: all (default), none, NAME,… (only these)
                             or -NAME,… (all but these). An unknown name prints the list of names.
        ROUSE_CPU            The processor path, such as portable (default: the best one available).
        ROUSE_ROOT           The project whose traces, thresholds and revisions are used. Default: the
                             project that contains the working directory, or else the one in which
                             this program was built. Now it is
                             \(Project.root)

      Exit status: 0 all is well, 1 failure (a wrong answer is one), 2 something became worse,
      3 the measurements do not tell (with --strict only), 64 wrong usage.

      """
  }
}
