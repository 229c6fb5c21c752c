import BenchmarkModel
import CommandLineSupport
import Measurement

/// `rouse-bench noise`
enum NoiseCommand: Command {
  static let specification = Specification.bench(
    "noise", "Compare a build with itself: how often it errs here, and what it would see.",
    operands: "[FILTER…]", count: 0...(.max),
    discussion: """
      \(Specification.aboutFilters)
      This program is compared with itself, with the settings of compare. The rate of false alarms is
      counted over the comparisons made, and over many more made up of their rounds with before and
      after exchanged by chance. The smallest change seen is that which nine in ten such comparisons
      call slower when every round is made slower by it.
      """,
    options: CompareCommand.options.filter {
      !["--json", "--output", "--export", "--cache", "--strict"].contains($0.name)
    } + [
      .init("--comparisons", value: "N", "Comparisons to make (default 1)."),
      .init("--json", "Print the figures as JSON."),
    ])

  /// What the noise of a machine lets a comparison see.
  struct Report: Encodable {
    struct Benchmark: Encodable {
      var name: String
      /// The standard deviation of a round's logarithm, as a fraction.
      var roundDeviation: Double
      /// As a fraction; nil if not even the greatest change tried would be seen.
      var smallestChangeSeen: Double?
    }

    var seed: UInt64
    var rounds: Int
    var rule: JudgementRule
    var comparisons: Int
    /// Comparisons that called any benchmark slower or faster.
    var falseAlarms: Int
    /// The same among made-up comparisons, as a fraction.
    var simulatedFalseAlarmRate: Double
    var benchmarks: [Benchmark]
  }

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let benchmarks = try CompareCommand.benchmarks(arguments.operands)
    var settings = try CompareCommand.settings(arguments, benchmarks: benchmarks.count)
    let comparisons = try arguments.number("--comparisons", in: 1...10_000) ?? 1
    let seed = settings.seed
    let build = try BuildFinder(cache: RevisionCache(folder: "")).build("this")
    var roundRatios: [String: [Double]] = [:]
    var falseAlarms = 0
    var hasFailed = false
    for number in 0..<comparisons {
      settings.seed = seed &+ UInt64(number)
      let comparison = try Comparer.compare(
        build, build, benchmarks: benchmarks.map(\.name), settings)
      for result in comparison.results {
        roundRatios[result.name, default: []] += result.judgement.rounds
      }
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
      rounds: settings.rounds, seed: seed)
    let report = Report(
      seed: seed, rounds: settings.rounds, rule: settings.rule, comparisons: comparisons,
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
    var table = Table(["benchmark", "deviation of rounds", "smallest change seen"])
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
      seed \(report.seed): \(report.falseAlarms) called any benchmark slower or faster
      of simulated comparisons \(Quantity.percentage(report.simulatedFalseAlarmRate)) did \
      (error rate asked for: \(Quantity.percentage(report.rule.errorRate)), noise floor \
      \(Quantity.percentage(report.rule.noiseFloor)))

      """
  }
}
