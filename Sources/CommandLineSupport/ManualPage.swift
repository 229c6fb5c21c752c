/// A manual page for man(1), in the macros of man(7) and in ASCII.
package struct ManualPage {
  package private(set) var text = ""

  /// The page of the program.
  package init(_ program: ProgramDescription) {
    begin(program, program.name, program.summary)
    section("SYNOPSIS")
    line(".B \(Self.escaped(program.name))\n\\fICOMMAND\\fR [\\fIARGUMENT\\fR]\\[u2026]")
    section("DESCRIPTION")
    paragraph(program.summary)
    line(".PP")
    paragraph(ProgramDescription.fileNote)
    if let pages = program.pages {
      line(".PP")
      paragraph(pages)
    }
    section("COMMANDS")
    for command in program.commands {
      entry("\\fB\(Self.escaped("\(program.name)-\(command.name)"))\\fR(1)", command.summary)
    }
    section("OPTIONS")
    list(program.options)
    section("ENVIRONMENT")
    for variable in program.environment {
      entry("\\fB\(Self.escaped(variable.name))\\fR", variable.text)
    }
    exitStatuses(program)
    seeAlso(program.commands.map { "\(program.name)-\($0.name)" })
  }

  /// The page of a command.
  package init(_ command: Specification, of program: ProgramDescription) {
    begin(program, "\(program.name)-\(command.name)", command.summary)
    section("SYNOPSIS")
    line(".B \(Self.escaped("\(program.name) \(command.name)"))\n\(Self.escaped(command.operands))")
    section("DESCRIPTION")
    paragraph(command.summary)
    for part in command.discussion.split(separator: "\n\n") {
      line(".PP")
      paragraph(String(part))
    }
    section("OPTIONS")
    list(command.allOptions)
    exitStatuses(program)
    seeAlso([program.name])
  }

  private mutating func line(_ line: String) { text += line + "\n" }

  private mutating func begin(_ program: ProgramDescription, _ name: String, _ summary: String) {
    line(
      ".TH \(Self.escaped(name.uppercased())) 1 \(program.date) \"\(program.name) "
        + "\(program.version)\"")
    section("NAME")
    let phrase = summary.hasSuffix(".") ? String(summary.dropLast()) : summary
    line("\(Self.escaped(name)) \\- \(Self.escaped(phrase))")
  }

  private mutating func section(_ name: String) { line(".SH \(name)") }

  /// Fills lines; those that are indented keep their shape.
  private mutating func paragraph(_ paragraph: String) {
    var isShaped = false
    for part in paragraph.split(separator: "\n") {
      if part.hasPrefix(" ") != isShaped {
        isShaped.toggle()
        line(isShaped ? ".nf" : ".fi")
      }
      line(Self.escapedLine(String(part)))
    }
    if isShaped { line(".fi") }
  }

  /// A head with its text indented below it.
  private mutating func entry(_ head: String, _ text: String) {
    line(".TP\n\(head)")
    for part in text.split(separator: "\n") { line(Self.escapedLine(String(part))) }
  }

  private mutating func list(_ options: [Specification.Option]) {
    for option in options {
      let names = option.names.map { "\\fB\(Self.escaped($0))\\fR" }.joined(separator: ", ")
      entry(names + (option.value.map { " \\fI\(Self.escaped($0))\\fR" } ?? ""), option.help)
    }
  }

  private mutating func exitStatuses(_ program: ProgramDescription) {
    section("EXIT STATUS")
    for status in program.exitStatuses { entry("\\fB\(status.name)\\fR", status.text) }
  }

  private mutating func seeAlso(_ names: [String]) {
    section("SEE ALSO")
    line(names.map { "\\fB\(Self.escaped($0))\\fR(1)" }.joined(separator: ",\n"))
  }

  /// A line of text, which must not begin like a request.
  private static func escapedLine(_ line: String) -> String {
    (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + escaped(line)
  }

  /// Text in ASCII, with hyphens that can be copied to a shell.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "\"": "\\(dq"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case "`": "\\(ga"
      default:
        if scalar.isASCII {
          String(scalar)
        } else {
          "\\[u" + String(repeating: "0", count: max(0, 4 - hexadecimal(scalar).count))
            + hexadecimal(scalar) + "]"
        }
      }
    }.joined()
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    String(scalar.value, radix: 16, uppercase: true)
  }
}
