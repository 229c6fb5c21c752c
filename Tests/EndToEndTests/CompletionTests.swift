import Foundation
import Testing
import WakeTestSupport

@Suite("Completions, in the shells themselves")
struct CompletionTests {
  /// The words of a command line, and some that are offered for the last one; none are if there are none here.
  private static let lines: [(words: [String], offered: [String])] = [
    (["im"], ["import"]),
    (["import", ""], ["jsonl", "apple-health"]),
    (["import", "apple-health", "zeb"], ["zebra.xml"]),
    (["import", "-o", "out", "apple"], ["apple-health"]),
    (["replay", "--pol"], ["--policy"]),
    (["replay", "--policy", "w"], ["watchos"]),
    (["replay", "--policy", "zeb"], ["zebra.xml"]),
    (["replay", "--times", ""], ["ns", "iso"]),
    (["replay", "--without", "bud"], ["budget"]),
    (["replay", "--without", "budget,per"], ["budget,period"]),
    (["generate", "wat"], ["watch-day"]),
    (["generate", "watch-day", "wat"], []),
    (["export", "csv", "--table", "w"], ["wakes", "waits"]),
    (["help", "expl"], ["explain"]),
    (["completions", "z"], ["zsh"]),
  ]

  private func makeShop(_ shell: String) throws -> Workshop {
    let shop = try Workshop()
    try shop.write("", to: "zebra.xml")
    let made = try shop.shell("\"$ROUSE\" completions \(shell) >script")
    try #require(made.status == .exited(0), "\(made.errors)")
    return shop
  }

  /// Runs a driver that prints what is offered for each line, a line each.
  private func compare(_ driver: String, in shop: Workshop, by shell: String) throws {
    try shop.write(driver, to: "driver")
    let result = try shop.shell("\(shell) driver")
    #expect(result.errors == "")
    let printed = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    try #require(printed.count == Self.lines.count, "\(result.output)")
    for (line, offered) in zip(Self.lines, printed) {
      let words = Set(offered.split(separator: " ").map(String.init))
      #expect(words == Set(line.offered), "\(line.words)")
    }
  }

