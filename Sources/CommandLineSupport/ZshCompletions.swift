/// Completions for zsh: a `_arguments` specification for each command (zshcompsys(1)).
enum ZshCompletions {
  static func script(for program: ProgramDescription) -> String {
    let name = program.name
    let list = program.commands.map { "    \(quoted(escaped($0.name) + ":" + $0.summary))\n" }
    let global = program.options.flatMap { option in
      option.names.map { " \\\n    \(quoted("(- *)\($0)[\(escaped(option.help))]"))" }
    }
    let cases = program.commands.map { command in
      let arguments =
        command.allOptions.flatMap { specification($0) }
        + command.completedOperands.map { operand in
          let place = operand.isRest ? "*" : "\(operand.place + 1)"
          return quoted("\(place):argument:\(action(operand.values))")
        }
      return """
            \(command.name))
              _arguments -s \\
                \(arguments.joined(separator: " \\\n          ")) ;;

        """
    }
    return """
      #compdef \(name)
      \(CompletedShell.zsh.title(program))
      _\(name)() {
        local curcontext=$curcontext state line commands
        typeset -A opt_args
        commands=(
      \(list.joined())  )
        _arguments -C\(global.joined()) \\
          '1:command:->command' '*::argument:->argument'
        case $state in
          command) _describe -t commands command commands ;;
          argument)
            case $line[1] in
      \(cases.joined())    esac ;;
        esac
      }
      if [[ $funcstack[1] == _\(name) ]]; then
        _\(name) "$@"
      else
        compdef _\(name) \(name)
      fi

      """
  }

  /// The arguments of `_arguments` for an option, an argument for each of its names.
  private static func specification(_ option: Specification.Option) -> [String] {
    let repeated =
      option.repeats || option.names.count == 1 ? "" : "(\(option.names.joined(separator: " ")))"
    return option.names.map { name in
      let ending = option.value == nil ? "" : name.hasPrefix("--") ? "=" : "+"
      let value = option.value.map { placeholder in
        ":\(escaped(placeholder)):\(option.values.map(action) ?? "")"
      }
      return quoted(
        "\(option.repeats ? "*" : repeated)\(name)\(ending)[\(escaped(option.help))]\(value ?? "")")
    }
  }

  private static func action(_ values: ArgumentValues) -> String {
    let words = values.words.joined(separator: " ")
    if values.isList { return "_values -s , word \(words)" }
    if !values.isFile { return words.isEmpty ? " " : "(\(words))" }
    return words.isEmpty ? "_files" : "{compadd -- \(words); _files}"
  }

  private static func escaped(_ text: String) -> String {
    String(text.flatMap { "\\[]:".contains($0) ? "\\\($0)" : "\($0)" })
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
