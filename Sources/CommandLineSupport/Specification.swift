import WakeEvents

/// The arguments of a subcommand: the source of its help and of its parser.
package struct Specification: Sendable {
  package struct Option: Sendable {
    package var name: String
    package var short: String?
    /// The placeholders of the values in help, separated by spaces; nil if the option takes none.
    package var value: String?
    /// How many values it takes, if any.
    package var valueCount: Int { value.map { $0.split(separator: " ").count } ?? 0 }
    /// Words that the value may be, for completions.
    package var words: [String]
    /// Whether the value may be several of the words, separated by commas.
    package var isList = false
    package var help: String
    package var repeats = false
    /// Whether the value names a file to read, unless it is one of ``words``; `-` is standard input.
    package var isInput = false

    package init(
      _ name: String, short: String? = nil, value: String? = nil, words: [String] = [],
      isList: Bool = false, repeats: Bool = false, isInput: Bool = false, _ help: String
    ) {
      self.name = name
      self.short = short
      self.value = value
      self.words = words
      self.isList = isList
      self.help = help
      self.repeats = repeats
      self.isInput = isInput
    }
  }

  package var program: String
  package var name: String
  /// One line.
  package var summary: String
  package var operands: String
  package var operandCount: ClosedRange<Int>
  /// What each operand may be, for completions; the last stands for those after it.
  package var operandValues: [ArgumentValues]
  /// Paragraphs below the usage line.
  package var discussion: String
  package var options: [Option]

  package init(
    program: String = "rouse", name: String, summary: String, operands: String,
    operandCount: ClosedRange<Int>, operandValues: [ArgumentValues] = [.file],
    discussion: String = "", options: [Option]
  ) {
    self.program = program
    self.name = name
    self.summary = summary
    self.operands = operands
    self.operandCount = operandCount
    self.operandValues = operandValues
    self.discussion = discussion
    self.options = options
  }

  /// The options with `--help`, which every command has.
  package var allOptions: [Option] { options + [Option("--help", "Show this help.")] }

  package var help: String {
    let all = allOptions
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

/// The operands and options of a command line.
package struct Arguments {
  package private(set) var operands: [String] = []
  /// The options with their values, in the order given.
  package private(set) var given: [(option: String, values: [String])] = []
  /// The values of options that name files to read.
  package private(set) var inputValues: [String] = []
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
        given.append((option.name, []))
        continue
      }
      var taken = attached.map { [$0] } ?? []
      while taken.count < option.valueCount {
        guard let value = rest.popFirst() else {
          let what = option.valueCount == 1 ? "a value" : option.value ?? ""
          throw usage("\(option.name) requires \(what)")
        }
        taken.append(value)
      }
      values[option.name, default: []] += taken
      if option.isInput { inputValues += taken }
      given.append((option.name, taken))
    }
    guard !has("--help") else { return }
    guard operands.count >= specification.operandCount.lowerBound else {
      throw usage(
        "too few arguments; usage: \(specification.program) \(command) \(specification.operands)")
    }
    guard operands.count <= specification.operandCount.upperBound else {
      throw usage("unexpected argument '\(operands[specification.operandCount.upperBound])'")
    }
  }

  package func has(_ option: String) -> Bool { values[option] != nil }

  /// The value of an option that takes one.
  package func value(_ option: String) -> String? { values[option]?.first }

  package func all(_ option: String) -> [String] { values[option] ?? [] }

  package func required(_ option: String) throws(UsageError) -> String {
    guard let value = value(option) else { throw usage("\(option) is required") }
    return value
  }

  /// A whole number within a range; see ``wholeNumber(_:)``.
  package func number(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = value(option) else { return nil }
    guard let number: Int = Self.wholeNumber(text), range.contains(number) else {
      let bounds =
        range.upperBound == .max
        ? "from \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw usage("\(option): '\(text)' is not a whole number \(bounds)")
    }
    return number
  }

  /// Reads digits behind a minus sign or none. A plus sign is refused: to `tail -n +5` it means something else.
  package static func wholeNumber<Number: FixedWidthInteger>(_ text: String) -> Number? {
    text.hasPrefix("+") ? nil : Number(text)
  }

  /// A usage error of this subcommand.
  package func usage(_ message: String) -> UsageError {
    UsageError(command: command, message: message)
  }
}

/// Invalid arguments. The message is in one line, and an argument in it cannot steer a terminal.
package struct UsageError: Error {
  package var command: String?
  package var message: String

  package init(command: String?, message: String) {
    self.command = command
    self.message = message.shown
  }
}
