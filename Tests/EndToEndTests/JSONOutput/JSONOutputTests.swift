import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@Suite("The page JSON output")
struct JSONOutputTests {
  /// Commands by the heading of what they print. `OUT` is a folder to write to, `EVERY` a trace with every kind of input,
  /// `MANY` one with many waits at once, `DISABLED` one with a wake that a disable cuts short, and `OBSERVED` one with
  /// observations.
  private static let commands: KeyValuePairs<String, [String]> = [
    "wake log": [
      "replay Traces/iphone-day.wtrace --policy Traces/iphone-day.policy.json --wakes -",
      "replay Traces/fleet.wtrace --wakes -",
      "replay Traces/pushes.wtrace --wakes -",
    ],
    "wait log": [
      "replay Traces/three-strikes.wtrace --waits -",
      "replay Traces/fleet.wtrace --waits -",
      "replay Traces/pushes.wtrace --waits -",
    ],
    "result of a replay": [
      "replay Traces/three-strikes.wtrace --waits /dev/null --bounds /dev/null --repeat 2 --json",
      "replay Traces/watch-day.wtrace --policy watchos --without budget --skip-quiet --json",
      "replay Traces/pushes.wtrace --waits /dev/null --speed 1000000x --json",
      "replay Traces/fleet.wtrace --json",
      "replay Traces/fleet.wtrace --shard 2/3 --from 0 --to 2026-01-01T01:00:00Z --type T"
        + " --device device-001 --device device-002 --results OUT/shard.jsonl --json",
      "merge OUT/shard.jsonl --json",
      "replay Traces/fleet.wtrace --scheduler OUT/plain.so --json",
      "replay Traces/damaged/flipped-payload.wtrace --keep-going --json",
      "merge OUT/result.json --json",
    ],
    "bounds": [
      "replay Traces/watch-day.wtrace --bounds -", "optimum Traces/watch-day.wtrace --json",
    ],
    "sweep": [
      "sweep Traces/fleet.wtrace --policy watchos -P budget.limitWithoutComplication 1 4 --json",
      "sweep Traces/iphone-day.wtrace --policy Traces/iphone-day.policy.json -L carry due,always --json",
    ],
    "comparison of policies": [
      "compare Traces/fleet.wtrace --policy ios --against watchos --json"
    ],
    "comparison of captures": [
      "compare Traces/fleet.wtrace Traces/fleet.wtrace --json"
    ],
    "diff": [
      "diff --observed OBSERVED --show all --json",
      "diff OUT/wakes.jsonl --trace Traces/fleet.wtrace --policy watchos"
        + " --to 2026-01-01T01:00:00Z --json",
      "diff OUT/wakes.jsonl OUT/wakes.jsonl --json",
    ],
    "curve": ["optimum Traces/watch-day.wtrace --curve -"],
    "stories": [
      "explain Traces/iphone-day.wtrace --app com.example.diet --longest 20 --json",
      "explain Traces/three-strikes.wtrace --app com.example.sleep --longest 20 --json",
      "explain Traces/fleet.wtrace --app com.example.run --json",
      "explain Traces/pushes.wtrace --app com.example.run --longest 20 --json",
      "explain Traces/iphone-day.wtrace --policy Traces/iphone-day.policy.json"
        + " --app com.example.heart --type HKQuantityTypeIdentifierBasalEnergyBurned"
        + " --at 2026-01-01T04:50:00Z --json",
      "explain MANY --app app --at 1 --json",
      "explain DISABLED --app app --json",
    ],
    "inputs": ["export EVERY", "query Traces/iphone-day.wtrace --limit 9"],
    "result of a query": [
      "query Traces/iphone-day.wtrace --limit 9 --json",
      "query Traces/fleet.wtrace --after 0 --json",
    ],
    "contents of traces": [
      "info Traces/fleet.wtrace Traces/iphone-day.wtrace --json",
      "info Traces/fleet.wtrace --depth headers --json",
    ],
    "index of a trace": ["cat OUT/made/fleet-1.wtrace.index"],
    "integrity of traces": [
      "verify Traces/damaged/flipped-payload.wtrace Traces/fleet.wtrace --json"
    ],
    "recovery": [
      "recover Traces/damaged/flipped-payload.wtrace Traces/missing.wtrace -o OUT/clean.wtrace --json"
    ],
    "keys of policies": ["policy keys --json"],
  ]

  /// The outputs with points in time.
  private static let timed: Set = [
    "wake log", "wait log", "stories", "inputs", "result of a query", "contents of traces",
    "diff",
  ]

