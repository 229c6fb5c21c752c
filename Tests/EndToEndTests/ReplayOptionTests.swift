import Foundation
import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

@Suite("Options of replay")
struct ReplayOptionTests {
  private static let devices = ["watch", "phone"]

  /// Saves of two devices and three types, and an app's doings among them.
  private static let lines =
    devices.map { device in
      """
      {"t":0,"device":"\(device)","k":"enable","app":"app","type":"T0","frequency":"immediate"}
      {"t":0,"device":"\(device)","k":"enable","app":"app","type":"T1","frequency":"immediate"}\n
      """ + Workshop.saves(200, device: device, from: 10)
    }.joined()

  /// The summary that the reference gives for the lines that are kept.
  private func reference(keeping: (String) throws -> Bool) rethrows -> JSONValue? {
    let symbols = Symbols()
    let kept = try Self.lines.split(separator: "\n").map(String.init).filter(keeping)
    guard
      let events = try? EventReader.events(
        ofLines: kept.joined(separator: "\n"), symbols: symbols)
    else { return nil }
    return JSONValue.summaryObject(
      ReferenceScheduler.run(events: events, policy: .iOS, symbols: symbols).summary)
  }

  private static func time(_ line: String) throws -> Int64 {
    try JSONValue.parsing(line)["t"]?.wholeNumber ?? 0
  }

  @Test("select inputs")
  func select() throws {
    let shop = try Workshop()
    try shop.importing(Self.lines, as: "trace")
    func expect(
      _ options: String..., place: SourceLocation = #_sourceLocation,
      keeping: (String) throws -> Bool
    ) throws {
      for threads in ["1", "2"] {
        let result = try RouseCommand.run(
          ["replay", "trace.wtrace", "--json", "--threads", threads] + options, folder: shop.path)
        #expect(result.status == .exited(0), "\(result.errors)", sourceLocation: place)
        let summary = try result.json()["summary"]
        let expected = try reference(keeping: keeping)
        #expect(summary == expected, "\(options)", sourceLocation: place)
        #expect(summary?["wakes"] != .integer(0), "\(options)", sourceLocation: place)
      }
    }
    try expect { _ in true }
    try expect("--type", "T1") { !$0.contains("\"save\"") || $0.contains("T1") }
    try expect("--type=T1", "--type=T2") { !$0.contains("\"save\"") || !$0.contains("\"T0\"") }
    try expect("--device", "phone") { $0.contains("phone") }
    try expect("--device", "phone", "--device", "watch") { _ in true }
    try expect("--to", "100000000000") { try Self.time($0) < 100_000_000_000 }
    try expect("--to", "1970-01-01T00:01:40Z") { try Self.time($0) < 100_000_000_000 }
    try expect("--from=1970-01-01", "--to=1970-01-01T01:01:40+01:00") {
      try Self.time($0) < 100_000_000_000
    }
    try expect(
      "--to=50000000000", "--type", "T0", "--device", "watch"
    ) {
      try Self.time($0) < 50_000_000_000 && $0.contains("watch")
        && (!$0.contains("\"save\"") || $0.contains("T0"))
    }
  }

  @Test("select nothing, which is no error")
  func selectNothing() throws {
    let shop = try Workshop()
    try shop.importing(Self.lines, as: "trace")
    for option in ["--from=2020-01-01", "--to=1969-12-31", "--device=nobody"] {
      let result = try shop.rouse("replay", "trace.wtrace", "--json", option)
      #expect(result.status == .exited(0), "\(option): \(result.errors)")
      #expect(try result.json()["summary"]?["inputs"] == .integer(0), "\(option)")
      #expect(try result.json()["digest"] == .string("0000000000000000"), "\(option)")
    }
  }

  @Test("a selection that ends before it begins is a usage error")
  func reversedSelection() throws {
    let shop = try Workshop()
    try shop.importing(Self.lines, as: "trace")
    let reversed = try shop.rouse("replay", "trace.wtrace", "--from", "5", "--to", "3")
    #expect(reversed.status == .exited(64) && reversed.output == "")
    #expect(reversed.errors.hasPrefix("rouse: --from is after --to\n"), "\(reversed.errors)")
    #expect(try shop.rouse("replay", "trace.wtrace", "--from=5", "--to=5").status == .exited(0))
  }

