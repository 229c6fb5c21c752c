import Foundation
import Testing
import WakeTestSupport

@Suite("Parts of fleets")
struct FleetPartsTests {
  /// Five traces of made-up devices, and one with all of them.
  private func makeFleet(in shop: Workshop) throws {
    let options = "--devices 100 --events 20000 --device-prefix north-"
    for call in ["-o whole.wtrace", "--files 5 -o fleet"] {
      let made = try shop.shell("\"$ROUSE\" generate fleet \(options) \(call)")
      try #require(made.status == .exited(0), "\(made.errors)")
    }
  }

  @Test("made up as several traces, hold what one trace does, under names of their own")
  func generated() throws {
    let shop = try Workshop()
    try makeFleet(in: shop)
    let names = try shop.shell("ls fleet").output
    #expect(names == (1...5).map { "fleet-\($0).wtrace\n" }.joined())
    let whole = try shop.shell("\"$ROUSE\" replay whole.wtrace --results -").output
    let parts = try shop.shell("\"$ROUSE\" replay fleet/* --results -").output
    let one = try shop.shell("\"$ROUSE\" merge --json -", stdin: Array(whole.utf8)).json()
    let other = try shop.shell("\"$ROUSE\" merge --json -", stdin: Array(parts.utf8)).json()
    for key in ["summary", "devices", "deviceSum", "apps", "staleness"] {
      #expect(one[key] == other[key], "\(key)")
    }
    let info = try shop.rouse("info", "fleet/fleet-3.wtrace", "--json").json().elements[0]
    let devices = info["devices"]?.elements.compactMap { $0["name"]?.string } ?? []
    #expect(devices == (41...60).map { "north-device-0\($0)" })
    // A device by itself has a name with a prefix, and none without.
    _ = try shop.rouse("generate", "--events", "5", "--device-prefix", "a/", "-o", "one.wtrace")
    #expect(try shop.rouse("info", "one.wtrace").output.contains("device a/device-1:"))
    let few = try shop.rouse("generate", "--files", "2", "-o", "few")
    #expect(few.status == .exited(64))
    #expect(few.errors.hasPrefix("rouse: --files: 1 devices are not enough for 2 traces\n"))
    #expect(!shop.files.contains("few"))
  }

  @Test("that devices interleave are split so that each has whole devices")
  func split() throws {
    let shop = try Workshop()
    try makeFleet(in: shop)
    // Every block has all devices.
    var lines = try shop.rouse("export", "whole.wtrace").output.split(separator: "\n")
      .map(String.init)
    lines = (0..<200).flatMap { first in
      stride(from: first, to: lines.count, by: 200).map { lines[$0] }
    }
    try shop.importing(lines.joined(separator: "\n") + "\n", as: "mixed")
    let split = try shop.rouse("split", "mixed.wtrace", "--parts", "3", "-o", "parts")
    #expect(split.errors == "rouse: parts: 3 traces\n", "\(split.errors)")
    var results: [String] = []
    for number in 1...3 {
      for (name, arguments) in [
        ("part", ["parts/part-\(number).wtrace"]),
        ("shard", ["mixed.wtrace", "--shard", "\(number)/3"]),
      ] {
        let result = try RouseCommand.run(
          ["replay", "--results", "\(name)-\(number)"] + arguments, folder: shop.path)
        try #require(result.status == .exited(0), "\(result.errors)")
      }
      let part = try shop.rouse("merge", "part-\(number)", "--json").json()
      let shard = try shop.rouse("merge", "shard-\(number)", "--json").json()
      for key in ["summary", "devices", "deviceSum"] { #expect(part[key] == shard[key], "\(key)") }
      #expect(part["devices"] != .integer(0))
      results.append("part-\(number)")
    }
    let merged = try RouseCommand.run(["merge", "--json"] + results, folder: shop.path).json()
    let whole = try shop.rouse("replay", "mixed.wtrace", "--json").json()
    #expect(merged["summary"] == whole["summary"] && merged["deviceSum"] == whole["deviceSum"])
    // More parts than devices, and an output that is an input.
    let many = try shop.rouse("split", "parts/part-1.wtrace", "--parts", "1000", "-o", "many")
    #expect(many.status == .exited(0), "\(many.errors)")
    let over = try shop.rouse("split", "parts/part-1.wtrace", "--parts", "3", "-o", "parts")
    #expect(over.status == .exited(64), "\(over.errors)")
    // Parts of another split would be replayed with these.
    let fewer = try shop.rouse("split", "mixed.wtrace", "--parts", "2", "-o", "parts")
    #expect(fewer.status == .exited(1))
    #expect(
      fewer.errors
        == "rouse: parts/part-3.wtrace: is not one of the 2 parts that are written: remove it, or "
        + "name another folder\n")
    let again = try shop.rouse("split", "mixed.wtrace", "--parts", "3", "-o", "parts")
    #expect(again.status == .exited(0), "\(again.errors)")
    try shop.write("x", to: "file")
    let file = try shop.rouse("split", "mixed.wtrace", "--parts", "2", "-o", "file")
    #expect(file.errors == "rouse: file: cannot be made, or is no folder\n")
  }

