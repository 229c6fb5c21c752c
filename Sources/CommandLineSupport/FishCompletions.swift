/// Completions for fish: a `complete` line for each command, option and operand.
enum FishCompletions {
  static func script(for program: ProgramDescription) -> String {
    let name = program.name
    var lines = ""
    for option in program.options {
      lines += "complete -c \(name) -n __\(name)_first\(flags(option)) -d \(quoted(option.help))\n"
    }
    for command in program.commands {
      lines +=
        "complete -c \(name) -n __\(name)_first -a \(command.name) -d \(quoted(command.summary))\n"
    }
    for command in program.commands {
      let takers = command.options.filter { $0.value != nil }.flatMap(\.names)
      lines += "set -g __\(name)_takers_\(command.name) \(takers.joined(separator: " "))\n"
      let condition = "complete -c \(name) -n '__\(name)_is \(command.name)"
      for option in command.allOptions {
        lines += "\(condition)'\(flags(option)) -d \(quoted(option.help))\n"
      }
      for operand in command.completedOperands {
        let test = "\(operand.isRest ? "-ge" : "-eq") \(operand.place)"
        lines += "\(condition) \(test)'\(values(operand.values))\n"
      }
    }
    return """
      \(CompletedShell.fish.title(program))
      function __\(name)_first
          test (count (commandline -opc)) -eq 1
      end
      # Whether the command is $argv[1], and as many operands as $argv[2] and $argv[3] compare to stand before the cursor.
      function __\(name)_is
          set -l words (commandline -opc)
          test "$words[2]" = $argv[1]; or return 1
          set -q argv[2]; or return 0
          set -l takers __\(name)_takers_$argv[1]
          set -l operands 0
          set -l is_value 0
          set -e words[1..2]
          for word in $words
              if test $is_value -eq 1
                  set is_value 0
              else if contains -- $word $$takers
                  set is_value 1
              else if not string match -q -- '-?*' $word
                  set operands (math $operands + 1)
              end
          end
          test $operands $argv[2] $argv[3]
      end
      complete -c \(name) -f
      \(lines)
      """
  }

  private static func flags(_ option: Specification.Option) -> String {
    let names =
      (option.short.map { " -s \($0.dropFirst())" } ?? "") + " -l \(option.name.dropFirst(2))"
    guard let taken = option.values else { return names }
    return names + (taken.isFile ? " -r" : " -x") + values(taken)
  }

  private static func values(_ values: ArgumentValues) -> String {
    if values.isList {
      return " -a \(quoted("(__fish_append , \(values.words.joined(separator: " ")))"))"
    }
    return (values.isFile ? " -F" : "")
      + (values.words.isEmpty ? "" : " -a \(quoted(values.words.joined(separator: " ")))")
  }

  private static func quoted(_ text: String) -> String {
    "'" + String(text.flatMap { "'\\".contains($0) ? "\\\($0)" : "\($0)" }) + "'"
  }
}
