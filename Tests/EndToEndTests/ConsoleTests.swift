import Foundation
import Testing
import WakeTestSupport

@Suite("What the command tells beside its results")
struct ConsoleTests {
  @Test("late inputs and a jump ahead, with the first place")
  func oddTimes() throws {
    let shop = try Workshop()
    let year = 400 * 86_400
    let lines =
      Workshop.saves(500) + Workshop.saves(10, from: year) + Workshop.saves(3, device: "phone")
      + Workshop.saves(3)
    try shop.write(lines, to: "odd.jsonl")
    let imported = try shop.rouse("import", "jsonl", "odd.jsonl", "-o", "odd.wtrace")
    #expect(imported.status == .exited(0))
    let told = imported.errors.split(separator: "\n")
    #expect(told.count == 4, "\(imported.errors)")
    #expect(
      told.first == """
        rouse: odd.jsonl:501: time jumps ahead by more than a year: 1971-02-05T00:00:00Z after \
        1970-01-01T00:08:19Z on device watch
        """)
    #expect(
      told.dropFirst().first == """
        rouse: odd.jsonl:514: 3 of 516 inputs are late; the first here: 1970-01-01T00:00:00Z after \
        1971-02-05T00:00:09Z on device watch
        """)
    let replayed = try shop.rouse("replay", "odd.wtrace", "--json")
    #expect(replayed.status == .exited(0))
    let notices = [
      """
      odd.wtrace: byte 0: event 500: time jumps ahead by more than a year: 1971-02-05T00:00:00Z after \
      1970-01-01T00:08:19Z on device watch
      """,
      """
      odd.wtrace: byte 0: event 510: 3 of 516 inputs are late; the first here: 1970-01-01T00:00:00Z after \
      1971-02-05T00:00:09Z on device watch
      """,
    ]
    #expect(replayed.errors == notices.map { "rouse: \($0)\n" }.joined() + Self.noSubscription)
    #expect(try replayed.json()["notices"] == .array(notices.map { .string($0) }))
  }

  @Test("few late inputs, and a long wait, are nothing to tell of")
  func fewOddTimes() throws {
    let shop = try Workshop()
    let lines = Workshop.saves(2_000) + Workshop.saves(2) + Workshop.saves(1, from: 365 * 86_400)
    try shop.write(lines, to: "in.jsonl")
    let imported = try shop.rouse("import", "jsonl", "in.jsonl", "-o", "out.wtrace")
    #expect(imported.errors.split(separator: "\n").count == 2, "\(imported.errors)")
    let replayed = try shop.rouse("replay", "out.wtrace", "--json")
    #expect(replayed.errors == Self.noSubscription)
    #expect(try replayed.json()["summary"]?["lateInputs"] == .integer(2))
  }

  private static let noSubscription = """
    rouse: no app has a subscription, so nothing is woken; 'rouse policy new' writes a policy with \
    "subscriptions"

    """

  @Test("no trace on a terminal, and a reader that has enough")
  func terminalAndPipe() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(20_000), as: "in")
    let piped = try shop.shell("(\"$ROUSE\" export in.wtrace; echo $? >&2) | head -n 1")
    #expect(piped.errors == "0\n" && piped.output.hasPrefix("{\"t\":0,"), "\(piped.errors)")
    try shop.write("\"$ROUSE\" repack in.wtrace -o -", to: "line.sh")
    let shown = try shop.shell("script -qec 'sh line.sh' /dev/null < /dev/null")
    guard !shown.output.isEmpty else {
      print("SKIPPED: there is no terminal to be had from 'script': \(shown.errors)")
      return
    }
    #expect(
      shown.output.hasPrefix("rouse: a trace is binary and not written to a terminal"),
      "\(shown.output)")
  }

  @Test("no trace or page on a terminal, whatever its name")
  func terminalByName() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(20), as: "in")
    for (command, what) in [
      ("repack in.wtrace", "a trace is binary"), ("report in.wtrace", "a page is"),
      ("export perfetto in.wtrace", "a Perfetto trace is binary"),
    ] {
      for name in ["-", "/dev/stdout", "/dev/tty", "/proc/self/fd/1"] {
        try shop.write("\"$ROUSE\" \(command) -o \(name)", to: "line.sh")
        let shown = try shop.shell("script -qec 'sh line.sh' /dev/null < /dev/null")
        guard !shown.output.isEmpty else {
          print("SKIPPED: there is no terminal to be had from 'script': \(shown.errors)")
          return
        }
        let isRefused = shown.output.hasPrefix("rouse: \(what)")
        #expect(isRefused, "\(command) \(name): \(shown.output.prefix(200).debugDescription)")
      }
    }
    // No terminal: a file and a pipe behind the same name, a pipe with a name, and what is no file.
    let fine = try shop.shell(
      """
      mkfifo pipe; cat pipe >named & "$ROUSE" repack in.wtrace -o /dev/stdout >file; \
      "$ROUSE" repack in.wtrace -o /dev/stdout | cat >piped; "$ROUSE" repack in.wtrace -o pipe; wait; \
      "$ROUSE" repack in.wtrace -o /dev/null
      """)
    #expect(fine.status == .exited(0), "\(fine.errors)")
    let file = try shop.read("file")
    #expect(try !file.isEmpty && shop.read("piped") == file && shop.read("named") == file)
  }

  @Test("progress on a terminal")
  func progressOnTerminal() throws {
    let shop = try Workshop()
    try shop.write(Workshop.saves(100), to: "in.jsonl")
    // Lines come late, so that there is time to show how far it is: from when the command has opened its input.
    let line = """
      rm -f lines; mkfifo lines
      (for part in 1 2 3 4 5 6 7 8; do cat in.jsonl; sleep 0.2; done) > lines &
      "$ROUSE" import jsonl lines -o out
      """
    let quiet = try shop.shell(line)
    #expect(quiet.status == .exited(0))
    #expect(!quiet.errors.contains("\u{1B}") && !quiet.errors.contains("\r"), "\(quiet.errors)")
    #expect(!quiet.errors.contains("importing"), "\(quiet.errors)")

    try shop.write(line, to: "line.sh")
    let shown = try shop.shell("script -qec 'sh line.sh' /dev/null < /dev/null")
    guard shown.status == .exited(0) else {
      print("SKIPPED: there is no terminal to be had from 'script': \(shown.errors)")
      return
    }
    #expect(shown.output.contains("\r\u{1B}[Kimporting "), "\(shown.output)")
    // The bar is gone before anything else is told.
    #expect(shown.output.contains("\r\u{1B}[Krouse: lines:101: "), "\(shown.output)")
    #expect(shown.output.contains("\nrouse: out: 800 events"), "\(shown.output)")
  }
}
