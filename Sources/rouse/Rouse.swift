import CommandLineSupport
import Glibc
import WakeImport
import WakeTrace

/// The command: finds the subcommand, runs it, and turns what it throws into a line and a status.
@main
enum Rouse {
  static let version = "0.1.0"

  static let commands: [any (Command & SendableMetatype).Type] = [
    RecordCommand.self, ImportCommand.self, ExportCommand.self, GenerateCommand.self,
    ReplayCommand.self, QueryCommand.self, InfoCommand.self, VerifyCommand.self,
    RecoverCommand.self, RepackCommand.self, MergeCommand.self,
  ]

  static func main() {
    keepStandardDescriptors()
    Interrupts.install()
    exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  /// Takes the places of standard input, output and error that are closed, so that no file gets what is
  /// meant for them. To read or write there stays an error.
  private static func keepStandardDescriptors() {
    for descriptor in 0...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest number that is free, which is this one.
      unsafe _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  private static func run(_ arguments: [String]) -> ExitStatus {
    do {
      return try dispatch(arguments)
    } catch let error as UsageError {
      let command = error.command.map { " \($0)" } ?? ""
      Console.message("\(error.message)\nTry 'rouse\(command) --help'.")
      return .usage
    } catch let error as TraceError where error.isClosedPipe {
      return .failure
    } catch {
      Console.message("\(error)")
      return .failure
    }
  }

  private static func dispatch(_ arguments: [String]) throws -> ExitStatus {
    guard let first = arguments.first else {
      throw UsageError(command: nil, message: "a command is missing")
    }
    switch first {
    case "--help", "-h":
      try Console.print(help)
      return .success
    case "--version":
      try Console.print("rouse \(version)\n")
      return .success
    case "help":
      guard let name = arguments.dropFirst().first else {
        try Console.print(help)
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
      return try command.run(parsed)
    }
  }

  private static func command(_ name: String) throws -> any (Command & SendableMetatype).Type {
    guard let command = commands.first(where: { $0.name == name }) else {
      throw UsageError(
        command: nil,
        message: name.hasPrefix("-") ? "unknown option '\(name)'" : "unknown command '\(name)'")
    }
    return command
  }

  private static var help: String {
    let width = commands.map { $0.specification.name.count }.max() ?? 0
    let lines = commands.map { command in
      let name = command.specification.name
      let padding = String(repeating: " ", count: width - name.count)
      return "  \(name)\(padding)  \(command.specification.summary)\n"
    }
    return """
      Record, replay and measure wake scheduling.

      Usage: rouse COMMAND [ARGUMENT]…

      Commands:
      \(lines.joined())
      'rouse COMMAND --help' tells more. '-' in place of a file is standard input or output.

      Options:
        --help     Show this.
        --version  Show the version.

      Exit status: 0 success, 1 failure, 64 wrong usage.

      """
  }
}

/// How the command ends.
enum ExitStatus: Int32 {
  case success = 0
  /// Input is bad, a file cannot be read or written, or something is missing from a trace.
  case failure = 1
  /// The command was called in a way that it does not know.
  case usage = 64
}

/// A subcommand.
protocol Command {
  /// By itself, as some take long to say what else they take.
  static var name: String { get }
  static var specification: Specification { get }
  static func run(_ arguments: Arguments) throws -> ExitStatus
}

extension TraceError {
  /// Whether whoever read the output has gone; nobody is left to be told.
  var isClosedPipe: Bool { code == .inputOutput && message.hasSuffix(": Broken pipe") }
}
