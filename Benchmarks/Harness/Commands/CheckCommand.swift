import CommandLineSupport
import Foundation
import Measurement

/// `rouse-bench check`
enum CheckCommand: Command {
  static let specification = Specification.bench(
    "check", "Hold this build against thresholds or a baseline.", operands: "[FILTER…]",
    count: 0...(.max),
    discussion: """
      \(Specification.aboutFilters)
      Without --baseline or --thresholds, the files Benchmarks/Thresholds/*.json are taken. Digests,
      allocations and bytes an event come first, then instructions, then times. Times are only held
      against a baseline; as it was measured at another time, only much longer ones are called worse:
      compare is the way to see small changes.
      """,
    options: [
      .init("--baseline", value: "NAME", "A baseline, with its times."),
      .init("--folder", value: "FOLDER", "Where baselines are (default .rouse-bench)."),
      .init("--thresholds", value: "FILE", repeats: true, "A file of thresholds (repeatable)."),
      .init("--instructions", "Count instructions under Callgrind too."),
      .init("--no-times", "Leave times out."),
      .init("--time-tolerance", value: "X", "Longer times tolerated, a fraction (default 0.25)."),
      .init("--seconds", value: "N", "Seconds of samples for each benchmark (default 1)."),
      .init("--write", value: "FILE", "Write what was found as a file of thresholds instead."),
      .init("--strict", "Exit with 3 if anything cannot be told."),
      .init("--json", "Print the run as JSON."),
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    guard !(arguments.has("--baseline") && arguments.has("--thresholds")) else {
      throw arguments.usage("--baseline and --thresholds exclude each other")
    }
    if let path = arguments.value("--write") { return try write(path, arguments) }
    let bars = try bars(arguments)
    let gone = bars.benchmarks.keys.filter { Suites.named($0) == nil }.sorted()
    guard gone.isEmpty else {
      throw BenchmarkFailure(
        "there is a bar, but no benchmark: \(gone.joined(separator: ", "))")
    }
    let hasTimes = bars.benchmarks.values.contains { $0.time != nil }
    let benchmarks = try Suites.chosen(.init(filters: arguments.operands))
      .filter { bars.benchmarks[$0.name] != nil || arguments.operands.contains($0.name) }
    guard !benchmarks.isEmpty else { throw BenchmarkFailure("there is nothing to check") }
    let run = try measure(benchmarks, arguments, isExact: !hasTimes)
    let check = BenchmarkCheck(
      run, against: bars, countsInstructions: arguments.has("--instructions"),
      timeTolerance: try arguments.positive("--time-tolerance") ?? 0.25)
    Output.print(arguments.has("--json") ? try RunFile.json(run) : text(check))
    if check.hasRegression { return .regression }
    return check.hasUnknown && arguments.has("--strict") ? .inconclusive : .success
  }

  private static func measure(
    _ benchmarks: [Benchmark], _ arguments: Arguments, isExact: Bool
  ) throws -> BenchmarkRun {
    var settings = Measurer.Settings()
    if let seconds = try arguments.seconds() { settings.seconds = seconds }
    settings.isExact = isExact
    return try RunCommand.measure(
      benchmarks, settings, countsInstructions: arguments.has("--instructions"))
  }

  private static func bars(_ arguments: Arguments) throws -> BenchmarkBars {
    if let name = arguments.value("--baseline") {
      let store = BaselineStore(folder: arguments.value("--folder") ?? BaselineStore.defaultFolder)
      return BenchmarkBars(try store.read(name), withTimes: !arguments.has("--no-times"))
    }
    var files = arguments.all("--thresholds")
    if files.isEmpty {
      let folder = Project.path("Benchmarks/Thresholds")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      files = names.filter { $0.hasSuffix(".json") }.sorted().map { "\(folder)/\($0)" }
    }
    var all: BenchmarkBars?
    for file in files {
      let bars = try RunFile.read(BenchmarkBars.self, file, kind: "file of thresholds")
      guard bars.schemaVersion == BenchmarkRun.schemaVersion else {
        throw BenchmarkFailure("\(file): schema version \(bars.schemaVersion) is not known here")
      }
      guard var merged = all else {
        all = bars
        continue
      }
      guard merged.compiler == bars.compiler, merged.tolerances == bars.tolerances else {
        throw BenchmarkFailure("\(file): has another compiler or other tolerances than the others")
      }
      merged.benchmarks.merge(bars.benchmarks) { $1 }
      all = merged
    }
    guard let all else { throw BenchmarkFailure("there are no thresholds") }
    return all
  }

  private static func write(_ path: String, _ arguments: Arguments) throws -> ExitStatus {
    let benchmarks = try Suites.chosen(.init(filters: arguments.operands, without: [.long]))
    let run = try measure(benchmarks, arguments, isExact: true)
    try RunFile.write(try RunFile.json(BenchmarkBars(run, withTimes: false)), to: path)
    return .success
  }

  private static func text(_ check: BenchmarkCheck) -> String {
    let told = check.findings.filter { $0.outcome != .fine }.map {
      "\(word($0.outcome)): \($0.benchmark): \($0.what): \($0.message)\n"
    }
    let counts = [BenchmarkCheck.Outcome.fine, .better, .regression, .unknown].map { outcome in
      "\(check.findings.count { $0.outcome == outcome }) \(word(outcome))"
    }
    return told.joined() + counts.joined(separator: ", ") + "\n"
  }

  private static func word(_ outcome: BenchmarkCheck.Outcome) -> String {
    switch outcome {
    case .fine: "fine"
    case .better: "better than its bar"
    case .regression: "worse"
    case .unknown: "cannot tell"
    }
  }
}
