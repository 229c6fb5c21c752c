import BenchmarkModel
import CommandLineSupport
import Foundation

/// `rouse-bench check`
enum CheckCommand: Command {
  static let specification = Specification.bench(
    "check", "Compare this build with thresholds or a baseline.", operands: "[FILTER…]",
    count: 0...(.max), values: [Specification.filters],
    discussion: """
      \(Specification.aboutFilters)
      Without --baseline or --thresholds, the thresholds are the project's files
      Benchmarks/Thresholds/*.json (see ROUSE_ROOT in rouse-bench --help). Digests, allocations and
      bytes an event are compared first, then instructions, then times. Times are compared only with a
      baseline of the same kind of machine, and only with a large tolerance; use compare for small
      changes.

      Metrics that cannot be measured, such as instructions without valgrind, are listed on standard
      error; with --strict they fail. Instructions are compared only with thresholds of the same
      compiler, configuration, architecture and compression, allocations with those of the same
      configuration, and bytes an event with those of the same compression. --instructions --write FILE
      writes new thresholds, unless a benchmark fails or is skipped.

      \(SchedulerChoice.help)
      Its thresholds have to be named, by --thresholds or --baseline.
      """,
    options: [
      .init("--baseline", value: "NAME", "A baseline, with its times."),
      .init("--folder", value: "FOLDER", "The folder of baselines (default .rouse-bench)."),
      .init("--thresholds", value: "FILE", repeats: true, "A file of thresholds (repeatable)."),
      .init("--instructions", "Also count instructions under Callgrind."),
      .init("--no-times", "Do not compare times."),
      .init(
        "--time-tolerance", value: "X", "Tolerated increase of times, a fraction (default 0.25)."),
      .init("--seconds", value: "N", "Seconds of samples for each benchmark (default 1)."),
      .init("--write", value: "FILE", "Write the measured values as a file of thresholds instead."),
      .init("--strict", "Exit with 3 if anything could not be measured or compared."),
      .init("--json", "Print the run as JSON, with the findings."),
    ] + SchedulerChoice.options)

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    guard !(arguments.has("--baseline") && arguments.has("--thresholds")) else {
      throw arguments.usage("--baseline and --thresholds exclude each other")
    }
    if arguments.has("--folder"), !arguments.has("--baseline"), !arguments.has("--write") {
      throw arguments.usage("--folder requires --baseline")
    }
    if let path = arguments.value("--write") {
      // Nothing is compared in this case.
      for option in [
        "--baseline", "--folder", "--thresholds", "--no-times", "--time-tolerance", "--seconds",
        "--strict", "--json",
      ] where arguments.has(option) {
        throw arguments.usage("--write and \(option) exclude each other")
      }
      return try write(path, arguments)
    }
    if Suites.scheduler != nil, !arguments.has("--baseline"), !arguments.has("--thresholds") {
      throw arguments.usage("--scheduler requires --thresholds or --baseline")
    }
    let bars = try bars(arguments)
    let gone = bars.benchmarks.keys.filter { Suites.named($0) == nil }.sorted()
    guard gone.isEmpty else {
      throw BenchmarkFailure(
        "thresholds name benchmarks that do not exist: \(gone.joined(separator: ", ")) (project \(Project.root))"
      )
    }
    let chosen = try Suites.chosen(.init(filters: arguments.operands))
    // If the user names benchmarks, those without a threshold are reported too.
    let benchmarks =
      arguments.operands.isEmpty
      ? chosen.filter { bars.benchmarks[$0.name] != nil } : chosen
    guard !benchmarks.isEmpty else { throw BenchmarkFailure("there is nothing to check") }
    let timed = bars.benchmarks.values.contains { $0.time != nil }
    let isSameMachine = bars.machine?.isLike(Surroundings.machine()) ?? true
    let run = try measure(benchmarks, arguments, isExact: !timed || !isSameMachine)
    let check = BenchmarkCheck(
      run, against: bars, countsInstructions: arguments.has("--instructions"),
      timeTolerance: try arguments.positive("--time-tolerance") ?? 0.25)
    let report = CheckReport(run: run, check: check)
    for line in report.unknown { Output.message("unknown: \(line)") }
    Output.print(arguments.has("--json") ? try RunFile.json(report) : report.text)
    guard !run.hasFailure else { return .failure }
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
      let bars = try RunFile.read(
        BenchmarkBars.self, try RunFile.data(file), of: file, kind: "file of thresholds")
      guard var merged = all else {
        all = bars
        continue
      }
      guard
        merged.compiler == bars.compiler, merged.architecture == bars.architecture,
        merged.configuration == bars.configuration, merged.compression == bars.compression,
        merged.tolerances == bars.tolerances
      else {
        throw BenchmarkFailure(
          "\(file): is of a different build than the others, or has different tolerances")
      }
      merged.benchmarks.merge(bars.benchmarks) { $1 }
      all = merged
    }
    guard let all else {
      let folder = Project.path("Benchmarks/Thresholds")
      throw BenchmarkFailure("there are no thresholds in \(folder)")
    }
    return all
  }

  private static func write(_ path: String, _ arguments: Arguments) throws -> ExitStatus {
    try OutputPath.refuse(path)
    // None of them may be skipped, so that nothing is missing unseen.
    let benchmarks = try Suites.chosen(.init(filters: arguments.operands, without: [.long]))
    let run = try measure(benchmarks, arguments, isExact: true)
    if let skip = run.skipped.first(where: { $0.isFailure == true }) ?? run.skipped.first {
      let what = skip.isFailure == true ? "failed" : "was skipped"
      throw BenchmarkFailure("\(path): not written, as \(skip.name) \(what): \(skip.reason)")
    }
    if arguments.has("--instructions") {
      for result in run.results {
        guard
          let counter = result.counters.first(where: { $0.name == .simulatedInstructions }),
          counter.value == nil
        else { continue }
        throw BenchmarkFailure(
          "\(path): not written, as instructions of \(result.name) were not counted: "
            + (counter.reason ?? "no reason recorded"))
      }
    }
    try OutputPath.write(try RunFile.json(BenchmarkBars(run, withTimes: false)), to: path)
    return .success
  }
}
