import BenchmarkModel
import CommandLineSupport
import Foundation

/// `rouse-bench compare`
enum CompareCommand: Command {
  static let specification = Specification.bench(
    "compare", "Compare the speed of two builds.",
    operands: "BEFORE AFTER [FILTER…]", count: 2...(.max),
    discussion: """
      BEFORE and AFTER are programs (paths of rouse-bench), revisions of the project (see ROUSE_ROOT in
      rouse-bench --help), which are built in worktrees, or 'this', the program that runs.

      The layout of a program in memory changes the speed of its parts by several percent. Two programs
      have one layout each, so the noise floor is 10 %, unless they are the same program. Revisions are
      linked in several layouts, so it is 2 %. Their builds are stored; 'rouse-bench cache clear'
      deletes them.

      \(Specification.aboutFilters)
      Without a filter, all are compared except scaling, long and data.

      Both builds run in turn, sample by sample, in random ABBA order. A round is a new process of each
      build; the median ratio of its pairs is one value. A benchmark is reported as slower or faster if
      a sign test of these values finds their median beyond the noise floor, at an error rate for all
      benchmarks together (Holm); as same if the exact interval of the median is within 3 %; otherwise
      as inconclusive. Times are processor times.

      A benchmark whose digests differ between the builds, or are wrong, gets no verdict, and the exit
      status is 1. It is also 1 if nothing could be compared.
      """,
    options: options)

  static let options: [Specification.Option] =
    [
      .init("--json", "Print the comparison as JSON, with every pair.")
    ] + ExportRequests.options + [
      .init("--seconds", value: "N", "Seconds in total (default 120, or 40 for one benchmark)."),
      .init("--rounds", value: "N", "Rounds: processes of each build (default 20)."),
      .init("--noise-floor", value: "X", "Changes up to this fraction count as noise (see above)."),
      .init("--error-rate", value: "X", "Greatest probability of a wrong verdict (default 0.05)."),
      .init("--wall-time", "Compare elapsed times instead of processor times."),
      .init("--seed", value: "N", "Seed of the random order (default: random)."),
      CacheCommand.option,
      .init("--strict", "Exit with 3 if anything is inconclusive."),
    ]

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let exports = try ExportRequests(arguments, for: .comparison)
    let finder = BuildFinder(cache: CacheCommand.cache(arguments))
    let benchmarks = try benchmarks(Array(arguments.operands.dropFirst(2)))
    var settings = try settings(arguments, benchmarks: benchmarks.count)
    for word in arguments.operands.prefix(2) { try finder.refuse(word) }
    let before = try finder.build(arguments.operands[0])
    let after = try finder.build(arguments.operands[1])
    let differsByLayout = before.mayDifferByLayout(from: after)
    if differsByLayout, !arguments.has("--noise-floor") {
      settings.rule.noiseFloor = JudgementRule.singleLayoutFloor
    }
    var comparison = try Comparer.compare(
      before, after, benchmarks: benchmarks.map(\.name), settings)
    if differsByLayout { comparison.caveats = [aboutLayout] + (comparison.caveats ?? []) }
    try exports.write(ExportSubject(comparison: comparison))
    Output.print(
      arguments.has("--json") ? try RunFile.json(comparison) : ComparisonReport.text(comparison))
    if comparison.results.isEmpty { Output.message("nothing could be compared") }
    guard !comparison.hasFailure, !comparison.results.isEmpty else { return .failure }
    let verdicts = comparison.results.map(\.judgement.verdict)
    if verdicts.contains(.slower) { return .regression }
    let isUnclear = verdicts.contains(.inconclusive) || !comparison.skipped.isEmpty
    return isUnclear && arguments.has("--strict") ? .inconclusive : .success
  }

  private static let aboutLayout = """
    Layout is not averaged: the positions of functions in these programs can change times by several \
    percent. Compare revisions to detect small changes.
    """

  /// The benchmarks that are compared.
  static func benchmarks(_ filters: [String]) throws -> [Benchmark] {
    let without: Set<Benchmark.Tag> = [.scaling, .long, .data]
    // A filter that names such a tag includes it.
    let asked = Set(filters.compactMap(Benchmark.Tag.init(rawValue:)))
    return try Suites.chosen(.init(filters: filters, without: without.subtracting(asked)))
  }

  static func settings(_ arguments: Arguments, benchmarks: Int) throws -> Comparer.Settings {
    var settings = Comparer.Settings()
    settings.seconds = try arguments.seconds() ?? (benchmarks == 1 ? 40 : 120)
    settings.rounds = try arguments.number("--rounds", in: 1...10_000) ?? settings.rounds
    if let floor = try arguments.fraction("--noise-floor") { settings.rule.noiseFloor = floor }
    if let rate = try arguments.fraction("--error-rate") { settings.rule.errorRate = rate }
    settings.rule.sameWithin = max(settings.rule.sameWithin, settings.rule.noiseFloor)
    if arguments.has("--wall-time") { settings.clock = .wall }
    if let text = arguments.value("--seed") {
      guard let seed = UInt64(text) else {
        throw arguments.usage("--seed: '\(text)' is not a whole number from 0")
      }
      settings.seed = seed
    } else {
      settings.seed = UInt64.random(in: 0..<1_000_000_000)
    }
    return settings
  }
}
