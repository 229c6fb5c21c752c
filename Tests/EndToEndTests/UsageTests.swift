import Testing
import WakeTestSupport

@Suite("How the command is called")
struct UsageTests {
  @Test("help, whole")
  func help() throws {
    for arguments in [["--help"], ["-h"], ["help"]] {
      let result = try RouseCommand.run(arguments)
      #expect(result.output == HelpTexts.rouse, "\(arguments)")
      #expect(result.status == .exited(0) && result.errors == "", "\(arguments)")
    }
    // Every command is listed, and has a help of its own.
    let commands = HelpTexts.rouse.split(separator: "Commands:\n")[1].split(separator: "\n\n")[0]
    let listed = commands.split(separator: "\n").compactMap {
      $0.split(separator: " ").first.map(String.init)
    }
    #expect(listed == HelpTexts.commands.map(\.name))
    for (name, help) in HelpTexts.commands {
      for arguments in [
        [name, "--help"], [name, "-h"], ["help", name], [name, "x", "y", "--help"],
      ] {
        let result = try RouseCommand.run(arguments)
        #expect(result.output == help, "\(arguments)")
        #expect(result.status == .exited(0) && result.errors == "", "\(arguments)")
      }
    }
  }

  @Test("version")
  func version() throws {
    for option in ["--version", "-V"] {
      let result = try RouseCommand.run([option])
      #expect(result.output == "rouse 0.1.0\n")
      #expect(result.status == .exited(0) && result.errors == "")
    }
  }

  @Test(
    "wrong calls of the command",
    arguments: [
      ([], "no command given"),
      (["record-player"], "unknown command 'record-player'"),
      (["--frobnicate"], "unknown option '--frobnicate'"),
      (["-v"], "unknown option '-v'"),
      (["help", "nothing"], "unknown command 'nothing'"),
      ([""], "unknown command ''"),
    ])
  func wrongCommand(arguments: [String], message: String) throws {
    let result = try RouseCommand.run(arguments)
    #expect(result.errors == "rouse: \(message)\nTry 'rouse --help'.\n")
    #expect(result.status == .exited(64))
    #expect(result.output == "")
  }

