import Foundation
import Testing
import WakeTestSupport

@Suite("generate, info, verify and query")
struct OtherCommandsTests {
  @Test("a generated trace has the same bytes each time, other ones by another seed, and replays")
  func generate() throws {
    let shop = try Workshop()
    for (name, seed) in [("first", "1"), ("again", "1"), ("other", "2")] {
      let result = try shop.rouse(
        "generate", "iphone-day", "--events", "3000", "--seed", seed, "-o", name)
      #expect(result.status == .exited(0), "\(result.errors)")
      #expect(result.errors.hasPrefix("rouse: \(name): 3000 events in "), "\(result.errors)")
      #expect(result.output == "")
    }
    #expect(try shop.read("first") == shop.read("again"))
    #expect(try shop.read("first") != shop.read("other"))
    let piped = try shop.rouse("generate", "iphone-day", "--events", "3000", "-o", "-")
    #expect(try piped.outputBytes == shop.read("first"))

    // What was generated is what its lines say.
    let lines = try shop.rouse("export", "first")
    #expect(try shop.importing(lines.output, as: "lines") == shop.read("first"))
    let replayed = try shop.rouse("replay", "first", "--json").json()
    #expect(replayed["summary"]?["inputs"] == .integer(3_000))
    #expect((replayed["summary"]?["wakes"]?.wholeNumber ?? 0) > 0)
  }