  @Test("--json has every key of the summary, and what was measured")
  func jsonKeys() throws {
    let shop = try Workshop()
    try shop.importing(Self.lines, as: "trace")
    let json = try shop.rouse("replay", "trace.wtrace", "--json").json()
    #expect(
      json["summary"]?.keys == [
        "inputs", "saves", "deletes", "lateInputs", "liveDeliveries", "ignoredCompletions",
        "rejectedRegistrations", "rejectedPushes", "pushesSuperseded", "pushesDiscarded",
        "pushesDeliveredLive", "pushesHeldAtEnd", "pendingAtEnd", "wakes", "wakesWithHealth",
        "wakesWithPush", "wakesWithRefresh", "completed", "expired", "aborted", "open",
        "stoppedApps", "digest",
      ])
    #expect(json["summary"]?["digest"] == json["digest"])
    #expect(
      json.keys.isSuperset(of: [
        "apps", "blocks", "devices", "digest", "latency", "loss", "notices", "performance",
        "savesPerWake", "staleness", "summary", "traces", "wakesByCause",
      ]))
    #expect(
      json["performance"]?.keys.isSuperset(of: [
        "clockNanoseconds", "decodeNanoseconds", "elapsedNanoseconds", "events",
        "eventsPerSecond", "latencySampling", "scheduleNanoseconds", "threads",
      ]) == true)
    #expect(
      json["savesPerWake"]?["percentiles"]?.keys == ["50", "90", "99", "99.9", "99.99", "99.999"])
    #expect(json["latency"]?["maximumAtEvent"]?.wholeNumber != nil)
  }

  @Test("--verify compares with a replay without accelerations")
  func verify() throws {
    let shop = try Workshop()
    try shop.importing(Self.lines, as: "trace")
    let digest = try shop.rouse("replay", "trace.wtrace", "--json").json()["digest"]
    for names in ["", "all", "none", "hashLanes,cohorts", "-hashLanes", "-hashLanes,-cohorts"] {
      let alone = try RouseCommand.run(
        ["replay", "trace.wtrace", "--json"], folder: shop.path,
        environment: ["ROUSE_ACCELERATIONS": names])
      #expect(try alone.json()["digest"] == digest, "\(names)")
      guard names != "none" else { continue }
      let result = try RouseCommand.run(
        ["replay", "trace.wtrace", "--verify", "--threads", "2"], folder: shop.path,
        environment: ["ROUSE_ACCELERATIONS": names])
      #expect(result.status == .exited(0), "\(names): \(result.errors)")
      #expect(result.output.hasPrefix("equal: "), "\(names)")
      #expect(result.output.hasSuffix(" and with none\n"), "\(names)")
    }
    let names = """
      saveCounting, rowBatches, predicateScan, cohorts, answersAhead, hashLanes, directWakes, \
      quietRuns, namedApps, heldApps, predicateTrees, sparseRows, arrivalRuns, \
      typeLanes, subscribedRows
      """
    let usage = "use all, none, or NAME or -NAME (all but NAME), separated by commas, of \(names)"
    func unknown(_ text: String, _ name: String) -> String {
      "ROUSE_ACCELERATIONS=\(text): no acceleration is named '\(name)': \(usage)"
    }
    for (text, option, message) in [
      ("all,-abacus", "--json", unknown("all,-abacus", "abacus")),
      ("-all", "--json", unknown("-all", "-all")),
      (",", "--json", unknown(",", "")),
      (
        "none", "--verify",
        "--verify needs an acceleration to compare with the plain rules, and ROUSE_ACCELERATIONS "
          + "selects none"
      ),
    ] {
      let refused = try RouseCommand.run(
        ["replay", "trace.wtrace", option], folder: shop.path,
        environment: ["ROUSE_ACCELERATIONS": text])
      #expect(refused.status == .exited(64) && refused.output == "", "\(text)")
      #expect(refused.errors.hasPrefix("rouse: \(message)\n"), "\(refused.errors)")
    }
    let json = try shop.rouse("replay", "trace.wtrace", "--verify", "--json")
    #expect(json.status == .exited(64))
    #expect(json.errors.hasPrefix("rouse: --verify cannot be combined with --json\n"))
  }

  @Test("a paced replay takes the time it should, and measures every event")
  func paced() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(60), as: "trace")
    let begin = Date()
    let json = try shop.rouse("replay", "trace.wtrace", "--json", "--speed", "100x").json()
    let elapsed = Date().timeIntervalSince(begin)
    #expect(elapsed >= 0.59, "59 seconds at 100x: \(elapsed)")
    #expect(json["pacing"]?["speed"] == .integer(100))
    #expect(json["latency"]?["count"] == .integer(60))
    #expect(json["performance"]?["latencySampling"] == .integer(1))
  }
}
