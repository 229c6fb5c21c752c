/// The shells for which completions are made.
package enum CompletedShell: String, CaseIterable {
  case bash, zsh, fish

  /// A script that completes the words of a program's command line.
  package func script(for program: ProgramDescription) -> String {
    var program = program
    let names = program.commands.map(\.name)
    program.commands.append(
      Specification(
        name: "help", summary: "Show the help of a command.", operands: "[COMMAND]",
        operandCount: 0...1, operandValues: [.words(names)], options: []))
    return switch self {
    case .bash: BashCompletions.script(for: program)
    case .zsh: ZshCompletions.script(for: program)
    case .fish: FishCompletions.script(for: program)
    }
  }

  /// The first line of a script.
  func title(_ program: ProgramDescription) -> String {
    "# Completions of \(program.name) for \(rawValue), made by '\(program.name) completions \(rawValue)'."
  }
}
