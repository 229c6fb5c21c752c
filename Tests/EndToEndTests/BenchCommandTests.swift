import Foundation
import Testing
import WakeTestSupport

/// The real `rouse-bench`, on benchmarks that are quick even without optimisation.
@Suite("rouse-bench")
struct BenchCommandTests {
  private func bench(
    _ arguments: [String], folder: String? = nil, environment: [String: String] = [:]
  ) throws -> RouseCommand.Result {
    try BenchCommand.run(arguments, folder: folder, environment: environment)
  }

  /// A benchmark's object in the JSON of a run.
  private func results(_ run: JSONValue) -> [JSONValue] { run["results"]?.elements ?? [] }

  @Test("every command has help, and wrong calls say so with status 64")
  func usage() throws {
    let help = try bench(["--help"])
    #expect(help.status == .exited(0))
    for command in [
      "list", "run", "compare", "noise", "baseline", "check", "cache", "digests",
    ] {
      #expect(help.output.contains("\n  \(command) "), "\(command) is not in the help")
      let own = try bench([command, "--help"])
      #expect(own.status == .exited(0), "\(command)")
      #expect(own.output.contains("Usage: rouse-bench \(command)"), "\(command): \(own.output)")
    }
    #expect(try bench(["--version"]).output.hasPrefix("rouse-bench "))
    let wrong: [[String]] = [
      [], ["fly"], ["--fly"], ["run", "--fly"], ["run", "--seconds", "-1"], ["compare", "this"],
      ["compare", "this", "this", "--noise-floor", "2"], ["baseline"], ["baseline", "fly"],
      ["baseline", "show"], ["check", "--baseline", "a", "--thresholds", "b"],
      ["check", "--write", "a", "--baseline", "b"], ["check", "--write", "a", "--thresholds", "b"],
      ["check", "--write", "a", "--strict"], ["check", "--write", "a", "--json"],
      ["check", "--thresholds", "a", "--folder", "b"], ["check", "--folder", "b"],
      ["baseline", "list", "--json"], ["baseline", "show", "a", "--force"],
      ["baseline", "delete", "a", "--seconds", "1"],
      ["baseline", "save", "a", "--from", "b", "--seconds", "5"],
      ["baseline", "save", "a", "--json"],
    ]
    for call in wrong {
      let result = try bench(call)
      #expect(result.status == .exited(64), "\(call): \(result.errors)")
      #expect(result.errors.contains("--help'"), "\(call): \(result.errors)")
    }
  }

  @Test(
    "completions offer options and the names of benchmarks", .enabled(if: OtherPrograms.has("bash"))
  )
  func completions() throws {
    let shop = try Workshop()
    try shop.write(
      """
      source <('\(BenchCommand.path)' completions bash)
      offer() {
        COMP_WORDS=(rouse-bench "$@") COMP_CWORD=$#
        _rouse-bench
        echo "${COMPREPLY[*]}"
      }
      offer comp
      offer run --sched
      offer run coalescer/told
      offer run --policy wat
      """, to: "driver")
    let result = try shop.shell("bash --norc driver")
    #expect(result.output == "compare completions\n--scheduler\ncoalescer/told/10\nwatchos\n")
    #expect(result.errors == "")
    for shell in ["zsh", "fish"] {
      #expect(try bench(["completions", shell]).output.contains("--scheduler"), "\(shell)")
    }
    #expect(try bench(["completions", "csh"]).status == .exited(64))
  }

  @Test("filters choose, and one that chooses nothing fails")
  func filters() throws {
    #expect(try bench(["list", "backoff"]).output.split(separator: "\n").count == 1)
    #expect(try bench(["list", "coalescer/quiet"]).output.split(separator: "\n").count == 3)
    let short = try bench(["list", "short"]).output.split(separator: "\n")
    #expect(short.count >= 10 && short.allSatisfy { $0.contains("short") })
    let none = try bench(["run", "coal"])
    #expect(none.status == .exited(1))
    #expect(none.errors.contains("no benchmark has the name or tag 'coal'"))
  }

