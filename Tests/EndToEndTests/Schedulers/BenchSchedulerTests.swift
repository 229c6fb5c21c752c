import Foundation
import Testing
import WakeTestSupport

/// `rouse-bench` on schedulers under test.
@Suite(
  "rouse-bench --scheduler", .enabled(if: SchedulerPrograms.hasCompiler, "needs a C compiler"))
struct BenchSchedulerTests {
  private let shop: Workshop

  init() throws {
    shop = try Workshop()
    try SchedulerPrograms.compile("plain.c", to: shop.path + "/plain.so")
  }

  /// The plain scheduler with another text in one place.
  private func mutant(_ text: String, _ other: String, to name: String) throws {
    let plain = try String(
      contentsOf: PackageFolder.root.appending(path: "Tests/Schedulers/plain.c"), encoding: .utf8)
    try #require(plain.contains(text))
    try shop.write(plain.replacingOccurrences(of: text, with: other), to: "\(name).c")
    try SchedulerPrograms.compile(shop.path + "/\(name).c", to: shop.path + "/\(name).so")
  }

  private func bench(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> RouseCommand.Result {
    try BenchCommand.run(
      arguments, folder: shop.path,
      environment: environment.merging(["ROUSE_ROOT": PackageFolder.root.path()]) { $1 })
  }

  private func trace(_ name: String) -> String {
    PackageFolder.root.appending(path: "Traces/\(name)").path()
  }

  @Test("lists and measures its suites and traces, with the digests of a replay")
  func run() throws {
    _ = try shop.shell("cp '\(trace("fleet.wtrace"))' 'my day.wtrace'")
    let list = try bench("list", "--scheduler", "plain.so", "--trace", "my day.wtrace")
    #expect(list.output.contains("\ntrace/my_day "), "\(list.output)")
    let result = try bench(
      "run", "--scheduler", "./plain.so", "--trace", "my day.wtrace", "--policy",
      trace("fleet.policy.json"), "scheduler/quiet/1", "scheduler/mix", "replay/fleet", "trace",
      "--seconds", "0.01", "--json", "--export", "html=run.html", "-o", "run.json")
    #expect(result.status == .exited(0), "\(result.errors)")
    let results = try result.json()["results"]?.elements ?? []
    #expect(
      results.compactMap { $0["name"]?.string }
        == ["scheduler/quiet/1", "scheduler/mix", "replay/fleet", "trace/my_day"])
    // The digest of the golden summary, also for the same trace under another name.
    let summary = try JSONValue.parsing(
      String(contentsOfFile: trace("fleet.summary.json"), encoding: .utf8))
    for result in results.suffix(2) {
      #expect(result["digest"]?.text == summary["digest"]?.text)
      #expect(result["wakes"]?.text == summary["wakes"]?.text)
    }
    #expect(String(decoding: try shop.read("run.html"), as: UTF8.self).contains("trace/my_day"))
    let text = try bench("run", "--scheduler", "plain.so", "replay/fleet", "--seconds", "0.01")
    let digest = summary["digest"]?.string ?? "?"
    #expect(text.output.contains("wakes            digest\n"), "\(text.output)")
    #expect(text.output.contains(digest), "\(text.output)")
  }

