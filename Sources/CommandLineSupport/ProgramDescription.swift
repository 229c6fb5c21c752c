/// A program with subcommands, from which its help, manual pages and completions are made.
package struct ProgramDescription: Sendable {
  /// A name and what it means.
  package typealias Entry = (name: String, text: String)

  package var name: String
  package var version: String
  /// The date of the version, as `2026-01-31`.
  package var date: String
  /// One line.
  package var summary: String
  package var commands: [Specification]
  package var options: [Specification.Option]
  package var environment: [Entry]
  package var exitStatuses: [Entry]
  /// Where the pages are that help names, in lines as help has them; nil if it names none.
  package var pages: String?

  package init(
    name: String, version: String, date: String, summary: String, commands: [Specification],
    options: [Specification.Option], environment: [Entry], exitStatuses: [Entry],
    pages: String? = nil
  ) {
    self.name = name
    self.version = version
    self.date = date
    self.summary = summary
    self.commands = commands
    self.options = options
    self.environment = environment
    self.exitStatuses = exitStatuses
    self.pages = pages
  }

  /// What is said of operands in all commands.
  static let fileNote = "The file name '-' is standard input or output."

  package var help: String {
    let heads = options.map { option in
      (option.short.map { "\($0), " } ?? "") + option.name
    }
    return """
      \(summary)

      Usage: \(name) COMMAND [ARGUMENT]…

      Commands:
      \(Self.table(commands.map { ($0.name, $0.summary) }))
      '\(name) COMMAND --help' describes a command. \(Self.fileNote)
      \(pages.map { $0 + "\n" } ?? "")
      Options:
      \(Self.table(Array(zip(heads, options.map(\.help)))))
      Environment:
      \(Self.table(environment))
      Exit status: \(exitStatuses.map { "\($0.name) \($0.text)" }.joined(separator: ", ")).

      """
  }

  /// Two columns; further lines of a text are indented like its first.
  private static func table(_ rows: [Entry]) -> String {
    let width = rows.map(\.name.count).max() ?? 0
    return rows.map { name, text in
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let indent = "\n" + String(repeating: " ", count: width + 4)
      let padding = String(repeating: " ", count: width - name.count)
      return "  \(name)\(padding)  \(lines.joined(separator: indent))\n"
    }.joined()
  }
}
