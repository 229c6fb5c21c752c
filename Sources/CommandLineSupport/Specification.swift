/// What a subcommand takes; its help and its parsing are made of it.
package struct Specification: Sendable {
  package struct Option: Sendable {
    package var name: String
    package var short: String?
    /// What stands for the value in help; nil if the option takes none.
    package var value: String?
    package var help: String
    /// Whether it may be given several times.
    package var repeats = false

    package init(
      _ name: String, short: String? = nil, value: String? = nil, repeats: Bool = false,
      _ help: String
    ) {
      self.name = name
      self.short = short
      self.value = value
      self.help = help
      self.repeats = repeats
    }
  }

  /// The program whose subcommand it is.
  package var program: String
  package var name: String
  /// One line.
  package var summary: String
  /// What follows the name in the usage line.
  package var operands: String
  package var operandCount: ClosedRange<Int>
  /// Paragraphs below the usage line.
  package var discussion: String
  package var options: [Option]

  package init(
    program: String = "rouse", name: String, summary: String, operands: String,
    operandCount: ClosedRange<Int>, discussion: String = "", options: [Option]
  ) {
    self.program = program
    self.name = name
    self.summary = summary
    self.operands = operands
    self.operandCount = operandCount
    self.discussion = discussion
    self.options = options
  }

  package var help: String {
    let all = options + [Option("--help", "Show this.")]
    let heads = all.map { option in
      (option.short.map { "\($0), " } ?? "    ") + option.name
        + (option.value.map { " \($0)" } ?? "")
    }
    let width = heads.map(\.count).max() ?? 0
    let lines = zip(heads, all).map { head, option in
      let padding = String(repeating: " ", count: width - head.count)
      return "  \(head)\(padding)  \(option.help)\n"
    }
    return """
      \(summary)

      Usage: \(program) \(name) \(operands)
      \(discussion.isEmpty ? "" : "\n\(discussion)\n")
      Options:
      \(lines.joined())
      """
  }
}

/// The operands and options of a call.
package struct Arguments {
  package private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]
  private let command: String

  package init(_ arguments: [String], _ specification: Specification) throws(UsageError) {
    command = specification.name
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        break
      }
      guard argument.hasPrefix("-"), argument != "-" else {
        operands.append(argument)
        continue
      }
      var name = argument
      var attached: String?
      if argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") {
        name = String(argument[..<equals])
        attached = String(argument[argument.index(after: equals)...])
      } else if !argument.hasPrefix("--"), argument.count > 2 {
        name = String(argument.prefix(2))
        attached = String(argument.dropFirst(2))
      }
      if argument == "--help" || argument == "-h" {
        values["--help"] = []
        continue
      }
      guard let option = specification.options.first(where: { $0.name == name || $0.short == name })
      else { throw usage("unknown option '\(argument)'") }
      guard values[option.name] == nil || option.repeats else {
        throw usage("\(option.name) is given twice")
      }
      guard option.value != nil else {
        guard attached == nil else { throw usage("\(option.name) takes no value") }
        values[option.name] = []
        continue
      }
      guard let value = attached ?? rest.popFirst() else {
        throw usage("\(option.name) lacks its value")
      }
      values[option.name, default: []].append(value)
    }
    guard !has("--help") else { return }
    guard operands.count >= specification.operandCount.lowerBound else {
      throw usage(
        "too few arguments; usage: \(specification.program) \(command) \(specification.operands)")
    }
    guard operands.count <= specification.operandCount.upperBound else {
      throw usage("'\(operands[specification.operandCount.upperBound])' is one argument too many")
    }
  }

  /// Whether an option is given.
  package func has(_ option: String) -> Bool { values[option] != nil }

  /// The value of an option that takes one.
  package func value(_ option: String) -> String? { values[option]?.first }

  /// All values of an option that may be repeated.
  package func all(_ option: String) -> [String] { values[option] ?? [] }

  /// The value of an option that must be given.
  package func required(_ option: String) throws(UsageError) -> String {
    guard let value = value(option) else { throw usage("\(option) is missing") }
    return value
  }

  /// A whole number within a range.
  package func number(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = value(option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let bounds =
        range.upperBound == .max
        ? "from \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw usage("\(option): '\(text)' is no whole number \(bounds)")
    }
    return number
  }

  /// An error in how this subcommand was called.
  package func usage(_ message: String) -> UsageError {
    UsageError(command: command, message: message)
  }
}

/// The call makes no sense.
package struct UsageError: Error {
  /// The subcommand, if it is known.
  package var command: String?
  package var message: String

  package init(command: String?, message: String) {
    self.command = command
    self.message = message
  }
}