  @Test("values of environment variables that are invalid")
  func environment() throws {
    let result = try RouseCommand.run(["verify", "a"], environment: ["ROUSE_CPU": "abacus"])
    #expect(
      result.errors.hasPrefix("rouse: ROUSE_CPU=abacus: no such processor path; choose portable"))
    #expect(result.errors.hasSuffix("\nTry 'rouse verify --help'.\n"))
    #expect(result.status == .exited(64) && result.output == "")
    let help = try RouseCommand.run(["--help"], environment: ["ROUSE_CPU": "abacus"])
    #expect(help.status == .exited(0))
  }

  @Test("unknown options of each command", arguments: HelpTexts.commands.map(\.name))
  func unknownOption(command: String) throws {
    for option in ["--frobnicate", "--frobnicate=1", "-z", "-zz", "--Help", "---"] {
      let result = try RouseCommand.run([command, "a", option, "b"])
      #expect(
        result.errors == "rouse: unknown option '\(option)'\nTry 'rouse \(command) --help'.\n")
      #expect(result.status == .exited(64))
      #expect(result.output == "")
    }
  }

  @Test(
    "wrong calls of a subcommand",
    arguments: [
      (
        "import",
        "too few arguments; usage: rouse import jsonl|apple-health FILE -o TRACE"
      ),
      ("import jsonl in", "--output is required"),
      ("import jsonl in -o", "--output requires a value"),
      ("import jsonl in more -o out", "unexpected argument 'more'"),
      ("import xml in -o out", "'xml' is neither jsonl nor apple-health"),
      ("import jsonl in -o out --output=out", "--output is given twice"),
      ("import jsonl in -o out --sort=yes", "--sort takes no value"),
      ("import jsonl in -o out --level 10", "--level: '10' is not a whole number from 0 to 9"),
      ("import jsonl in -o out --level=high", "--level: 'high' is not a whole number from 0 to 9"),
      ("import jsonl in -o out --level +5", "--level: '+5' is not a whole number from 0 to 9"),
      ("record", "--output is required"),
      ("record a b -o out", "unexpected argument 'b'"),
      ("record in --socket s -o out", "--socket cannot be combined with the input 'in'"),
      ("record --keep -o out", "--keep requires --attach"),
      ("record --stay -o out", "--stay requires --attach"),
      ("record --attach --socket s -o out", "--socket cannot be combined with --attach"),
      ("record --attach --now -o out", "--now cannot be combined with --attach"),
      (
        "record --flush 0 -o out",
        "--flush: '0' is not a duration such as 1, 250ms, 2m or 1d, above 0 and up to 10^9 seconds"
      ),
      (
        "record --bytes-per-file 0 -o out",
        "--bytes-per-file: '0' is not a whole number from 1"
      ),
      (
        "record --bytes-per-file 9 -o out",
        "--bytes-per-file and --seconds-per-file require a folder, and 'out' is not one"
      ),
      (
        "export",
        "too few arguments; usage: rouse export [csv | perfetto | chrome] TRACE… [-o FILE]"
      ),
      ("generate", "--output is required"),
      (
        "generate no-preset -o out",
        "'no-preset' is not a preset; 'rouse generate --help' lists the presets"
      ),
      ("generate -o out --events many", "--events: 'many' is not a whole number"),
      ("generate -o out --events +5", "--events: '+5' is not a whole number"),
      (
        "generate -o out --mean-gap -1",
        "--mean-gap: '-1' is not a duration such as 1, 250ms, 2m or 1d, from 0 to 10^9 seconds"
      ),
      ("replay", "too few arguments; usage: rouse replay TRACE…"),
      ("replay in --threads 0", "--threads: '0' is not a whole number from 1 to 1024"),
      ("replay in --repeat 0", "--repeat: '0' is not a whole number from 1 to 1000000"),
      ("replay in --speed fast", "--speed: 'fast' is neither max nor a multiple such as 1x or 60x"),
      ("replay in --speed 0x", "--speed: '0x' is neither max nor a multiple such as 1x or 60x"),
      ("replay in --speed nanx", "--speed: 'nanx' is neither max nor a multiple such as 1x or 60x"),
      ("replay in --speed 60", "--speed: '60' is neither max nor a multiple such as 1x or 60x"),
      (
        "replay in --skip-quiet --keep-going",
        "--skip-quiet cannot be combined with --keep-going: it does not find damage in the blocks "
          + "it skips; use 'rouse recover' first"
      ),
      (
        "replay in --skip-quiet --speed 1x",
        "a paced replay schedules every event; omit --skip-quiet or --speed"
      ),
      (
        "replay in --from yesterday",
        "--from: 'yesterday' is not a time: expected a date such as 2026-01-31 at byte 0"
      ),
      ("query", "too few arguments; usage: rouse query TRACE"),
      ("query in more", "unexpected argument 'more'"),
      ("query in --sort up", "--sort: 'up' is not one of start, end, -start, -end"),
      ("query in --min low", "--min: 'low' is not a number"),
      ("query in --limit -1", "--limit: '-1' is not a whole number from 0"),
      ("query in --limit=+1", "--limit: '+1' is not a whole number from 0"),
      ("info in --depth all", "--depth: 'all' is not one of headers, names, events"),
      ("verify", "too few arguments; usage: rouse verify TRACE…"),
      ("recover", "too few arguments; usage: rouse recover RING|TRACE… -o TRACE"),
      ("recover in", "--output is required"),
      ("recover in -o - --json", "the trace and --json cannot both go to standard output"),
      ("repack", "too few arguments; usage: rouse repack TRACE… -o TRACE"),
      ("repack in", "--output is required"),
      ("repack in more -o out", "several traces become one only with --by-device"),
      ("repack in -o out --level 10", "--level: '10' is not a whole number from 0 to 9"),
      ("merge", "too few arguments; usage: rouse merge RESULT…"),
      ("report", "too few arguments; usage: rouse report TRACE… -o FILE.html"),
      ("report in -o out --threads 0", "--threads: '0' is not a whole number from 1 to 1024"),
      ("optimum", "too few arguments; usage: rouse optimum TRACE…"),
      (
        "optimum in --within 1h,soon",
        "--within: 'soon' is not a duration such as 1, 250ms, 2m or 1d, of whole seconds from 1 to 10^9"
      ),
      (
        "optimum in --within 20000d",
        "--within: '20000d' is not a duration such as 1, 250ms, 2m or 1d, of whole seconds from 1 to 10^9"
      ),
      (
        "optimum in --within 1500ms",
        "--within: '1500ms' is not a duration such as 1, 250ms, 2m or 1d, of whole seconds from 1 to 10^9"
      ),
      (
        "generate -o out --mean-gap 0x1d",
        "--mean-gap: '0x1d' is not a duration such as 1, 250ms, 2m or 1d, from 0 to 10^9 seconds"
      ),
      (
        "generate -o out --mean-gap nan",
        "--mean-gap: 'nan' is not a duration such as 1, 250ms, 2m or 1d, from 0 to 10^9 seconds"
      ),
      ("optimum in --json --curve -", "--json and --curve - cannot both go to standard output"),
    ])
  func wrongSubcommand(call: String, message: String) throws {
    let shop = try Workshop()
    let arguments = call.split(separator: " ").map(String.init)
    let result = try RouseCommand.run(arguments, folder: shop.path)
    #expect(
      result.errors == "rouse: \(message)\nTry 'rouse \(arguments[0]) --help'.\n", "\(call)")
    #expect(result.status == .exited(64), "\(call)")
    #expect(result.output == "" && shop.files.isEmpty, "\(call)")
  }
}
