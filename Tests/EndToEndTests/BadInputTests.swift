import Foundation
import Testing
import WakeTestSupport

@Suite("Bad input ends the command with one line that says where and what")
struct BadInputTests {
  /// Runs the command, which must fail with just this line, and leave nothing behind.
  private func expectFailure(
    _ message: String, _ arguments: [String], in shop: Workshop, stdin: [UInt8] = [],
    at place: SourceLocation = #_sourceLocation
  ) throws {
    let files = shop.files
    let result = try RouseCommand.run(arguments, stdin: stdin, folder: shop.path)
    #expect(result.status == .exited(1), "\(arguments)", sourceLocation: place)
    #expect(result.errors == "rouse: \(message)\n", "\(arguments)", sourceLocation: place)
    #expect(result.output == "", "\(arguments)", sourceLocation: place)
    #expect(shop.files == files, "\(arguments): nothing is left behind", sourceLocation: place)
  }

  private static let kinds = """
    save, delete, enable, disable, disableAll, execute, stop, complete, launch, background, \
    terminate, forceQuit, push, refreshInterval, refreshStatus, complication, entitlement, \
    network, power, lock, unlock, reboot, observed
    """

  @Test(
    "in JSON Lines",
    arguments: [
      (#"{"t":0,"k":"saved"}"#, #"field "k": "saved" is not one of \#(kinds)"#),
      (#"{"t":0,"k":"save","type":"T"}"#, #"field "source": is missing"#),
      (#"{"k":"lock"}"#, #"field "t": is missing"#),
      (
        #"{"t":0.5,"k":"lock"}"#,
        #"field "t": 0.5 is not a whole number written without fraction and exponent"#
      ),
      (
        #"{"t":5000000000000000000,"k":"lock"}"#,
        #"field "t": 5000000000000000000 is not within ±4000000000000000000"#
      ),
      (
        #"{"t":0,"k":"enable","app":"a","type":"T","frequency":"fortnightly"}"#,
        #"field "frequency": "fortnightly" is not one of immediate, hourly, daily, weekly"#
      ),
      (
        #"{"t":0,"k":"execute","app":"a","query":"q","type":"T","predicate":{"min":"x"}}"#,
        #"field "predicate.min": expected a number, found a string"#
      ),
      (
        #"{"t":0,"k":"push","app":"a","id":"i","aps":[]}"#,
        #"field "aps": expected an object, found an array"#
      ),
      (#"{"t":0,"t":1,"k":"lock"}"#, #"field "t": stands twice in one object"#),
      (#"{"t":0,"k":"lock""#, #"invalid JSON at byte 18: expected "," or "}", found the end"#),
      ("nonsense", "invalid JSON at byte 1: expected a value"),
      ("[]", "expected an object, found an array"),
    ])
  func jsonLines(line: String, message: String) throws {
    let shop = try Workshop()
    try shop.write(#"{"t":0,"k":"lock"}"# + "\n\n" + line + "\n", to: "in.jsonl")
    try expectFailure(
      "in.jsonl:3: \(message)", ["import", "jsonl", "in.jsonl", "-o", "out.wtrace"], in: shop)
    try expectFailure(
      "in.jsonl:3: \(message)", ["import", "jsonl", "in.jsonl", "--sort", "-o", "out.wtrace"],
      in: shop)
    try expectFailure(
      "standard input:1: \(message)", ["import", "jsonl", "-", "-o", "out.wtrace"], in: shop,
      stdin: Array(line.utf8))
  }

  @Test(
    "in policies",
    arguments: [
      (
        #"{"maxStrike":3}"#,
        #"policy.json:1: field "maxStrike": unknown key; use preset, caps, budget, "#
          + "completionTimeout, maxStrikes, backoffBase, backoffFactor, backoffMax, pushLimit, "
          + "pushWindow, minimumRefreshInterval, carry, forceQuitBlocksHealth, lockBlocksHealth, "
          + "subscriptions, behaviour"
      ),
      (
        #"{"maxStrikes":"3"}"#,
        #"policy.json:1: field "maxStrikes": expected a whole number, found a string"#
      ),
      ("{\n\"maxStrikes\":0}", #"policy.json:2: field "maxStrikes": 0 is not from 1 to 1000"#),
      (
        #"{"subscriptions":[{"app":"x","type":"T","frequency":"hourly","extra":1}]}"#,
        #"policy.json:1: field "subscriptions[0].extra": unknown key; use app, type, frequency"#
      ),
      (
        #"{"caps":{"X":"often"}}"#,
        #"policy.json:1: field "caps.X": "often" is not one of immediate, hourly, daily, weekly"#
      ),
      (
        #"{"preset":"tvos"}"#,
        #"policy.json:1: field "preset": "tvos" is not one of ios, watchos"#
      ),
      ("[]", "policy.json:1: expected an object, found an array"),
      ("", "policy.json:1: invalid JSON at byte 1: expected a value, found the end"),
    ])
  func policies(text: String, message: String) throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(3), as: "trace")
    try shop.write(text, to: "policy.json")
    try expectFailure(
      message,
      ["replay", "trace.wtrace", "--policy", "policy.json", "--wakes", "wakes.jsonl"], in: shop)
  }

  @Test("in files that are not what they should be")
  func otherFiles() throws {
    let shop = try Workshop()
    let trace = try shop.importing(Workshop.saves(3), as: "good")
    let lines = try shop.read("good.jsonl")
    try shop.write([], to: "empty")
    try shop.write("\n \n", to: "blank")
    try FileManager.default.createDirectory(
      atPath: shop.path + "/folder", withIntermediateDirectories: false)
    for (file, message) in [
      ("missing", "cannot be opened: No such file or directory"),
      ("folder", "is not a file that can be read"),
      ("empty", "the file is empty; a trace has blocks"),
      ("blank", "byte 0: no trace block begins here"),
      (
        "good.jsonl",
        "byte 0: no trace block begins here; `rouse import jsonl` makes a trace of it"
      ),
    ] {
      for command in [["replay"], ["export"]] {
        try expectFailure("\(file): \(message)", command + [file], in: shop)
      }
    }
    for (file, message) in [
      ("missing", ": cannot be opened: No such file or directory"),
      ("folder", ": cannot be read: Is a directory"),
      ("/proc/self/mem", ": cannot be read: Input/output error"),
      ("empty", ": no inputs, so no trace is written"),
      ("blank", ": no inputs, so no trace is written"),
      ("good.wtrace", ": is a trace, not JSON; 'rouse export' makes JSON Lines of it"),
    ] {
      try expectFailure(
        "\(file)\(message)", ["import", "jsonl", file, "-o", "out.wtrace"], in: shop)
    }
    for (file, message) in [
      ("missing", "cannot be opened: No such file or directory"),
      ("folder", "cannot be read: Is a directory"),
    ] {
      let presets = file == "missing" ? "; the presets are ios, watchos" : ""
      try expectFailure(
        "\(file): \(message)\(presets)", ["replay", "good.wtrace", "--policy", file], in: shop)
      try expectFailure("\(file): \(message)", ["merge", file], in: shop)
    }
    try expectFailure(
      "standard input: the file is empty; a trace has blocks", ["replay", "-"], in: shop)
    try expectFailure(
      "standard input: byte 0: no trace block begins here; `rouse import jsonl` makes a trace of it",
      ["replay", "-"], in: shop, stdin: lines)
    for form in ["svg", "CSV"] {
      try expectFailure(
        "\(form): cannot be opened: No such file or directory; the forms are csv, perfetto, chrome",
        ["export", form, "good.wtrace"], in: shop)
    }
    try expectFailure(
      "missing.wtrace: cannot be opened: No such file or directory",
      ["export", "missing.wtrace", "good.wtrace"], in: shop)
    try shop.write(Array("PK\u{5}\u{6}".utf8), to: "short.zip")
    for command in ["replay", "report", "info", "verify", "export", "repack"] {
      let options = ["report", "export", "repack"].contains(command) ? ["-o", "out"] : []
      try expectFailure(
        "short.zip: is a zip archive that is cut short: it has no directory at its end",
        [command, "short.zip"] + options, in: shop)
    }
    #expect(try shop.read("good.wtrace") == trace, "what was there is untouched")
  }

  @Test("in Apple Health exports")
  func appleHealth() throws {
    let shop = try Workshop()
    try shop.write("{}", to: "lines.jsonl")
    try shop.write("<HealthData></HealthData>", to: "none.xml")
    try shop.write(
      "<HealthData>\n<Record type=\"T\" sourceName=\"S\" endDate=\"x\"/>\n</HealthData>",
      to: "date.xml")
    try shop.write("<HealthData>\n<Record type=\"T\"", to: "cut.xml")
    func expect(_ message: String, _ file: String) throws {
      try expectFailure(
        message, ["import", "apple-health", file, "-o", "out.wtrace"], in: shop)
    }
    try expect(
      "lines.jsonl:1: no XML, so no Apple Health export: text before the first tag", "lines.jsonl")
    try expect("/dev/null: the file is empty", "/dev/null")
    try expect("none.xml: no inputs, so no trace is written", "none.xml")
    try expect("date.xml:2: Record: startDate is missing", "date.xml")
    try expect(
      "cut.xml:2: the file ends within a tag: it is cut short; export or unzip it again", "cut.xml")
  }

  @Test("in results that are merged")
  func results() throws {
    let shop = try Workshop()
    try shop.write("{\"a\":1}", to: "other.json")
    try shop.write("{", to: "cut.json")
    try shop.write("[{},\n5]", to: "number.json")
    try shop.write("", to: "empty.json")
    try shop.write("\n", to: "list")
    for (file, message) in [
      (
        "other.json",
        "other.json:1: field \"basis\": not a result of 'rouse replay --json': is missing; it is in "
          + "results of this version of 'rouse replay'"
      ),
      ("cut.json", "cut.json:1: the file ends within a result"),
      (
        "number.json",
        "number.json:1: field \"basis\": not a result of 'rouse replay --json': is missing; it is in "
          + "results of this version of 'rouse replay'"
      ),
      ("empty.json", "empty.json: there is no result"),
      (
        "@list", "list: the list names no file; write the path of one in each line"
      ),
    ] {
      try expectFailure(message, ["merge", file], in: shop)
    }
    // As of a task that was ended before it had a result.
    try shop.importing(Workshop.saves(3), as: "trace")
    _ = try shop.rouse("replay", "trace.wtrace", "--results", "full.json")
    try expectFailure(
      "empty.json: there is no result", ["merge", "full.json", "empty.json"], in: shop)
  }

  @Test(
    "for files that may not be read",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")))
  func unreadable() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(3), as: "trace")
    // The superuser may read all, so the command runs as somebody else where the tests are his.
    let other = getuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups " : ""
    let line = "chmod 0 trace.wtrace trace.jsonl && chmod 755 . && \(other)\"$ROUSE\" "
    let replayed = try shop.shell(line + "replay trace.wtrace")
    #expect(replayed.errors == "rouse: trace.wtrace: cannot be opened: Permission denied\n")
    #expect(replayed.status == .exited(1))
    let imported = try shop.shell(line + "import jsonl trace.jsonl -o /tmp/never.wtrace")
    #expect(imported.errors == "rouse: trace.jsonl: cannot be opened: Permission denied\n")
    #expect(imported.status == .exited(1))
  }

  @Test(
    "two devices whose names have the same hash are refused, as no replay could tell them apart")
  func equalHashes() throws {
    let shop = try Workshop()
    let pair = ["8yn0iYCKYHlIj4-BwPqk", "GReLUrM4wMqfg9yzV3KQ"]
    let lines = pair.map { "{\"t\":0,\"device\":\"\($0)\",\"k\":\"lock\"}\n" }
    try shop.write(lines.joined(), to: "in.jsonl")
    let fault = """
      field "device": the names of device "GReLUrM4wMqfg9yzV3KQ" and of another one have the same \
      hash, so their events cannot be told apart
      """
    for option in ["", " --sort"] {
      let result = try shop.shell("$ROUSE import jsonl in.jsonl -o out\(option)")
      #expect(result.errors == "rouse: in.jsonl:2: \(fault)\n")
      #expect(result.status == .exited(1) && shop.files == ["in.jsonl"])
    }
    // A device that was refused is refused again, and the first one goes on.
    try shop.write((lines + [lines[1], lines[0], lines[1]]).joined(), to: "more.jsonl")
    let recorded = try shop.shell("$ROUSE record more.jsonl --keep-going -o recorded.wtrace")
    let refused = [2, 3, 5].map { "rouse: more.jsonl:\($0): \(fault)\n" }.joined()
    #expect(recorded.errors.hasPrefix(refused + "rouse: recorded.wtrace: 2 events in 1 block"))
    #expect(recorded.errors.hasSuffix("; 3 errors\n"), "\(recorded.errors)")
    #expect(try shop.rouse("replay", "recorded.wtrace").status == .exited(0))
    for (place, line) in lines.enumerated() { try shop.importing(line, as: "\(place)") }
    // Another stream of the second device.
    try shop.importing(lines[1] + lines[1], as: "2")
    let joined = try shop.shell(
      "cat 0.wtrace 1.wtrace 2.wtrace > both.wtrace; $ROUSE verify both.wtrace")
    #expect(joined.status == .exited(1), "\(joined.output)")
    #expect(joined.output.contains("have the same hash"), "\(joined.output)")
    // What recover leaves can be replayed.
    let recovered = try shop.shell(
      """
      "$ROUSE" recover both.wtrace -o clean.wtrace
      "$ROUSE" verify clean.wtrace && "$ROUSE" replay clean.wtrace
      """)
    #expect(recovered.status == .exited(0), "\(recovered.errors)")
  }
}
