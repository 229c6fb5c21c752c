import Foundation
import Testing
import WakeTestSupport

@Suite(
  "Replays through another scheduler",
  .enabled(if: SchedulerPrograms.hasCompiler, "needs a C compiler"))
struct SchedulerReplayTests {
  private let shop: Workshop

  init() throws {
    shop = try Workshop()
    try SchedulerPrograms.compile("plain.c", to: shop.path + "/plain.so")
  }

  private static let traces = [
    "iphone-day", "watch-day", "fleet", "pushes", "three-strikes", "sync-burst", "sqlite-store",
  ]

  @Test("give the golden digests, summaries and wake logs", arguments: traces)
  func golden(name: String) throws {
    let root = PackageFolder.root.appending(path: "Traces").path()
    let replay = [
      "replay", "\(root)/\(name).wtrace", "--policy", "\(root)/\(name).policy.json", "--json",
    ]
    let own = try RouseCommand.run(replay + ["--wakes", "own.jsonl"], folder: shop.path)
    for options in [["--threads", "1"], ["--threads", "2"], ["--in-process"]] {
      let result = try RouseCommand.run(
        replay + ["--scheduler", "plain.so", "--wakes", "wakes.jsonl"] + options,
        folder: shop.path)
      #expect(result.status == .exited(0), "\(name) \(options): \(result.errors)")
      #expect(try shop.read("wakes.jsonl") == shop.read("own.jsonl"), "\(name) \(options)")
      let (json, expected) = (try result.json(), try own.json())
      for key in ["summary", "digest", "wakesByCause", "apps", "savesPerWake", "staleness"] {
        #expect(json[key] == expected[key], "\(name) \(options): \(key)")
      }
      #expect(json["scheduler"]?.text == "\"plain\"")
    }
  }

  @Test("have sources of 0 where none are read", arguments: ["fleet", "sync-burst"])
  func sources(name: String) throws {
    try SchedulerPrograms.compile("plain.c", ["EXPECTS_NO_SOURCES"], to: shop.path + "/zeros.so")
    let root = PackageFolder.root.appending(path: "Traces").path()
    let result = try RouseCommand.run(
      [
        "replay", "\(root)/\(name).wtrace", "--policy", "\(root)/\(name).policy.json",
        "--scheduler", "zeros.so",
      ], folder: shop.path)
    #expect(result.status == .exited(0), "\(name): \(result.errors)")
  }

  @Test("have the bounds of the rules, if they do what these do", arguments: traces)
  func bounds(name: String) throws {
    let root = PackageFolder.root.appending(path: "Traces").path()
    let replay = ["replay", "\(root)/\(name).wtrace", "--policy", "\(root)/\(name).policy.json"]
    let own = try RouseCommand.run(replay + ["--bounds", "own.json"], folder: shop.path)
    #expect(own.status == .exited(0))
    for threads in ["1", "2"] {
      let result = try RouseCommand.run(
        replay + ["--scheduler", "plain.so", "--bounds", "other.json", "--threads", threads],
        folder: shop.path)
      #expect(result.status == .exited(0), "\(name): \(result.errors)")
      #expect(try shop.read("other.json") == shop.read("own.json"), "\(name)")
    }
  }

