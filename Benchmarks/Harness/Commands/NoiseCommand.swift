import BenchmarkModel
import CommandLineSupport
import Measurement

/// `rouse-bench noise`
enum NoiseCommand: Command {
  static let specification = Specification.bench(
    "noise", "Compare a build with itself: rate of false alarms, smallest detectable change.",
    operands: "[FILTER…]", count: 0...(.max), values: [Specification.filters],
    discussion: """
      \(Specification.aboutFilters)
      This program, or the library of --scheduler, is compared with itself, with the settings of compare. The rate of false alarms is
      counted over these comparisons, and over many simulated ones: their rounds, resampled with before
      and after exchanged at random. The smallest detectable change is the one that nine in ten simulated
      comparisons report as slower if every round is slowed down by it.
      """,
    options: CompareCommand.options.filter {
      !["--json", "--output", "--export", "--cache", "--strict"].contains($0.name)
    } + [
      .init("--comparisons", value: "N", "The number of comparisons (default 1)."),
      .init("--json", "Print the figures as JSON."),
    ])

  /// The noise of a machine and the changes that a comparison detects.
  struct Report: Encodable {
    struct Benchmark: Encodable {
      var name: String
      /// The standard deviation of a round's logarithm, as a fraction.
      var roundDeviation: Double
      /// The smallest detectable change as a fraction; nil if the greatest one tried is not detected.
      var smallestChangeSeen: Double?
    }

    var seed: UInt64
    /// The rounds of a comparison, the fewest if they differ.
    var rounds: Int
    var rule: JudgementRule
    var comparisons: Int
    /// Comparisons that reported any benchmark as slower or faster.
    var falseAlarms: Int
    /// The same among simulated comparisons, as a fraction.
    var simulatedFalseAlarmRate: Double
    var benchmarks: [Benchmark]
  }

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let benchmarks = try CompareCommand.benchmarks(arguments.operands)
    var settings = try CompareCommand.settings(arguments, benchmarks: benchmarks.count)
    let comparisons = try arguments.number("--comparisons", in: 1...10_000) ?? 1
    let seed = settings.seed
    if let scheduler = Suites.scheduler { try scheduler.refuse() }
    let build =
      try Suites.scheduler.map { try Comparer.Build($0) }
      ?? BuildFinder(cache: RevisionCache(folder: "")).build("this")
    var roundRatios: [String: [Double]] = [:]
    // The fewest of a comparison: it ends when its time is over.
    var rounds = settings.rounds
    var falseAlarms = 0
    var hasFailed = false
    for number in 0..<comparisons {
      settings.seed = seed &+ UInt64(number)
      let comparison = try Comparer.compare(
        build, build, benchmarks: benchmarks.map(\.name), settings)
      for result in comparison.results {
        roundRatios[result.name, default: []] += result.judgement.rounds
      }
      let most = comparison.results.map(\.judgement.rounds.count).max()
      rounds = min(rounds, most ?? rounds)
      hasFailed = hasFailed || comparison.hasFailure
      let called = comparison.results.filter {
        [.slower, .faster].contains($0.judgement.verdict)
      }
      falseAlarms += called.isEmpty ? 0 : 1
      if comparisons > 1 {
        let names = called.map { "\($0.name) \(ReportText.change($0.judgement.ratio))" }
        Output.message(
          "comparison \(number + 1) of \(comparisons): "
            + (names.isEmpty ? "no false alarm" : "FALSE ALARM: \(names.joined(separator: ", "))"))
      }
    }
    let names = benchmarks.map(\.name).filter { roundRatios[$0] != nil }
    guard !names.isEmpty else { throw BenchmarkFailure("nothing could be compared") }
    let noise = NoiseEstimate(
      rule: settings.rule, roundRatios: names.map { roundRatios[$0] ?? [] },
      rounds: rounds, seed: seed)
    let report = Report(
      seed: seed, rounds: rounds, rule: settings.rule, comparisons: comparisons,
      falseAlarms: falseAlarms, simulatedFalseAlarmRate: noise.falseAlarmRate,
      benchmarks: names.enumerated().map { place, name in
        .init(
          name: name, roundDeviation: noise.deviations[place],
          smallestChangeSeen: noise.smallestChanges[place])
      })
    Output.print(arguments.has("--json") ? try RunFile.json(report) : text(report))
    return hasFailed ? .failure : .success
  }

  private static func text(_ report: Report) -> String {
    var table = Table(["benchmark", "deviation of rounds", "smallest detectable change"])
    for benchmark in report.benchmarks {
      table.append([
        benchmark.name, Quantity.percentage(benchmark.roundDeviation),
        benchmark.smallestChangeSeen.map(Quantity.percentage) ?? "none up to 50 %",
      ])
    }
    return """
      \(RunReport.machine(Surroundings.machine()))
      \(table.text)
      \(report.comparisons) comparisons of this build with itself, \(report.rounds) rounds each, \
      seed \(report.seed): \(report.falseAlarms) reported any benchmark as slower or faster
      simulated comparisons: \(Quantity.percentage(report.simulatedFalseAlarmRate)) did \
      (requested error rate \(Quantity.percentage(report.rule.errorRate)), noise floor \
      \(Quantity.percentage(report.rule.noiseFloor)))

      """
  }
}
