import CommandLineSupport

/// `rouse-bench completions`
enum CompletionsCommand: Command {
  private static let shells = CompletedShell.allCases.map(\.rawValue)

  static let specification = Specification.bench(
    "completions", "Print the completions of this command for a shell.",
    operands: shells.joined(separator: "|"), count: 1...1, values: [.words(shells)],
    discussion: "To have them in this shell: source <(rouse-bench completions bash)")

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let name = arguments.operands[0]
    guard let shell = CompletedShell(rawValue: name) else {
      throw arguments.usage("'\(name)' is not one of \(shells.joined(separator: ", "))")
    }
    let program = ProgramDescription(
      name: "rouse-bench", version: RouseBench.version, date: "", summary: RouseBench.summary,
      commands: RouseBench.commands.map { $0.specification },
      options: [.init("--help", "Show this help."), .init("--version", "Show the version.")],
      environment: [], exitStatuses: [])
    Output.print(shell.script(for: program))
    return .success
  }
}