  @Test("that wait for the end of a burst are behind for less than half as long as the rules")
  func bursts() throws {
    try SchedulerPrograms.compile("burst.c", to: shop.path + "/burst.so")
    // Two types, in bursts of each quarter of an hour for 16 hours of each of four days.
    let saves = (0..<4 * 96).filter { $0 % 96 < 64 }.flatMap { quarter in
      (0..<6).map {
        #"{"t":\#(quarter * 900_000_000_000),"k":"save","type":"T\#($0 % 2)","source":"S"}"# + "\n"
      }
    }
    try shop.importing(saves.joined(), as: "syncs")
    try shop.write(
      #"{"behaviour":{"completesAfter":2},"subscriptions":[{"app":"a","type":"T0","frequency":"#
        + #""hourly"},{"app":"a","type":"T1","frequency":"hourly"}]}"#, to: "syncs.json")
    func bounds(
      _ options: String = "", _ environment: String = ""
    ) throws -> (wakes: Int, behind: Int, least: Int) {
      let result = try shop.shell(
        "\(environment) $ROUSE replay syncs.wtrace --policy syncs.json --bounds - \(options)")
      #expect(result.status == .exited(0), "\(result.errors)")
      let app = try result.json()["a"]
      func number(_ key: String) throws -> Int { try #require(Int(app?[key]?.text ?? "")) }
      return (try number("wakes"), try number("behind"), try number("leastBehind"))
    }
    let rules = try bounds()
    // So that it has no more wakes than the rules.
    let burst = try bounds("--scheduler burst.so", "BURST_EARNED=1810 BURST_SAVED=2")
    #expect(burst.wakes <= rules.wakes, "\(burst) \(rules)")
    #expect(2 * burst.behind < rules.behind, "\(burst) \(rules)")
    #expect(burst.behind >= burst.least, "\(burst)")
  }

  @Test(
    "over a pipe give the golden wake logs and summaries",
    .enabled(if: OtherPrograms.has("python3"), "needs Python"))
  func piped() throws {
    let root = PackageFolder.root.path()
    for name in ["pushes", "three-strikes", "sqlite-store"] {
      let replay = [
        "replay", "\(root)/Traces/\(name).wtrace", "--policy",
        "\(root)/Traces/\(name).policy.json", "--json",
      ]
      let own = try RouseCommand.run(replay + ["--wakes", "own.jsonl"], folder: shop.path)
      let result = try RouseCommand.run(
        replay + [
          "--scheduler", "exec:python3 '\(root)/Tests/Schedulers/plain.py'", "--wakes",
          "wakes.jsonl",
        ], folder: shop.path)
      #expect(result.status == .exited(0), "\(name): \(result.errors)")
      #expect(try shop.read("wakes.jsonl") == shop.read("own.jsonl"), "\(name)")
      let (json, expected) = (try result.json(), try own.json())
      for key in ["summary", "digest", "wakesByCause", "savesPerWake", "staleness"] {
        #expect(json[key] == expected[key], "\(name): \(key)")
      }
    }
  }

  @Test("may be paced, repeated, filtered and measured")
  func options() throws {
    let trace = PackageFolder.root.appending(path: "Traces/watch-day.wtrace").path()
    let policy = PackageFolder.root.appending(path: "Traces/watch-day.policy.json").path()
    for options in [
      ["--speed", "1000000000x"], ["--repeat", "3"], ["--from", "2026-01-01T06:00:00Z"],
      ["--no-latency"], ["--timeout", "30"],
    ] {
      let replay = ["replay", trace, "--policy", policy, "--json"] + options.filter { _ in true }
      let own = try RouseCommand.run(
        replay.filter { $0 != "--timeout" && $0 != "30" }, folder: shop.path)
      let result = try RouseCommand.run(
        replay + ["--scheduler", "./plain.so"], folder: shop.path)
      #expect(result.status == .exited(0), "\(options): \(result.errors)")
      #expect(try result.json()["summary"] == own.json()["summary"], "\(options)")
    }
  }

  @Test("refuse what is of Rouse's own scheduler alone")
  func refusals() throws {
    try shop.importing(Workshop.saves(3), as: "trace")
    for (options, told) in [
      (["--scheduler", "plain.so", "--waits", "-"], "--waits is of Rouse's own scheduler"),
      (["--scheduler", "plain.so", "--verify"], "--verify is of Rouse's own scheduler"),
      (["--scheduler", "exec:cat", "--bounds", "-"], "--bounds needs a library"),
      (["--scheduler", "exec:cat", "--in-process"], "--in-process is of a library"),
      (["--scheduler", "exec:"], "has no command behind 'exec:'"),
      (["--in-process"], "--in-process requires --scheduler"),
      (["--timeout", "3"], "--timeout requires --scheduler"),
      (["--scheduler", "plain.so", "--timeout", "no"], "'no' is not a duration such as"),
    ] {
      let result = try RouseCommand.run(
        ["replay", "trace.wtrace"] + options, folder: shop.path)
      #expect(result.status == .exited(64), "\(options): \(result.errors)")
      #expect(result.errors.contains(told), "\(options): \(result.errors)")
    }
    let missing = try shop.rouse("replay", "trace.wtrace", "--scheduler", "./none.so")
    #expect(missing.status == .exited(1))
    #expect(missing.errors.contains("none.so: cannot open shared object file"))
  }
}