  @Test("a run has samples, counters with reasons, the machine and the digest in its JSON")
  func json() throws {
    let scratch = try ScratchFolder()
    let file = scratch.file("run.json")
    let result = try bench(["run", "backoff", "--seconds", "0.01", "--json", "-o", file])
    #expect(result.status == .exited(0), "\(result.errors)")
    let run = try result.json()
    #expect(try String(contentsOfFile: file, encoding: .utf8) == result.output)
    #expect(run["schemaVersion"]?.amount == 1)
    #expect(run["machine"]?["processors"]?.amount ?? 0 >= 1)
    #expect(run["build"]?["compiler"]?.string?.hasPrefix("Swift") == true)
    let backoff = try #require(results(run).first)
    #expect(backoff["name"]?.string == "backoff")
    #expect(backoff["digest"]?.string?.count == 16)
    let samples = backoff["samples"]?.elements ?? []
    #expect(samples.count >= 8)
    #expect(samples.allSatisfy { $0["nanoseconds"]?.amount ?? 0 > 0 })
    for counter in backoff["counters"]?.elements ?? [] {
      let isNull = counter["value"] == .null
      #expect(
        isNull == (counter["reason"]?.string?.isEmpty == false),
        "a value or a reason, not both: \(counter)")
    }
  }

  @Test("more seconds are more samples")
  func seconds() throws {
    let result = try bench(["run", "backoff", "--seconds", "4", "--json"])
    #expect(result.status == .exited(0), "\(result.errors)")
    let samples = try #require(try results(result.json()).first?["samples"]?.elements)
    let times = samples.compactMap { $0["at"]?.amount }
    let lasted = (times.last ?? 0) - (times.first ?? 0)
    // A sample takes about 10 ms, on a busy machine several times that.
    #expect(samples.count > 100 || lasted > 2_000_000_000, "\(samples.count) in \(lasted) ns")
  }

  @Test("a wrong answer fails, however fast")
  func wrongAnswer() throws {
    let scratch = try ScratchFolder()
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Traces").path()
    let traces = scratch.file("Traces")
    try FileManager.default.copyItem(atPath: root, toPath: traces)
    let environment = ["ROUSE_ROOT": scratch.path]
    let right = try bench(["run", "replay/pushes", "--seconds", "0.01"], environment: environment)
    #expect(right.status == .exited(0), "\(right.errors)")
    let summary = traces + "/pushes.summary.json"
    let text = try String(contentsOfFile: summary, encoding: .utf8)
    let digest = try #require(text.firstMatch(of: /"digest": "([0-9a-f]{16})"/)?.1)
    try text.replacing(digest, with: "0123456789abcdef")
      .write(toFile: summary, atomically: true, encoding: .utf8)
    let wrong = try bench(
      ["run", "replay/pushes", "backoff", "--seconds", "0.01", "--json"], environment: environment)
    #expect(wrong.status == .exited(1))
    #expect(
      wrong.errors.contains(
        "FAILED: replay/pushes: the result is wrong: its digest is \(digest)"), "\(wrong.errors)")
    // What is right is told all the same.
    #expect(try results(wrong.json()).map { $0["name"]?.string } == ["backoff"])
    let skip = try wrong.json()["skipped"]?.elements.first
    #expect(skip?["isFailure"] == .bool(true), "\(String(describing: skip))")
    let bars = scratch.file("bars.json")
    let write = try bench(
      ["check", "replay/pushes", "backoff", "--write", bars], environment: environment)
    #expect(write.status == .exited(1))
    #expect(!FileManager.default.fileExists(atPath: bars), "bars of a wrong answer")
  }

  @Test("what is not there is left out loudly")
  func absent() throws {
    func run(_ names: String...) throws -> RouseCommand.Result {
      try bench(
        ["run"] + names + ["--seconds", "0.01", "--json"],
        environment: ["ROUSE_ROOT": "/nowhere"])
    }
    #expect(try run("replay/data/vcpkg", "backoff").status == .exited(0))
    let result = try run("replay/data/vcpkg")
    #expect(result.status == .exited(1), "a run of nothing is none")
    #expect(result.errors.contains("nothing could be measured"), "\(result.errors)")
    #expect(
      result.errors.contains("SKIPPED: replay/data/vcpkg: no /nowhere/Traces/real/vcpkg.wtrace"))
    let skipped = try result.json()["skipped"]?.elements ?? []
    #expect(skipped.first?["name"]?.string == "replay/data/vcpkg")
  }

  @Test("a baseline is saved, listed, shown, checked against and deleted")
  func baseline() throws {
    let scratch = try ScratchFolder()
    func run(_ arguments: [String]) throws -> RouseCommand.Result {
      try bench(arguments, folder: scratch.path)
    }
    #expect(try run(["baseline", "list"]).output == "")
    let save = ["baseline", "save", "first", "backoff", "--seconds", "0.05"]
    let saved = try run(save)
    #expect(saved.status == .exited(0), "\(saved.errors)")
    #expect(try run(save).status == .exited(1), "it is there already")
    #expect(try run(save + ["--force"]).status == .exited(0))
    #expect(try run(["baseline", "list"]).output == "first\n")
    #expect(try run(["baseline", "show", "first"]).output.contains("backoff"))
    // What 'show' would refuse is not listed.
    let folder = "\(scratch.path)/.rouse-bench"
    for name in [".hid.json", "a\u{1B}[31mb.json", "plain"] {
      try Data("{}".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
    }
    try FileManager.default.createDirectory(
      atPath: "\(folder)/folder.json", withIntermediateDirectories: false)
    #expect(try run(["baseline", "list"]).output == "first\n")
    let red = try run(["baseline", "save", "a\u{1B}[31mb", "backoff"])
    #expect(red.errors == "rouse-bench: 'a\\u{1b}[31mb' cannot be the name of a baseline\n")
    #expect(try run(["baseline", "show", "second"]).status == .exited(1))
    // Times are left out: the machine may be busy.
    let check = try run(["check", "--baseline", "first", "--no-times"])
    #expect(check.status == .exited(0), "\(check.output) \(check.errors)")
    #expect(check.output.contains(" 0 worse"))
    #expect(try run(["baseline", "delete", "first"]).status == .exited(0))
    #expect(try run(["baseline", "list"]).output == "")
    #expect(try run(["baseline", "delete", "../first"]).status == .exited(1))
  }

  @Test("a foreign file cannot steer the terminal")
  func controlCharacters() throws {
    let shop = try Workshop()
    _ = try bench(["run", "backoff", "--seconds", "0.01", "-o", "run.json"], folder: shop.path)
    let text = String(decoding: try shop.read("run.json"), as: UTF8.self)
    try shop.write(text.replacing(#": "backoff""#, with: #": "back\u001b[2Joff""#), to: "red.json")
    let saved = try bench(["baseline", "save", "red", "--from", "red.json"], folder: shop.path)
    #expect(saved.status == .exited(0), "\(saved.errors)")
    let shown = try bench(["baseline", "show", "red"], folder: shop.path)
    #expect(shown.output.contains(#"back\u{1b}[2Joff"#), "\(shown.output)")
    let check = try bench(["check", "--baseline", "red"], folder: shop.path)
    #expect(check.errors.contains(#"back\u{1b}[2Joff"#), "\(check.errors)")
    for result in [shown, check] {
      #expect(!(result.output + result.errors).contains("\u{1B}"))
    }
  }

  @Test("an argument that is not UTF-8 is refused, and closed descriptors are no other files")
  func callers() throws {
    let shop = try Workshop()
    let path = BenchCommand.path
    let odd = try shop.shell("'\(path)' list \"$(printf 'back\\377off')\"")
    #expect(odd.status == .exited(64))
    #expect(odd.errors.contains("is not UTF-8"), "\(odd.errors)")
    let closed = try shop.shell("'\(path)' list backoff <&- >&-")
    #expect(closed.status == .exited(1))
    #expect(
      closed.errors == "rouse-bench: standard output cannot be written: Bad file descriptor\n")
    // It keeps its name when it starts itself anew.
    let name = try shop.shell(
      """
      env -u SWIFT_DETERMINISTIC_HASHING '\(path)' profile backoff --seconds 60 &
      until tr '\\0' '\\n' < /proc/$!/environ | grep -q ^SWIFT_DETERMINISTIC_HASHING; do sleep 0.02; done
      cat /proc/$!/comm
      kill -9 $!
      """)
    #expect(name.output == "rouse-bench\n", "\(name.errors)")
  }

  @Test("thresholds decide the status: 2 for worse, 3 for unknown if strict")
  func thresholds() throws {
    let scratch = try ScratchFolder()
    let file = scratch.file("bars.json")
    #expect(try bench(["check", "budget-window", "--write", file]).status == .exited(0))
    let text = try String(contentsOfFile: file, encoding: .utf8)
    func check(_ text: String, _ others: String...) throws -> RouseCommand.Result {
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      return try bench(["check", "--thresholds", file] + others)
    }
    #expect(try check(text).status == .exited(0))
    let lower = text.replacing(/"allocations" : [0-9][^,\n]*/, with: "\"allocations\" : 0")
    #expect(lower != text)
    let worse = try check(lower)
    #expect(worse.status == .exited(2))
    #expect(worse.output.contains("worse: budget-window: allocations: "), "\(worse.output)")
    let more = text.replacing(
      "\"allocations\" : ", with: "\"bytesPerEvent\" : 1, \"allocations\" : ")
    #expect(try check(more).status == .exited(0))
    #expect(try check(more, "--strict").status == .exited(3))
    #expect(try check("{}").status == .exited(1))
  }

  @Test("a build compared with itself is not slower, and its pairs are in the JSON")
  func compare() throws {
    let result = try bench([
      "compare", "this", BenchCommand.path, "backoff", "--rounds", "3", "--seconds", "0.2",
      "--seed", "5",
      "--json",
    ])
    #expect(result.status == .exited(0), "\(result.errors)")
    let comparison = try result.json()
    #expect(comparison["seed"]?.amount == 5)
    #expect(comparison["clock"]?.string == "processor")
    let backoff = try #require(comparison["results"]?.elements.first)
    // Three rounds can tell nothing.
    #expect(backoff["judgement"]?["verdict"]?.string == "inconclusive")
    let rounds = (backoff["pairs"]?.elements ?? []).compactMap { $0["round"]?.amount }
    #expect(Set(rounds) == [0, 1, 2])
    let strict = try bench([
      "compare", "this", "this", "backoff", "--rounds", "1", "--seconds", "0.1", "--strict",
    ])
    #expect(strict.status == .exited(3))
    let bad = try bench(["compare", "this", "no-such-revision", "backoff"])
    #expect(bad.status == .exited(1))
    #expect(bad.errors.contains("is neither a program's path nor a revision"), "\(bad.errors)")
    let other = try bench(["compare", "this", RouseCommand.path, "backoff"])
    #expect(other.status == .exited(1))
  }

  private static let hasValgrind = ["/usr/bin", "/usr/local/bin"].contains {
    FileManager.default.isExecutableFile(atPath: $0 + "/valgrind")
  }

  @Test("instructions repeat to a thousandth", .enabled(if: hasValgrind))
  func instructions() throws {
    let counts = try (0..<2).map { _ in
      let result = try bench(["run", "backoff", "--seconds", "0.01", "--instructions", "--json"])
      #expect(result.status == .exited(0), "\(result.errors)")
      let counters = try results(result.json()).first?["counters"]?.elements ?? []
      let counter = counters.first { $0["name"]?.string == "simulatedInstructions" }
      return try #require(counter?["value"]?.amount, "\(String(describing: counter))")
    }
    // A strike takes some tens of them, optimised; without its loop's body it would take none.
    #expect(counts[0] > 10)
    #expect(abs(counts[1] / counts[0] - 1) <= 0.001, "\(counts)")
  }

  @Test("the noise of a build is told")
  func noise() throws {
    let result = try bench([
      "noise", "backoff", "--rounds", "6", "--seconds", "0.2", "--seed", "1", "--json",
    ])
    #expect(result.status == .exited(0), "\(result.errors)")
    let report = try result.json()
    #expect(report["comparisons"]?.amount == 1)
    #expect(report["simulatedFalseAlarmRate"]?.amount ?? 2 <= 1)
    #expect(report["benchmarks"]?.elements.first?["name"]?.string == "backoff")
    // Its time is over after the fewest rounds.
    let short = try bench(["noise", "backoff", "--seconds", "0.01", "--json"])
    #expect(try short.json()["rounds"]?.amount == 10, "\(short.errors)")
  }
}

extension JSONValue {
  /// A number of either sort.
  fileprivate var amount: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }
}
