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
      (["--in-process"], "--in-process requires --scheduler"),
      (["--timeout", "3"], "--timeout requires --scheduler"),
      (["--scheduler", "plain.so", "--timeout", "no"], "'no' is not a number of seconds"),
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
