/// Completions for bash: a function that finds what is completed, with the words of each command in `case` patterns.
enum BashCompletions {
  static func script(for program: ProgramDescription) -> String {
    let name = program.name
    let options = program.options.flatMap(\.names)
    var commands = ""
    var cases = ""
    for command in program.commands {
      let takers = command.options.filter { $0.value != nil }.flatMap(\.names)
      commands += """
              \(command.name))
                options='\(command.allOptions.flatMap(\.names).joined(separator: " "))'
                takers=' \(takers.joined(separator: " ")) ' ;;

        """
      for option in command.options {
        guard let values = option.values else { continue }
        cases += line(option.names.map { "'\(command.name) \($0)'" }, values)
      }
      for operand in command.completedOperands {
        let place = operand.isRest ? "*[0-9]" : "\(operand.place)"
        cases += line(["'\(command.name) '\(place)"], operand.values)
      }
    }
    return """
      \(CompletedShell.bash.title(program))
      _\(name)() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
        local operands=0 place options= takers= words= files= list= rest= begun= name
        COMPREPLY=()
        # Bash makes the '=' of '--option=value' a word.
        if [[ $word == '=' ]]; then
          word=
        elif [[ $before == '=' ]]; then
          before=${COMP_WORDS[COMP_CWORD-2]}
        fi
        if ((COMP_CWORD == 1)); then
          words='\((program.commands.map(\.name) + options).joined(separator: " "))'
        else
          case ${COMP_WORDS[1]} in
      \(commands)    esac
          for ((place = 2; place < COMP_CWORD; place++)); do
            if [[ $takers == *" ${COMP_WORDS[place]} "* ]]; then
              ((place++))
              [[ ${COMP_WORDS[place]} == '=' ]] && ((place++))
            elif [[ ${COMP_WORDS[place]} != -?* ]]; then
              ((operands++))
            fi
          done
          if [[ $takers == *" $before "* ]]; then
            place=$before
          elif [[ $word == -* ]]; then
            place= words=$options
          else
            place=$operands
          fi
          case "${COMP_WORDS[1]} $place" in
      \(cases)    esac
        fi
        if [[ -n $list ]]; then
          # The next of several words between commas.
          begun=${word%"${word##*,}"}
          for name in $words; do
            [[ ,$begun == *",$name,"* ]] || rest+=" $name"
          done
          compopt -o nospace 2>/dev/null
          mapfile -t COMPREPLY < <(compgen -P "$begun" -W "$rest" -- "${word##*,}")
        elif [[ -n $words ]]; then
          mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
        fi
        if [[ -n $files ]]; then
          compopt -o filenames 2>/dev/null
          mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word")
        fi
      }
      complete -F _\(name) \(name)

      """
  }

  private static func line(_ patterns: [String], _ values: ArgumentValues) -> String {
    guard values.isFile || !values.words.isEmpty else { return "" }
    let words =
      values.words.isEmpty ? "" : " words='\(values.words.joined(separator: " "))'"
    let kind = (values.isFile ? " files=1" : "") + (values.isList ? " list=1" : "")
    return "      \(patterns.joined(separator: " | ")))\(words)\(kind) ;;\n"
  }
}