  /// Makes the traces that are in no folder.
  private func makeShop() throws -> Workshop {
    let shop = try Workshop()
    let every = PackageFolder.root.appending(path: "Tests/RouseCTests/Resources/every.jsonl")
    try shop.importing(String(contentsOf: every, encoding: .utf8), as: "every")
    let types = (0..<120).map { "T\($0)" }
    try shop.importing(
      #"{"t":0,"k":"lock"}"# + "\n"
        + types.map {
          #"{"t":0,"k":"enable","app":"app","type":"\#($0)","frequency":"immediate"}"# + "\n"
            + #"{"t":0,"k":"save","type":"\#($0)","source":"S"}"# + "\n"
        }.joined() + #"{"t":1000000000,"k":"network","good":true}"# + "\n", as: "many")
    try shop.importing(
      """
      {"t":0,"k":"enable","app":"app","type":"X","frequency":"immediate"}
      {"t":5000000000,"k":"save","type":"X","source":"S"}
      {"t":20000000000,"k":"disable","app":"app","type":"X"}\n
      """, as: "disabled")
    try shop.importing(
      """
      {"t":0,"k":"enable","app":"app","type":"X","frequency":"hourly"}
      {"t":0,"k":"save","type":"X","source":"S"}
      {"t":0,"k":"observed","app":"app","types":["X","Y"],"refresh":true,"outcome":"completed","end":1}
      {"t":1000000000,"k":"complete","app":"app"}
      {"t":2000000000,"k":"save","type":"X","source":"S"}
      {"t":3000000000,"k":"observed","app":"app","types":["X"]}
      {"t":7200000000000,"k":"lock"}\n
      """, as: "observed")
    _ = try run("replay Traces/fleet.wtrace --wakes OUT/wakes.jsonl", in: shop)
    let result = try run(
      "replay Traces/fleet.wtrace --waits /dev/null --bounds /dev/null --json", in: shop)
    try shop.write(result.output, to: "result.json")
    _ = try run("generate fleet --devices 100 --events 50000 --files 2 -o OUT/made", in: shop)
    _ = try run("index OUT/made/fleet-1.wtrace", in: shop)
    try SchedulerPrograms.compile("plain.c", to: shop.path + "/plain.so")
    return shop
  }

  private func run(_ call: String, in shop: Workshop) throws -> RouseCommand.Result {
    let arguments = call.split(separator: " ").map { word in
      word.replacingOccurrences(of: "OUT/", with: shop.path + "/")
        .replacingOccurrences(of: "EVERY", with: shop.path + "/every.wtrace")
        .replacingOccurrences(of: "MANY", with: shop.path + "/many.wtrace")
        .replacingOccurrences(of: "OBSERVED", with: shop.path + "/observed.wtrace")
        .replacingOccurrences(of: "DISABLED", with: shop.path + "/disabled.wtrace")
    }
    if arguments[0] == "cat" { return try shop.shell("cat \(arguments[1])") }
    return try RouseCommand.run(arguments, folder: PackageFolder.root.path())
  }

  /// What a command prints: a document, or lines.
  private func values(_ result: RouseCommand.Result) throws -> [JSONValue] {
    if let document = try? JSONValue.parsing(result.output) { return [document] }
    return try JSONValue.parsingLines(result.output)
  }

  @Test("has each key that is printed, and each of its keys is printed")
  func keys() throws {
    let page = try JSONPage()
    #expect(page.outputs == Self.commands.map(\.key))
    let shop = try makeShop()
    var unseen = page.origins
    for (heading, calls) in Self.commands {
      let keys = page.keys(of: heading)
      for call in calls {
        let result = try run(call, in: shop)
        let values = try values(result)
        #expect(!values.isEmpty, "\(call): \(result.errors)")
        // Each path once, as there are thousands of lines.
        let paths = Set(values.flatMap(\.leaves).map(\.path))
        for path in paths {
          let matching = keys.filter { $0.matches(path) }
          #expect(
            matching.count == 1,
            "\(call): \(path.joined(separator: ".")) is \(matching.count) times on the page")
          for key in matching { unseen.remove(key.origin) }
        }
      }
    }
    #expect(unseen.isEmpty, "no command has printed \(unseen.sorted())")
  }

  @Test("says which keys are points in time, which are those that --times iso changes")
  func times() throws {
    let page = try JSONPage()
    let shop = try makeShop()
    for (heading, calls) in Self.commands where Self.timed.contains(heading) {
      let keys = page.keys(of: heading)
      for call in calls {
        let plain = try values(run(call + " --times ns", in: shop)).flatMap(\.leaves)
        let texts = try values(run(call + " --times iso", in: shop)).flatMap(\.leaves)
        try #require(plain.count == texts.count && !plain.isEmpty, "\(call)")
        #expect(
          try values(run(call, in: shop)).flatMap(\.leaves).map(\.value) == plain.map(\.value))
        var units: [[String]: String] = [:]
        var mistakes: [String] = []
        for ((path, number), (other, text)) in zip(plain, texts) {
          let unit = units[path] ?? keys.first { $0.matches(path) }?.unit
          units[path] = unit
          let isRight =
            switch (unit, number) {
            case ("time", .null): text == .null
            case ("time", .integer(let nanoseconds)):
              text.string?.utf8.count == 30
                && (try? Timestamp(iso8601: text.string ?? ""))
                  == Timestamp(nanoseconds: nanoseconds)
            case ("time", _): false
            default: text == number
            }
          if path != other || !isRight { mistakes.append("\(path): \(number) \(text)") }
        }
        #expect(mistakes.isEmpty, "\(call): \(mistakes.prefix(5))")
      }
    }
  }

  @Test("has no integer that jq would not keep, where --times iso is asked for")
  func exactIntegers() throws {
    let shop = try makeShop()
    for (heading, calls) in Self.commands where Self.timed.contains(heading) {
      for call in calls {
        let leaves = try values(run(call + " --times iso", in: shop)).flatMap(\.leaves)
        let great = leaves.filter { ($0.value.wholeNumber ?? 0).magnitude > 1 << 53 }
        #expect(great.isEmpty, "\(call): \(great.prefix(3))")
      }
    }
  }

  @Test("has the keys of policies that show prints")
  func policies() throws {
    let keys = try RouseCommand.run(["policy", "keys", "--json"]).json().elements
      .compactMap { $0["key"]?.string }
    let shown = try RouseCommand.run(["policy", "show", "watchos", "--json"]).json()
    for name in shown.keys { #expect(keys.contains(name), "\(name)") }
  }
}