  @Test("replace those of an earlier split together, or not at all")
  func replaced() throws {
    let shop = try Workshop()
    _ = try shop.rouse(
      "generate", "fleet", "--devices", "500", "--events", "200000", "-o", "all.wtrace")
    _ = try shop.rouse("generate", "fleet", "--devices", "1", "--events", "20", "-o", "one.wtrace")
    _ = try shop.rouse("split", "all.wtrace", "--parts", "4", "-o", "parts")
    let before = try shop.shell("cat parts/*").output
    // A byte of the last block, which is read for the part of its devices.
    var damaged = try shop.read("all.wtrace")
    damaged[damaged.count - 100] ^= 1
    try shop.write(damaged, to: "damaged.wtrace")
    // A part without devices would be left from before.
    for (trace, told) in [
      ("one", "is not one of the 4 parts that are written"), ("damaged", "byte "),
    ] {
      let result = try shop.rouse("split", "\(trace).wtrace", "--parts", "4", "-o", "parts")
      #expect(result.status == .exited(1), "\(trace)")
      #expect(result.errors.contains(told), "\(trace): \(result.errors)")
      #expect(try shop.shell("cat parts/*").output == before, "\(trace)")
    }
  }

  @Test("of a trace without some blocks are told to lack them")
  func missingBlocks() throws {
    let shop = try Workshop()
    _ = try shop.rouse(
      "generate", "fleet", "--devices", "500", "--events", "200000", "-o", "all.wtrace")
    _ = try shop.rouse("index", "all.wtrace")
    func lines(_ name: String) throws -> [JSONValue] {
      try JSONValue.parsingLines(String(decoding: shop.read(name), as: UTF8.self))
    }
    let blocks = try lines("all.wtrace.index").dropFirst()
    try #require(blocks.count > 2, "\(blocks.count)")
    let second = blocks[blocks.startIndex + 1]
    let offset = Int(try #require(second["offset"]?.wholeNumber))
    let length = Int(try #require(second["length"]?.wholeNumber))
    let trace = try shop.read("all.wtrace")
    try shop.write(Array(trace[..<offset] + trace[(offset + length)...]), to: "gap.wtrace")
    let told = try shop.rouse("replay", "gap.wtrace", "--json").json()
    #expect(told["loss"]?["missingBlocks"] == .integer(1))
    _ = try shop.rouse("index", "gap.wtrace")
    #expect(try lines("gap.wtrace.index")[0]["missing"] == .integer(1))
    #expect(try lines("all.wtrace.index")[0]["missing"] == .integer(0))
    let split = try shop.rouse("split", "gap.wtrace", "--parts", "2", "-o", "parts")
    #expect(
      split.errors
        == "rouse: the input has 1 block missing; the parts do not show it\nrouse: parts: 2 traces\n",
      "\(split.errors)")
    // Without its first block a trace may be a piece of another one, but not where it is written anew as a whole.
    let first = Int(try #require(blocks.first?["length"]?.wholeNumber))
    try shop.write(Array(trace[first...]), to: "end.wtrace")
    _ = try shop.rouse("index", "end.wtrace")
    #expect(try lines("end.wtrace.index")[0]["missing"] == .integer(1))
    let whole = try shop.rouse("repack", "end.wtrace", "--by-device", "-o", "again.wtrace")
    #expect(whole.errors.contains("the input has 1 block missing"), "\(whole.errors)")
    let replay = try shop.rouse("replay", "end.wtrace", "--json").json()
    #expect(replay["loss"]?["missingBlocks"] == .integer(0))
  }

  @Test("are told apart where the hashes of their devices have the same sum")
  func equalSums() throws {
    let shop = try Workshop()
    for (name, devices) in [("a", ["device-01", "device-04"]), ("b", ["device-00", "device-05"])] {
      try shop.importing(devices.map { Workshop.saves(3, device: $0) }.joined(), as: name)
      let replayed = try shop.rouse("replay", "\(name).wtrace", "--results", "\(name).json")
      #expect(replayed.status == .exited(0))
    }
    let sums = try ["a", "b"].map { name in
      try JSONValue.parsing(String(decoding: shop.read("\(name).json"), as: UTF8.self))["deviceSum"]
    }
    try #require(sums[0] == sums[1], "other hashes of names: find other names")
    let merged = try shop.rouse("merge", "a.json", "b.json", "--json")
    #expect(try merged.json()["devices"] == .integer(4), "\(merged.errors)")
    let twice = try shop.rouse("merge", "a.json", "b.json", "a.json")
    #expect(twice.status == .exited(1) && twice.errors.contains("is there twice"))
  }

  @Test("are found by an index, whose blocks are traces, and which notices that it is stale")
  func index() throws {
    let shop = try Workshop()
    try makeFleet(in: shop)
    // Several blocks, two of which share a device.
    let joined = try shop.shell("cat fleet/* fleet/fleet-2.wtrace > joined.wtrace")
    try #require(joined.status == .exited(0))
    let made = try shop.rouse("index", "joined.wtrace", "whole.wtrace")
    #expect(made.status == .exited(0), "\(made.errors)")
    #expect(
      made.errors.hasPrefix(
        """
        rouse: the input has 1 block repeated or out of order; 'rouse verify' tells where
        rouse: joined.wtrace.index: 6 blocks in 5 groups

        """))
    let lines = try JSONValue.parsingLines(
      String(decoding: shop.read("joined.wtrace.index"), as: UTF8.self))
    let (header, blocks) = (try #require(lines.first), lines.dropFirst())
    #expect(header["blocks"] == .integer(6) && header["devices"] == .integer(100))
    #expect(blocks.compactMap { $0["group"]?.wholeNumber } == [0, 1, 2, 3, 4, 1])
    let trace = try shop.read("joined.wtrace")
    var events: Int64 = 0
    var results: [String] = []
    for (number, block) in blocks.enumerated() {
      let offset = Int(try #require(block["offset"]?.wholeNumber))
      let length = Int(try #require(block["length"]?.wholeNumber))
      try shop.write(Array(trace[offset..<offset + length]), to: "\(number).wtrace")
      let info = try shop.rouse("info", "\(number).wtrace", "--json").json().elements[0]
      #expect(info["events"] == block["events"])
      #expect(info["earliest"] == block["earliest"] && info["latest"] == block["latest"])
      #expect(info["devices"]?.elements.count == block["devices"]?.wholeNumber.map(Int.init))
      let hashes = info["devices"]?.elements.compactMap { $0["hash"]?.string }.sorted()
      #expect(hashes?.joined() == block["deviceHashes"]?.string)
      events += info["events"]?.wholeNumber ?? 0
    }
    #expect(header["events"]?.wholeNumber == events)
    // A group is a task: its parts together, merged with the others.
    for group in 0..<5 {
      let files = blocks.enumerated().filter { $0.1["group"]?.wholeNumber == Int64(group) }
        .map { "\($0.0).wtrace" }
      let result = try RouseCommand.run(
        ["replay", "--results", "result-\(group)"] + files, folder: shop.path)
      #expect(result.status == .exited(0), "\(result.errors)")
      results.append("result-\(group)")
    }
    let merged = try RouseCommand.run(["merge", "--json"] + results, folder: shop.path).json()
    let whole = try shop.rouse("replay", "joined.wtrace", "--json").json()
    #expect(merged["summary"] == whole["summary"])

    // Left as it is, until the trace changes.
    let again = try shop.rouse("index", "joined.wtrace", "whole.wtrace")
    #expect(again.status == .exited(0) && again.errors == "")
    #expect(try shop.rouse("index", "--check", "joined.wtrace").status == .exited(0))
    let missing = try shop.rouse("index", "--check", "fleet/fleet-1.wtrace")
    #expect(missing.status == .exited(1) && missing.errors.contains("is missing or no index"))
    try shop.write(Array(trace.dropLast(20)), to: "cut")
    _ = try shop.shell("touch -d '2026-01-01' joined.wtrace")
    let stale = try shop.rouse("index", "--check", "joined.wtrace")
    #expect(stale.status == .exited(1) && stale.errors.contains("another state of the trace"))
    #expect(try shop.rouse("index", "joined.wtrace").errors.contains("6 blocks in 5 groups"))
    // One that was cut is no index, and is written anew.
    for lines in [1, 4] {
      _ = try shop.shell("head -n \(lines) joined.wtrace.index > i && mv i joined.wtrace.index")
      let cut = try shop.rouse("index", "--check", "joined.wtrace")
      #expect(cut.status == .exited(1) && cut.errors.contains("is missing or no index"), "\(lines)")
      #expect(try shop.rouse("index", "joined.wtrace").errors.contains("6 blocks in 5 groups"))
    }
    let damaged = try shop.rouse("index", "cut", "whole.wtrace")
    #expect(damaged.status == .exited(1) && damaged.errors.contains("the file ends within"))
    #expect(!shop.files.contains("cut.index"))
  }
}