  @Test("info and verify of whole and of damaged traces")
  func infoAndVerify() throws {
    let shop = try Workshop()
    let trace = try shop.importing(Workshop.saves(100), as: "trace")
    let infos = try shop.rouse("info", "trace.wtrace", "--json").json()
    let info = try #require(infos.elements.first)
    #expect(info["events"] == .integer(100))
    #expect(info["bytes"] == .integer(trace.count))
    #expect(info["devices"]?.elements.first?["name"] == .string("watch"))
    #expect(info["kinds"]?["save"] == .integer(100))
    let text = try shop.rouse("info", "trace.wtrace")
    #expect(text.output.hasPrefix("trace.wtrace\n  100 events in 1 block"), "\(text.output)")
    #expect(text.output.contains("\n  1 block sorted by time, "), "\(text.output)")

    let whole = try shop.rouse("verify", "trace.wtrace", "--json")
    #expect(whole.status == .exited(0))
    #expect(try whole.json().elements.first?["isWhole"] == .bool(true))

    var damaged = trace
    damaged[TraceBlock(trace).payloadStart + 3] ^= 0xFF
    try shop.write(damaged, to: "damaged")
    try shop.write([], to: "empty")
    // One bad trace keeps none of the others from being looked at.
    let verified = try shop.rouse("verify", "missing", "empty", "damaged", "trace.wtrace")
    #expect(verified.status == .exited(1))
    #expect(
      verified.errors == """
        rouse: missing: cannot be opened: No such file or directory
        rouse: empty: the file is empty; a trace has blocks\n
        """)
    let lines = verified.output.split(separator: "\n")
    #expect(lines.count == 3, "\(verified.output)")
    #expect(lines.first == "damaged: byte 0: block's compressed bytes are damaged")
    #expect(lines.last?.hasPrefix("trace.wtrace: whole; ") == true, "\(verified.output)")
    for command in ["info", "query"] {
      let result = try shop.rouse(command, "damaged")
      #expect(result.status == .exited(1), "\(command)")
      #expect(
        result.errors == "rouse: damaged: byte 0: block's compressed bytes are damaged\n",
        "\(command)")
    }
  }

  @Test("no output replaces the policy, or another output by another name of the file")
  func outputsOverInputs() throws {
    let shop = try Workshop()
    _ = try shop.rouse("generate", "pushes", "-o", "trace")
    try shop.write("{\"maxStrikes\": 5}", to: "p.json")
    // Other names of the same file.
    _ = try shop.shell("ln -s p.json link.json && ln p.json other.json")
    for call in [
      "replay trace --policy p.json --waits p.json",
      "replay trace --policy p.json --bounds ./p.json",
      "optimum trace --policy p.json --curve p.json",
      "export csv trace --policy ./p.json --table wakes -o p.json",
      "export perfetto trace --policy p.json -o ./p.json",
      "export chrome trace --policy p.json -o link.json",
      "replay trace --policy p.json --wakes link.json",
      "replay trace --policy link.json --wakes other.json",
      "report trace --policy other.json -o p.json",
    ] {
      let result = try shop.shell("\"$ROUSE\" \(call)")
      #expect(result.status == .exited(64), "\(call)")
      #expect(result.errors.contains("is an input and cannot be the output"), "\(result.errors)")
    }
    #expect(try shop.read("p.json") == Array("{\"maxStrikes\": 5}".utf8))
    let both = try shop.rouse("replay", "trace", "--waits", "log", "--bounds", "./log")
    #expect(both.status == .exited(64))
    #expect(both.errors.hasPrefix("rouse: --bounds and --waits cannot both go to './log'"))
  }

  @Test("repack --by-device joins traces of the same devices; a replay gives the same result")
  func repackByDevice() throws {
    let shop = try Workshop()
    for (name, seed) in [("one", "1"), ("two", "2")] {
      _ = try shop.rouse(
        "generate", "fleet", "--devices", "40", "--events", "4000", "--seed", seed, "-o", name)
    }
    let refused = try shop.rouse("repack", "one", "two", "-o", "joined")
    #expect(refused.status == .exited(64))
    #expect(refused.errors.contains("only with --by-device"), "\(refused.errors)")
    let repacked = try shop.rouse("repack", "--by-device", "one", "two", "-o", "joined")
    #expect(repacked.status == .exited(0) && repacked.output == "", "\(repacked.errors)")
    let given = try shop.rouse("replay", "one", "two", "--wakes", "given.wakes", "--json").json()
    let joined = try shop.rouse("replay", "joined", "--wakes", "joined.wakes", "--json").json()
    #expect(joined["summary"] == given["summary"])
    #expect(try shop.read("joined.wakes") == shop.read("given.wakes"))
  }

  @Test("repack writes the same events at another level, and leaves what it reads alone")
  func repack() throws {
    let shop = try Workshop()
    _ = try shop.rouse("generate", "iphone-day", "--level", "1", "-o", "trace")
    let given = try shop.read("trace")
    let repacked = try shop.rouse("repack", "trace", "-o", "small", "--level", "9")
    #expect(repacked.status == .exited(0) && repacked.output == "", "\(repacked.errors)")
    let small = try shop.read("small")
    #expect(small.count < given.count)
    #expect(try shop.read("trace") == given)
    // A pipe in and out, and back at the first level.
    #expect(try shop.shell("cat small | $ROUSE repack - --level 1 -o -").outputBytes == given)
    let replays = try ["trace", "small"].map {
      try shop.rouse("replay", $0, "--wakes", "\($0).wakes", "--json").json()
    }
    #expect(replays[0]["summary"] == replays[1]["summary"])
    #expect(try shop.read("trace.wakes") == shop.read("small.wakes"))

    let over = try shop.rouse("repack", "trace", "-o", "trace")
    #expect(over.status == .exited(64))
    #expect(over.errors.hasPrefix("rouse: 'trace' is an input and cannot be the output"))
    try shop.write(Array(given.dropLast(9)), to: "torn")
    let files = shop.files
    let torn = try shop.rouse("repack", "torn", "-o", "out")
    #expect(torn.status == .exited(1))
    #expect(torn.errors.hasPrefix("rouse: torn: byte "), "\(torn.errors)")
    #expect(shop.files == files, "nothing is left behind")
    #expect(try shop.read("trace") == given)
  }

  @Test("query finds samples, and what came after an anchor")
  func query() throws {
    let shop = try Workshop()
    let lines = Workshop.saves(100)
    let trace = try shop.importing(lines, as: "trace")
    let all = try shop.rouse("query", "trace.wtrace")
    #expect(all.output == lines)
    #expect(all.errors == "rouse: 100 results; 1 block read, 0 skipped\n")

    let found = try shop.rouse(
      "query", "trace.wtrace", "--type", "T1", "--min", "10", "--max=20", "--sort=-start",
      "--limit", "2")
    let expected = lines.split(separator: "\n").filter {
      $0.hasSuffix("\"value\":19}") || $0.hasSuffix("\"value\":16}")
    }
    #expect(found.output == expected.reversed().map { $0 + "\n" }.joined())

    let first = try shop.rouse("query", "trace.wtrace", "--after", "0", "--limit", "60", "--json")
    let anchor = try #require(try first.json()["anchor"]?.string)
    #expect(try first.json()["results"]?.elements.count == 60)
    // The trace grows, and only what is new is found.
    let more = try shop.importing(Workshop.saves(5, from: 1_000), as: "more")
    try shop.write(trace + more, to: "grown")
    let rest = try shop.rouse("query", "grown", "--after", anchor)
    #expect(rest.status == .exited(0), "\(rest.errors)")
    #expect(
      rest.output == lines.split(separator: "\n").dropFirst(60).map { $0 + "\n" }.joined()
        + Workshop.saves(5, from: 1_000))
  }
}