  @Test("compares two libraries, and tells where they wake differently")
  func compare() throws {
    try mutant("(d->locked && d->policy->lock_blocks_health)", "0", to: "unlocked")
    let result = try bench(
      "compare", "--scheduler", "./plain.so", "unlocked.so", "scheduler/quiet/1",
      "replay/iphone-day",
      "--rounds", "2", "--seconds", "0.2", "-o", "compared.json", "--export", "markdown=page.md")
    // Two rounds tell nothing about times.
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(
      result.output.contains("The schedulers wake differently in replay/iphone-day: these times"),
      "\(result.output)")
    #expect(result.output.contains("noise floor 0.5 %"), "\(result.output)")
    #expect(result.output.contains("before ./plain.so, after unlocked.so"), "\(result.output)")
    #expect(
      String(decoding: try shop.read("page.md"), as: UTF8.self).contains("wake differently"))
    let json = try JSONValue.parsing(
      String(decoding: try shop.read("compared.json"), as: UTF8.self))
    let works = json["results"]?.elements.compactMap { $0["work"] } ?? []
    try #require(works.count == 2)
    #expect(works[0]["digestBefore"] == works[0]["digestAfter"])
    #expect(works[1]["digestBefore"] != works[1]["digestAfter"])
    #expect(works[1]["wakesBefore"] != works[1]["wakesAfter"])
    let noise = try bench(
      "noise", "--scheduler", "plain.so", "scheduler/quiet/1", "--rounds", "2", "--seconds", "0.1")
    #expect(noise.status == .exited(0), "\(noise.errors)")
  }

  @Test("tells of a crash and of a call that does not return, and measures the other benchmarks")
  func faults() throws {
    try mutant(
      "  device *d = instance;\n  d->stop = 0;\n  for (size_t row",
      "  device *d = instance;\n  if (d->apps.count == 10) abort();\n  d->stop = 0;\n  for (size_t row",
      to: "crash")
    try SchedulerPrograms.compile("hostile.c", ["HOSTILE=4"], to: shop.path + "/sleeper.so")
    try SchedulerPrograms.compile("hostile.c", ["HOSTILE=5"], to: shop.path + "/wrong.so")
    let quiet = ["scheduler/quiet/1", "scheduler/quiet/10", "--seconds", "0.2"]
    for command in [["run"], ["compare"]] {
      func measure(_ library: String) throws -> RouseCommand.Result {
        let libraries = command == ["run"] ? [library] : ["plain.so", library, "--rounds", "2"]
        // On a busy machine a call may take long that does return.
        let timeout = library == "sleeper.so" ? "0.5" : "30"
        return try BenchCommand.run(
          command + ["--timeout", timeout, "--json", "--scheduler"] + libraries + quiet,
          folder: shop.path)
      }
      let crashed = try measure("crash.so")
      #expect(crashed.status == .exited(1), "\(command)")
      #expect(
        crashed.errors.contains(
          "FAILED: scheduler/quiet/10: crash.so: ended by a signal: Aborted; in take, given events 0"
        ),
        "\(crashed.errors)")
      let names = try crashed.json()["results"]?.elements.compactMap { $0["name"]?.string }
      #expect(names == ["scheduler/quiet/1"], "\(command)")
      let slow = try measure("sleeper.so")
      #expect(
        slow.errors.contains("sleeper.so: does not return for 0.5 s; in take"), "\(slow.errors)")
      let wrong = try measure("wrong.so")
      #expect(
        wrong.errors.contains("wrong.so: a wake of app number 4242, which no input"),
        "\(wrong.errors)")
    }
    // No library at all.
    try shop.write("no library", to: "text.so")
    let text = try bench("run", "--scheduler", "./text.so", "scheduler/mix")
    #expect(text.status == .exited(1))
    #expect(text.errors.contains("rouse-bench: ./text.so: "), "\(text.errors)")
    #expect(text.errors.split(separator: "text.so").count == 2, "\(text.errors)")
    let none = try bench("compare", "--scheduler", "plain.so", "none.so")
    #expect(none.errors == "rouse-bench: none.so: cannot be read\n")
    #expect(shop.files.allSatisfy { !$0.hasPrefix("rouse-bench") })
  }

  @Test("what a library prints stands between no answers, and is seen")
  func talkative() throws {
    try mutant(
      "static void *create(const rouse_host_t *host, const rouse_policy_t *policy) {",
      """
      #include <stdio.h>
      #include <unistd.h>
      static void *create(const rouse_host_t *host, const rouse_policy_t *policy) {
        if (write(1, "measured {}\\n", 12) != 12) return NULL;
        printf("1 scheduler/quiet/10\\n");
        fflush(stdout);
      """, to: "talk")
    let names = ["scheduler/quiet/1", "scheduler/quiet/10"]
    for options in [[], OtherPrograms.has("valgrind") ? ["--instructions"] : []] {
      func run(_ library: String) throws -> [[String?]] {
        let result = try BenchCommand.run(
          ["run", "--scheduler", library, "--seconds", "0.01", "--json"] + names + options,
          folder: shop.path)
        #expect(result.status == .exited(0), "\(result.errors)")
        #expect(result.errors.contains("measured {}\n") == (library == "talk.so"))
        return try (result.json()["results"]?.elements ?? []).map { result in
          let counter = result["counters"]?.elements.first {
            $0["name"]?.string == "simulatedInstructions"
          }
          return [result["name"]?.string, result["digest"]?.text, counter?["value"]?.text]
        }
      }
      let (plain, talk) = (try run("plain.so"), try run("talk.so"))
      #expect(talk.map { $0[0] } == names)
      #expect(talk.map { $0[1] } == plain.map { $0[1] })
      // The same work, but for what differs between two builds of the library.
      for (plain, talk) in zip(plain, talk) {
        guard let plain = plain[2].flatMap(Double.init), let talk = talk[2].flatMap(Double.init)
        else { continue }
        #expect(abs(talk / plain - 1) < 0.05, "\(talk) and not \(plain)")
      }
    }
    let compared = try bench(
      "compare", "--scheduler", "plain.so", "talk.so", "scheduler/quiet/1", "--rounds", "1",
      "--seconds", "0.1")
    #expect(compared.status == .exited(0), "\(compared.errors)")
  }

  @Test("checks thresholds of its own")
  func check() throws {
    let write = try bench(
      "check", "--scheduler", "plain.so", "scheduler/wakes/1", "--write", "bars.json")
    #expect(write.status == .exited(0), "\(write.errors)")
    let fine = try bench("check", "--scheduler", "plain.so", "--thresholds", "bars.json")
    #expect(fine.status == .exited(0), "\(fine.errors)")
    #expect(fine.output.contains(" 0 worse"), "\(fine.output)")
    try mutant("wake.saves += s->pending;", "wake.saves += s->pending + 1;", to: "other")
    let worse = try bench("check", "--scheduler", "./other.so", "--thresholds", "bars.json")
    #expect(worse.status == .exited(2), "\(worse.errors)")
    #expect(worse.output.contains("worse: scheduler/wakes/1: digest"), "\(worse.output)")
    for (call, told) in [
      (["check", "--scheduler", "plain.so"], "--scheduler requires --thresholds or --baseline"),
      (["run", "--trace", "x.wtrace"], "--trace requires --scheduler"),
      (["run", "--policy", "ios"], "--policy requires --scheduler"),
      (["compare", "this"], "too few arguments"),
      (
        ["run", "--scheduler", "exec:python3 mine.py"], "is a command, whose pipe would be measured"
      ),
      (
        ["run", "--scheduler", "plain.so", "--trace", "a/x.wtrace", "--trace", "x.wtrace"],
        "--trace: two traces are named trace/x"
      ),
    ] {
      let result = try BenchCommand.run(call, folder: shop.path)
      #expect(result.status == .exited(64), "\(call): \(result.errors)")
      #expect(result.errors.contains(told), "\(call): \(result.errors)")
    }
  }

  @Test("progress is told in lines where there is no terminal")
  func progress() throws {
    // Ends when its time is over, however few samples a busy machine takes.
    try SchedulerPrograms.compile("hostile.c", ["HOSTILE=4"], to: shop.path + "/endless.so")
    let result = try bench(
      "run", "--scheduler", "endless.so", "scheduler/quiet/1", "--timeout", "2",
      environment: ["ROUSE_PROGRESS": "0.2"])
    #expect(result.status == .exited(1))
    #expect(
      result.errors.contains("rouse-bench: [1/1] scheduler/quiet/1, since 0 min\n"),
      "\(result.errors)")
    let silent = try bench(
      "run", "--scheduler", "plain.so", "scheduler/quiet/1", "--seconds", "0.1")
    #expect(!silent.errors.contains("since"), "\(silent.errors)")
  }
}
