import CommandLineSupport
import WakeTrace

enum CompletionsCommand: Command {
  private static let shells = CompletedShell.allCases.map(\.rawValue)

  static let specification = Specification(
    name: "completions",
    summary: "Print the completions of this command for a shell.",
    operands: shells.joined(separator: "|"),
    operandCount: 1...1,
    operandValues: [.words(shells)],
    discussion: """
      To have them in this shell: source <(rouse completions bash), the same with zsh, or
      rouse completions fish | source
      """,
    options: [])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let name = arguments.operands[0]
    guard let shell = CompletedShell(rawValue: name) else {
      throw arguments.usage("'\(name)' is not one of \(shells.joined(separator: ", "))")
    }
    try Console.print(shell.script(for: Rouse.description))
    return .success
  }
}

enum ManCommand: Command {
  static let specification = Specification(
    name: "man",
    summary: "Print the manual page of this command, or of one of its commands.",
    operands: "[COMMAND] [-o FOLDER]",
    operandCount: 0...1,
    operandValues: [.words(Rouse.commandNames)],
    discussion: "To read it: rouse man replay | man -l -",
    options: [
      .init("--output", short: "-o", value: "FOLDER", "Write all manual pages to a folder.")
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let program = Rouse.description
    guard let folder = arguments.value("--output") else {
      guard let name = arguments.operands.first else {
        try Console.print(ManualPage(program).text)
        return .success
      }
      try Console.print(ManualPage(Rouse.command(name).specification, of: program).text)
      return .success
    }
    if let name = arguments.operands.first {
      throw arguments.usage("--output writes all pages; omit it or '\(name)'")
    }
    try write(ManualPage(program), to: "\(folder)/\(program.name).1")
    for command in program.commands {
      try write(
        ManualPage(command, of: program), to: "\(folder)/\(program.name)-\(command.name).1")
    }
    return .success
  }

  private static func write(_ page: ManualPage, to path: String) throws(TraceError) {
    let output = try FileOutput(path: path)
    try output.write(Array(page.text.utf8))
    try output.commit()
  }
}