  @Test("bash", .enabled(if: OtherPrograms.has("bash"), "needs bash"))
  func bash() throws {
    let shop = try makeShop("bash")
    var driver = "source ./script\n"
    for line in Self.lines {
      let words = line.words.map { "'\($0)'" }.joined(separator: " ")
      driver += """
        COMP_WORDS=(rouse \(words)) COMP_CWORD=\(line.words.count)
        _rouse
        echo "${COMPREPLY[*]}"

        """
    }
    try compare(driver, in: shop, by: "bash --norc")
    // Bash makes a word of `=`.
    let result = try shop.shell(
      #"""
      bash --norc -c 'source ./script; COMP_WORDS=(rouse replay --policy = wa) COMP_CWORD=4; _rouse
      echo "${COMPREPLY[*]}"; complete -p rouse'
      """#)
    #expect(result.output == "watchos\ncomplete -F _rouse rouse\n", "\(result.errors)")
    // The next of several names, each once.
    let list = try shop.shell(
      #"""
      bash --norc -c 'source ./script; COMP_WORDS=(rouse replay --without budget,) COMP_CWORD=3; _rouse
      echo "${COMPREPLY[*]}"; COMP_WORDS=(rouse replay --without = budget,period,b) COMP_CWORD=4; _rouse
      echo "${COMPREPLY[*]}"'
      """#)
    let lines = list.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    try #require(lines.count == 2, "\(list.output)\(list.errors)")
    #expect(lines[0].contains("budget,period") && !lines[0].contains("budget,budget"))
    #expect(lines[0].allSatisfy { $0.hasPrefix("budget,") })
    #expect(lines[1] == ["budget,period,backoff"])
  }

  @Test("fish", .enabled(if: OtherPrograms.has("fish"), "needs fish"))
  func fish() throws {
    let shop = try makeShop("fish")
    var driver = "source ./script\n"
    for line in Self.lines {
      // What is offered may have a description behind a tab.
      driver += """
        echo (complete -C 'rouse \(line.words.joined(separator: " "))' | string split -f1 \\t)

        """
    }
    try compare(driver, in: shop, by: "HOME=. XDG_CONFIG_HOME=. fish --no-config")
  }

  @Test("zsh", .enabled(if: OtherPrograms.has("zsh"), "needs zsh"))
  func zsh() throws {
    let shop = try makeShop("zsh")
    var driver = #"""
      zmodload zsh/zpty
      zpty shell zsh -f -i
      # Reads until the shell has shown each argument.
      await() {
        local end=$((SECONDS + 60)) part all= word
        for word in "$@"; do
          while [[ $all != *$word* ]]; do
            if ((SECONDS >= end)); then print -r -- "no '$word' in $all"; return; fi
            if zpty -rt shell part; then all+=$part; else sleep 0.01; fi
          done
        done
      }
      zpty -w shell "stty columns 200 rows 100; autoload -Uz compinit; compinit -u -D; source ./script"
      # The shell shows the line that it is given, too, in which the word is in two parts.
      zpty -w shell "bindkey '^I' list-choices; LISTMAX=1000; print rea''dy"
      await ready

      """#
    for line in Self.lines where !line.offered.isEmpty {
      // Of names between commas it lists the next one alone.
      let offered = line.offered.compactMap { $0.split(separator: ",").last }
      // The line is shown once more below the list of more than one.
      driver += """
        zpty -w -n shell $'\\C-u''rouse \(line.words.joined(separator: " "))'$'\\t'
        await \(offered.joined(separator: " "))

        """
    }
    try shop.write(driver + "zpty -d shell\n", to: "driver")
    let result = try shop.shell("ZDOTDIR=. zsh -f driver")
    #expect(result.output == "" && result.errors == "", "\(result.errors)")
    #expect(result.status == .exited(0))
  }
}

@Suite("Manual pages")
struct ManualPageTests {
  @Test("have a page for each command, with what its help says")
  func pages() throws {
    let shop = try Workshop()
    #expect(try shop.shell("mkdir man; \"$ROUSE\" man -o man").status == .exited(0))
    let names = HelpTexts.commands.map(\.name)
    let files = try shop.shell("ls man").output.split(separator: "\n").map(String.init)
    #expect(files == (["rouse"] + names.map { "rouse-\($0)" }).map { "\($0).1" }.sorted())
    for name in names {
      let page = try shop.rouse("man", name).outputBytes
      #expect(try shop.read("man/rouse-\(name).1") == page, "\(name)")
      #expect(page.allSatisfy { $0 < 0x80 }, "\(name)")
    }
    #expect(try shop.rouse("man").outputBytes == shop.read("man/rouse.1"))
    let unknown = try shop.rouse("man", "nothing")
    #expect(unknown.status == .exited(64) && unknown.errors.hasPrefix("rouse: unknown command"))
  }

  @Test(
    "are without fault",
    arguments: [
      ("mandoc", "mandoc -T lint -W warning"), ("groff", "groff -man -ww -z -Tutf8"),
    ])
  func lint(program: String, command: String) throws {
    guard OtherPrograms.has(program) else {
      return print("skipped: \(program) is not installed, which checks manual pages")
    }
    let shop = try Workshop()
    let result = try shop.shell("mkdir man; \"$ROUSE\" man -o man; cd man; \(command) * 2>&1")
    #expect(result.output == "" && result.status == .exited(0), "\(result.errors)")
    guard program == "groff" else { return }
    let shown = try shop.shell("groff -man -Tascii -P-cbou man/rouse-import.1")
    #expect(shown.output.contains("rouse import jsonl|apple-health FILE -o TRACE"))
    #expect(shown.output.contains("-o, --output TRACE\n"), "\(shown.output)")
  }
}
