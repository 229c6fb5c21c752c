import CommandLineSupport
import Glibc
import WakeHosting
import WakeImport
import WakeTrace

/// The command: finds and runs the subcommand, and prints an error as one line.
@main
enum Rouse {
  static let version = "0.1.0"
  /// When the version began, for the manual pages.
  private static let versionDate = "2026-11-23"

  /// By name; building a specification takes longer than finding a command.
  private static let commands: KeyValuePairs<String, any (Command & SendableMetatype).Type> = [
    "record": RecordCommand.self, "import": ImportCommand.self, "export": ExportCommand.self,
    "generate": GenerateCommand.self, "replay": ReplayCommand.self,
    "explain": ExplainCommand.self, "report": ReportCommand.self, "query": QueryCommand.self,
    "info": InfoCommand.self, "verify": VerifyCommand.self, "recover": RecoverCommand.self,
    "repack": RepackCommand.self, "index": IndexCommand.self, "split": SplitCommand.self,
    "merge": MergeCommand.self, "optimum": OptimumCommand.self, "sweep": SweepCommand.self,
    "compare": CompareCommand.self, "diff": DiffCommand.self, "check": CheckCommand.self,
    "policy": PolicyCommand.self, "completions": CompletionsCommand.self, "man": ManCommand.self,
  ]

  static var commandNames: [String] { commands.map(\.key) }

  static func main() {
    keepStandardDescriptors()
    guard Interrupts.install() else {
      Console.message(
        "\(TraceError.system("no thread can be started", file: "waiting for signals"))")
      exit(ExitStatus.failure.rawValue)
    }
    let status = run()
    HostedProcess.end()
    exit(status.rawValue)
  }

  /// Opens closed standard descriptors, so that no other file gets their numbers. The modes are such that
  /// reading or writing still fails.
  private static func keepStandardDescriptors() {
    for descriptor in 0...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // `open` returns the lowest free number, which is this one.
      unsafe _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  private static func run() -> ExitStatus {
    do {
      var arguments = try ProgramArguments.read()
      if arguments.first == ChildRun.word, HostedProcess.begin() { arguments.removeFirst() }
      return try dispatch(arguments)
    } catch let error as UsageError {
      let command = error.command.map { " \($0)" } ?? ""
      Console.message("\(error.message)\nTry 'rouse\(command) --help'.")
      return .usage
    } catch let error as TraceError where error.isClosedStandardOutput {
      // As in `rouse export | head`: the reader has what it wants.
      guard UnfinishedFiles.haveBeenDropped else { return .success }
      tellFailure("\(error); the other outputs are not written")
      return .failure
    } catch {
      tellFailure("\(error)")
      return .failure
    }
  }

  private static let badDescriptor = unsafe String(cString: strerror(EBADF))

  /// Tells why the command failed, whatever a scheduler in this process has closed.
  private static func tellFailure(_ message: String) {
    var message = message
    // Standard output may have been closed by who called.
    if HostedProcess.isSupervised, message.hasSuffix(Self.badDescriptor),
      !message.hasPrefix("standard output")
    {
      message += " (has the scheduler closed it?)"
    }
    if !Console.write("rouse: \(message)\n") { HostedProcess.endUntold(message) }
  }

  private static func dispatch(_ arguments: [String]) throws -> ExitStatus {
    guard let first = arguments.first else {
      throw UsageError(command: nil, message: "no command given")
    }
    switch first {
    case "--help", "-h":
      try Console.print(description.help)
      return .success
    case "--version", "-V":
      try Console.print("rouse \(version)\n")
      return .success
    case "help":
      guard let name = arguments.dropFirst().first else {
        try Console.print(description.help)
        return .success
      }
      try Console.print(try command(name).specification.help)
      return .success
    default:
      let command = try command(first)
      let parsed = try Arguments(Array(arguments.dropFirst()), command.specification)
      if parsed.has("--help") {
        try Console.print(command.specification.help)
        return .success
      }
      try RunEnvironment.check(for: first)
      try parsed.refuseRepeatedInput()
      if parsed.operands.count > OpenFiles.few { OpenFiles.allowMost() }
      return try command.run(parsed)
    }
  }

  static func command(_ name: String) throws -> any (Command & SendableMetatype).Type {
    guard let command = commands.first(where: { $0.key == name })?.value
    else {
      throw UsageError(
        command: nil,
        message: name.hasPrefix("-") ? "unknown option '\(name)'" : "unknown command '\(name)'")
    }
    return command
  }

  /// What the command is: the source of its help, manual pages and completions.
  static var description: ProgramDescription {
    ProgramDescription(
      name: "rouse", version: version, date: versionDate,
      summary: "Record, replay and measure wake scheduling.",
      commands: commands.map { $0.value.specification },
      options: [
        .init("--help", "Show this help."),
        .init("--version", short: "-V", "Show the version."),
      ],
      environment: [
        (
          "ROUSE_ACCELERATIONS",
          """
          The scheduler's accelerations: all (default), none, NAME,… (only these)
          or -NAME,… (all but these). An unknown name prints the list of names.
          """
        ),
        (
          "ROUSE_CPU",
          "The processor path, such as portable (default: the best one available)."
        ),
      ],
      exitStatuses: [
        ("0", "success"), ("1", "failure"), ("2", "a comparison found a difference"),
        ("64", "wrong usage"),
      ],
      pages: """
        Pages that help names, such as Rules and JSON output, are Rules.md and JSONOutput.md in
        share/doc/rouse of an installation, and in folders Sources/*/*.docc of the source.
        """)
  }
}

enum ExitStatus: Int32 {
  case success = 0
  /// An input is invalid, a file cannot be read or written, or data is missing from a trace.
  case failure = 1
  /// A comparison found a difference: `replay --verify`, `compare`, `diff` and `check`.
  case difference = 2
  /// The arguments or the environment are invalid.
  case usage = 64
}

protocol Command {
  static var specification: Specification { get }
  static func run(_ arguments: Arguments) throws -> ExitStatus
}

extension TraceError {
  /// Whether the reader of an output has gone.
  var isClosedPipe: Bool { code == .inputOutput && message.hasSuffix(": Broken pipe") }

  /// Whether that of standard output has gone, so that nobody is left to read a result.
  var isClosedStandardOutput: Bool { isClosedPipe && file == "standard output" }
}
