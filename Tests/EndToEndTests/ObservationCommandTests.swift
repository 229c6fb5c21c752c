import Foundation
import Testing
import WakeTestSupport

/// Page Rules, 11: the commands give the same with observations or without, and keep them.
@Suite("Traces with observations")
struct ObservationCommandTests {
  /// Two folders with a trace of one name: one without, and one with observations, the first line among them.
  private func twins() throws -> (shop: Workshop, lines: [String]) {
    let shop = try Workshop()
    let export = try RouseCommand.run(
      ["export", "Traces/fleet.wtrace"], folder: PackageFolder.root.path())
    let plain = export.output.split(separator: "\n").map(String.init)
    var lines = [#"{"t":9,"device":"unseen","k":"observed","app":"unseen","types":[]}"#]
    for (number, line) in plain.enumerated() {
      lines.append(line)
      guard number.isMultiple(of: 7), let time = line.firstRange(of: /[0-9]+/),
        let device = line.firstMatch(of: /"device":"[^"]*",/)
      else { continue }
      // Some are far from the inputs' times.
      let seen = number.isMultiple(of: 14) ? String(line[time]) : "1\(number)"
      lines.append(
        #"{"t":\#(seen),\#(device.0)"k":"observed","app":"com.example.run","types":["T\#(number % 3)"],"end":5}"#
      )
    }
    for (folder, content) in [("plain", plain), ("observed", lines)] {
      try shop.write(content.joined(separator: "\n") + "\n", to: "\(folder).jsonl")
      let made = try shop.shell(
        "mkdir \(folder) && $ROUSE import jsonl \(folder).jsonl -o \(folder)/day.wtrace")
      try #require(made.status == .exited(0), "\(made.errors)")
    }
    return (shop, lines)
  }

  @Test(
    "replays, plug-ins, sweeps, comparisons, reports, tables, bounds and selections are the same")
  func same() throws {
    let (shop, _) = try twins()
    try SchedulerPrograms.compile("plain.c", to: shop.path + "/plain.so")
    for line in [
      "$ROUSE replay day.wtrace --wakes - --policy watchos 2>/dev/null",
      "$ROUSE replay day.wtrace --waits - --threads 2 2>/dev/null",
      "$ROUSE replay day.wtrace --bounds - --skip-quiet 2>/dev/null",
      "$ROUSE replay day.wtrace --scheduler ../plain.so --wakes - 2>/dev/null",
      "$ROUSE replay day.wtrace --device device-001 --device unseen --wakes - 2>/dev/null",
      "$ROUSE replay day.wtrace --json | grep -E '\"(digest|inputs|lateInputs|devices|pendingAtEnd)\"'",
      "$ROUSE sweep day.wtrace -L carry due,always --threads 2 | sed '$d'",
      "$ROUSE compare day.wtrace --policy ios --against watchos",
      "$ROUSE optimum day.wtrace",
      "$ROUSE export csv day.wtrace --table wakes",
      "$ROUSE explain day.wtrace --app com.example.run",
      "$ROUSE query day.wtrace --after 0 2>&1 | tail -n 2 | head -n 1",
      "$ROUSE report day.wtrace -o report.html && cat report.html",
    ] {
      let results = try ["plain", "observed"].map { folder in
        try shop.shell("cd \(folder) && \(line)")
      }
      #expect(!results[0].outputBytes.isEmpty, "\(line): \(results[0].errors)")
      #expect(results[0].outputBytes == results[1].outputBytes, "\(line): \(results[1].errors)")
    }
  }

  @Test("import, export, record, repack and recover keep them; info and query show them")
  func kept() throws {
    let (shop, lines) = try twins()
    let observed = lines.count { $0.contains(#""k":"observed""#) }
    func sorted(_ text: String) -> [String] {
      text.split(separator: "\n").map(String.init).sorted()
    }
    let exported = try shop.shell("$ROUSE export observed/day.wtrace")
    #expect(sorted(exported.output) == lines.sorted())
    // One device keeps its order to the line.
    let one = lines.filter { $0.contains(#""device":"device-001""#) || $0.contains("unseen") }
    try shop.importing(one.joined(separator: "\n") + "\n", as: "one")
    let back = try shop.rouse("export", "one.wtrace").output
    for device in ["device-001", "unseen"] {
      #expect(
        back.split(separator: "\n").filter { $0.contains("\"\(device)\"") }.map(String.init)
          == one.filter { $0.contains("\"\(device)\"") })
    }
    for line in [
      "$ROUSE repack observed/day.wtrace -o made.wtrace --level 1",
      "$ROUSE repack --by-device observed/day.wtrace -o made.wtrace",
      "$ROUSE recover observed/day.wtrace -o made.wtrace",
      "$ROUSE record -o made.wtrace < observed.jsonl",
      "$ROUSE import jsonl observed.jsonl --sort -o made.wtrace",
    ] {
      let made = try shop.shell("rm -f made.wtrace; \(line) && $ROUSE verify made.wtrace >&2")
      #expect(made.status == .exited(0), "\(line): \(made.errors)")
      #expect(sorted(try shop.rouse("export", "made.wtrace").output) == lines.sorted(), "\(line)")
    }
    let info = try shop.rouse("info", "observed/day.wtrace", "--json").json().elements.first
    #expect(info?["observations"]?.wholeNumber == Int64(observed))
    #expect(info?["kinds"]?["observed"]?.wholeNumber == Int64(observed))
    #expect(info?["events"]?.wholeNumber == Int64(lines.count))
    let text = try shop.rouse("info", "observed/day.wtrace").output
    #expect(
      text.contains("  of them \(observed) observations, which a replay ignores\n"), "\(text)")
    let query = try shop.rouse("query", "observed/day.wtrace", "--observed")
    #expect(query.output.split(separator: "\n").count == observed, "\(query.errors)")
    let few = try shop.rouse(
      "query", "observed/day.wtrace", "--observed", "--type", "T1", "--limit", "2", "--json"
    ).json()
    #expect(few["returned"]?.wholeNumber == 2)
    #expect(
      try shop.rouse("query", "observed/day.wtrace", "--observed", "--sort", "start").status
        == .exited(64))
  }

  @Test("a trace of observations alone has no inputs, and is whole")
  func alone() throws {
    let shop = try Workshop()
    let lines = (0..<100).map {
      #"{"t":\#($0),"device":"d\#($0 % 3)","k":"observed","app":"a","types":["T"],"outcome":"open"}"#
    }
    try shop.importing(lines.joined(separator: "\n") + "\n", as: "alone")
    #expect(
      try shop.rouse("export", "alone.wtrace").output.split(separator: "\n").map(String.init)
        .sorted()
        == lines.sorted())
    #expect(try shop.rouse("verify", "alone.wtrace").status == .exited(0))
    let replay = try shop.rouse("replay", "alone.wtrace", "--json").json()
    #expect(replay["summary"]?["inputs"]?.wholeNumber == 0)
    let diff = try shop.rouse("diff", "--observed", "alone.wtrace", "--json")
    #expect(diff.status == .exited(2), "\(diff.errors)")
    #expect(try diff.json()["all"]?["extra"]?.wholeNumber == 100)
  }
}
