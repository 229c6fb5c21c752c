import Foundation
import Testing
import WakeTestSupport

@Suite("Where the command writes")
struct OutputTests {
  @Test("standard input and output stand for files")
  func standardStreams() throws {
    let shop = try Workshop()
    let trace = try shop.importing(Workshop.saves(100), as: "trace")
    let lines = try shop.read("trace.jsonl")

    let imported = try shop.rouse("import", "jsonl", "-", "-o", "-", stdin: lines)
    #expect(imported.status == .exited(0))
    #expect(imported.outputBytes == trace)
    #expect(imported.errors.hasPrefix("rouse: standard output: 100 events in 1 block"))

    #expect(try shop.rouse("export", "-", stdin: trace).outputBytes == lines)
    #expect(try shop.rouse("export", "trace.wtrace").outputBytes == lines)
    let piped = try shop.shell(
      "\"$ROUSE\" import jsonl trace.jsonl -o - | \"$ROUSE\" export - | cat")
    #expect(piped.outputBytes == lines)

    let result = try shop.rouse("replay", "-", "--json", stdin: trace).json()
    #expect(result["summary"]?["saves"] == .integer(100))
    #expect(result["traces"]?.elements.first?["file"] == .string("standard input"))
  }

  @Test("an option's value may stand behind it, behind '=', or at a letter")
  func optionForms() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(5), as: "trace")
    let lines = try shop.read("trace.jsonl")
    for (number, option) in [
      ["-o", "out0"], ["-oout1"], ["--output", "out2"], ["--output=out3"],
    ].enumerated() {
      let result = try RouseCommand.run(["export", "trace.wtrace"] + option, folder: shop.path)
      #expect(result.status == .exited(0), "\(option): \(result.errors)")
      #expect(result.output == "" && result.errors == "", "\(option)")
      #expect(try shop.read("out\(number)") == lines, "\(option)")
    }
    // Options may also stand first, and a value may have an '='.
    #expect(try shop.rouse("export", "--output=a=b", "trace.wtrace").status == .exited(0))
    #expect(try shop.read("a=b") == lines)
    // What follows '--' is no option.
    #expect(try shop.shell("mv -- trace.wtrace --json").status == .exited(0))
    let dashes = try shop.rouse("export", "-o", "out4", "--", "--json")
    #expect(dashes.status == .exited(0), "\(dashes.errors)")
    #expect(try shop.read("out4") == lines)
  }

  @Test("the wake log on standard output moves the report aside")
  func wakesOnStandardOutput() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(100), as: "trace")
    try shop.write(Workshop.policy, to: "policy.json")
    let toFile = try shop.rouse(
      "replay", "trace.wtrace", "--policy", "policy.json", "--wakes", "wakes.jsonl")
    #expect(toFile.status == .exited(0), "\(toFile.errors)")
    let log = try shop.read("wakes.jsonl")
    #expect(try JSONValue.parsingLines(String(decoding: log, as: UTF8.self)).count > 10)
    let toOutput = try shop.rouse(
      "replay", "trace.wtrace", "--policy", "policy.json", "--wakes", "-")
    #expect(toOutput.outputBytes == log)
    #expect(toOutput.errors.contains("\nDigest "), "\(toOutput.errors)")
    let both = try shop.rouse("replay", "trace.wtrace", "--wakes", "-", "--json")
    #expect(both.status == .exited(64))
    #expect(
      both.errors.hasPrefix("rouse: --json and --wakes - cannot both go to standard output\n"))
  }

  @Test("the wait log on standard output moves the report aside")
  func waitsOnStandardOutput() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(100), as: "trace")
    try shop.write(Workshop.policy, to: "policy.json")
    let replay = ["replay", "trace.wtrace", "--policy", "policy.json", "--waits"]
    let toFile = try RouseCommand.run(replay + ["waits.jsonl"], folder: shop.path)
    #expect(toFile.status == .exited(0), "\(toFile.errors)")
    #expect(toFile.output.contains("\nHeld by "), "\(toFile.output)")
    let log = try shop.read("waits.jsonl")
    #expect(try JSONValue.parsingLines(String(decoding: log, as: UTF8.self)).count > 10)
    let toOutput = try RouseCommand.run(replay + ["-"], folder: shop.path)
    #expect(toOutput.outputBytes == log)
    #expect(toOutput.errors.contains("\nHeld by "), "\(toOutput.errors)")
    for (options, message) in [
      (["-", "--json"], "--json and --waits - cannot both go to standard output"),
      (["-", "--wakes", "-"], "--waits - and --wakes - cannot both go to standard output"),
      (["log", "--wakes", "log"], "--waits and --wakes cannot both go to 'log'"),
      (["log", "--verify"], "--verify cannot be combined with --waits"),
    ] {
      let refused = try RouseCommand.run(replay + options, folder: shop.path)
      #expect(refused.status == .exited(64), "\(options)")
      #expect(refused.errors.hasPrefix("rouse: \(message)\n"), "\(refused.errors)")
    }
  }

  @Test("bounds on standard output move the report aside, and are what optimum finds")
  func boundsOnStandardOutput() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(100), as: "trace")
    try shop.write(Workshop.policy, to: "policy.json")
    let trace = ["trace.wtrace", "--policy", "policy.json"]
    let toFile = try RouseCommand.run(
      ["replay"] + trace + ["--bounds", "bounds.json"], folder: shop.path)
    #expect(toFile.status == .exited(0), "\(toFile.errors)")
    #expect(toFile.output.contains("\nBehind "), "\(toFile.output)")
    let bounds = try shop.read("bounds.json")
    let toOutput = try RouseCommand.run(
      ["replay"] + trace + ["--bounds", "-"], folder: shop.path)
    #expect(toOutput.outputBytes == bounds)
    #expect(toOutput.errors.contains("\nBehind "), "\(toOutput.errors)")
    for (options, message) in [
      (["-", "--json"], "--json and --bounds - cannot both go to standard output"),
      (["-", "--wakes", "-"], "--bounds - and --wakes - cannot both go to standard output"),
      (["log", "--waits", "log"], "--bounds and --waits cannot both go to 'log'"),
      (["log", "--verify"], "--verify cannot be combined with --bounds"),
    ] {
      let refused = try RouseCommand.run(
        ["replay"] + trace + ["--bounds"] + options, folder: shop.path)
      #expect(refused.status == .exited(64), "\(options)")
      #expect(refused.errors.hasPrefix("rouse: \(message)\n"), "\(refused.errors)")
    }

    for threads in ["1", "2"] {
      let optimum = try RouseCommand.run(
        ["optimum"] + trace + ["--json", "--threads", threads], folder: shop.path)
      #expect(optimum.outputBytes == bounds, "\(threads) threads")
    }
    let within = try RouseCommand.run(
      ["optimum"] + trace + ["--within", "1m,2s,60s", "--curve", "curve.jsonl"], folder: shop.path)
    #expect(within.status == .exited(0), "\(within.errors)")
    let lines = within.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("APP ") && lines[0].hasSuffix("LEAST  WITHIN 2 s  WITHIN 1 min"))
    let apps = try JSONValue.parsing(String(decoding: bounds, as: UTF8.self))
    #expect(lines.count == 1 + apps.keys.count)
    let curve = try JSONValue.parsingLines(
      String(decoding: shop.read("curve.jsonl"), as: UTF8.self))
    #expect(curve.first?["wakes"] == .integer(0))
    let onOutput = try RouseCommand.run(
      ["optimum"] + trace + ["--curve", "-"], folder: shop.path)
    #expect(try onOutput.outputBytes == shop.read("curve.jsonl"))
    #expect(onOutput.errors.hasPrefix("APP "), "\(onOutput.errors)")
  }

  @Test("what is read is not written over")
  func overInput() throws {
    let shop = try Workshop()
    let trace = try shop.importing(Workshop.saves(100), as: "trace")
    for call in [
      "replay trace.wtrace --wakes trace.wtrace", "export trace.wtrace -o ./trace.wtrace",
    ] {
      let result = try shop.shell("$ROUSE \(call)")
      #expect(result.status == .exited(64), "\(call)")
      #expect(result.errors.contains("is an input and cannot be the output"), "\(call)")
      #expect(try shop.read("trace.wtrace") == trace, "\(call)")
    }
  }

  @Test("a limit on the size of files leaves none behind")
  func sizeLimit() throws {
    let shop = try Workshop()
    let result = try shop.shell(
      "ulimit -f 10; $ROUSE generate wearable --events 100000 -o big.wtrace; echo status $?; ls")
    #expect(result.output == "status 1\n", "\(result.output)")
    #expect(result.errors == "rouse: big.wtrace: cannot be written: File too large\n")
  }

  @Test("a file that was there is replaced only by a whole one")
  func replaces() throws {
    let shop = try Workshop()
    let trace = try shop.importing(Workshop.saves(5), as: "trace")
    try shop.write("nonsense", to: "bad.jsonl")
    #expect(
      try shop.rouse("import", "jsonl", "bad.jsonl", "-o", "trace.wtrace").status == .exited(1))
    #expect(try shop.read("trace.wtrace") == trace)
    let other = try shop.importing(Workshop.saves(6), as: "trace")
    #expect(other != trace)
    #expect(shop.files == ["bad.jsonl", "trace.jsonl", "trace.wtrace"])
  }

  @Test("places that cannot be written to are told of")
  func unwritable() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(5), as: "trace")
    try shop.write(Workshop.policy, to: "policy.json")
    let files = shop.files
    for arguments in [
      ["import", "jsonl", "trace.jsonl", "-o"], ["export", "trace.wtrace", "-o"],
      ["replay", "trace.wtrace", "--policy", "policy.json", "--wakes"],
    ] {
      for (path, reason) in [
        ("/dev/full", "No space left on device"), ("missing/file", "No such file or directory"),
        (".", "Is a directory"),
      ] {
        let result = try RouseCommand.run(arguments + [path], folder: shop.path)
        #expect(result.status == .exited(1), "\(arguments) \(path)")
        #expect(
          result.errors == "rouse: \(path): cannot be written: \(reason)\n",
          "\(arguments) \(path)")
        #expect(result.output == "", "\(arguments) \(path)")
        #expect(shop.files == files, "\(arguments) \(path)")
      }
    }
    let full = try shop.shell("\"$ROUSE\" export trace.wtrace > /dev/full")
    #expect(full.status == .exited(1))
    #expect(full.errors == "rouse: standard output: cannot be written: No space left on device\n")
    let report = try shop.shell("\"$ROUSE\" replay trace.wtrace > /dev/full")
    #expect(report.status == .exited(1))
    #expect(
      report.errors.hasSuffix(
        "rouse: standard output: cannot be written: No space left on device\n"))
  }

  @Test("a full disk leaves no half-written file")
  func fullDisk() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(60_000), as: "trace")
    let mounted = try shop.shell("mkdir disk && mount -t tmpfs -o size=64k none disk")
    guard mounted.status == .exited(0) else {
      print("SKIPPED: no small disk can be mounted here: \(mounted.errors)")
      return
    }
    defer { _ = try? shop.shell("umount disk") }
    for (line, file) in [
      ("import jsonl trace.jsonl -o disk/out", "disk/out"),
      ("export trace.wtrace -o disk/out", "disk/out"),
      ("import jsonl trace.jsonl --sort --temporary disk -o out", "disk"),
    ] {
      let result = try shop.shell("\"$ROUSE\" \(line)")
      if line.contains("--temporary"), result.status == .exited(0) { continue }
      #expect(result.status == .exited(1), "\(line): \(result.errors)")
      #expect(result.errors.hasPrefix("rouse: \(file): "), "\(line): \(result.errors)")
      #expect(result.errors.hasSuffix(": No space left on device\n"), "\(line): \(result.errors)")
      let left = try FileManager.default.contentsOfDirectory(atPath: shop.path + "/disk")
      #expect(left == [], "\(line)")
    }
  }

  @Test("a reader that leaves early is no error to tell of")
  func closedPipe() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(20_000), as: "trace")
    try shop.write(Workshop.policy, to: "policy.json")
    let first = try shop.shell("\"$ROUSE\" export trace.wtrace | head -1")
    #expect(first.output == Workshop.saves(1))
    #expect(first.errors == "")
    #expect(first.status == .exited(0))
    for line in [
      "export trace.wtrace", "replay trace.wtrace --policy policy.json --wakes -",
      "import jsonl trace.jsonl -o -", "replay trace.wtrace --policy policy.json --json", "--help",
    ] {
      let late = try shop.rouseWithoutReader(line)
      #expect(late.status == .exited(0) && late.errors == "", "\(line): \(late.errors)")
    }
  }
}
