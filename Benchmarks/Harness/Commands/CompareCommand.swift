import BenchmarkModel
import CommandLineSupport
import Foundation

/// `rouse-bench compare`
enum CompareCommand: Command {
  static let specification = Specification.bench(
    "compare", "Compare the speed of two builds, or of two schedulers.",
    operands: "BEFORE AFTER [FILTER…]", count: 1...(.max),
    values: [.file, .file, Specification.filters],
    discussion: """
      BEFORE and AFTER are programs (paths of rouse-bench), revisions of the project (see ROUSE_ROOT in
      rouse-bench --help), which are built in worktrees, or 'this', the program that runs.

      The layout of a program in memory changes the speed of its parts by several percent. Two programs
      have one layout each, so the noise floor is 10 %, unless they are the same program. Revisions are
      linked in several layouts, so it is 2 %. Their builds are stored; 'rouse-bench cache clear'
      deletes them.

      compare --scheduler BEFORE AFTER compares two schedulers instead, each a shared library behind
      rouse_scheduler.h, on the benchmarks that 'rouse-bench list --scheduler BEFORE' lists and on each
      --trace. The noise floor is 0.5 %, and there are 40 rounds. They need not keep the rules: where
      one wakes differently, the report tells both digests and both numbers of wakes. Each runs in a
      process of its own: a crash, a call that does not return and what no scheduler may do fail one
      benchmark, and the others are compared.

      \(Specification.aboutFilters)
      Without a filter, all are compared except scaling, long and data.

      Both builds run in turn, sample by sample, in random ABBA order. A round is a new process of each
      build; the median ratio of its pairs is one value. A benchmark is reported as slower or faster if
      an exact signed-rank test of these values finds their centre beyond the noise floor, at an error
      rate for all benchmarks together (Holm); as same if the interval of the centre is within 3 %,
      for schedulers 1 %, or within the noise floor if that is greater; otherwise as inconclusive. Times
      are processor times.

      A benchmark of Rouse whose digests differ between the builds, or are wrong, gets no verdict, and
      the exit status is 1. It is also 1 if a benchmark failed or nothing could be compared.
      """,
    options: options)

  static let options: [Specification.Option] =
    [
      .init("--json", "Print the comparison as JSON, with every pair.")
    ] + ExportRequests.options + [
      .init(
        "--seconds", value: "N",
        "Seconds in total (default 120, or 40 for one benchmark); more where 10 rounds take longer."
      ),
      .init("--rounds", value: "N", "Rounds: processes of each build (default 20, see above)."),
      .init("--noise-floor", value: "X", "Changes up to this fraction count as noise (see above)."),
      .init("--error-rate", value: "X", "Greatest probability of a wrong verdict (default 0.05)."),
      .init("--wall-time", "Compare elapsed times instead of processor times."),
      .init("--seed", value: "N", "Seed of the random order (default: random)."),
      CacheCommand.option,
      .init("--strict", "Exit with 3 if anything is inconclusive."),
    ]
    + SchedulerChoice.options

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    if let scheduler = Suites.scheduler { return try compare(scheduler, arguments) }
    guard arguments.operands.count >= 2 else {
      throw arguments.usage(
        "too few arguments; usage: rouse-bench compare \(specification.operands)")
    }
    let exports = try ExportRequests(arguments, for: .comparison)
    let finder = BuildFinder(cache: CacheCommand.cache(arguments))
    let benchmarks = try benchmarks(Array(arguments.operands.dropFirst(2)))
    var settings = try settings(arguments, benchmarks: benchmarks.count)
    for word in arguments.operands.prefix(2) { try finder.refuse(word) }
    let before = try finder.build(arguments.operands[0])
    let after = try finder.build(arguments.operands[1])
    let differsByLayout = before.mayDifferByLayout(from: after)
    if differsByLayout, !arguments.has("--noise-floor") {
      settings.rule = settings.rule.withNoiseFloor(JudgementRule.singleLayoutFloor)
    }
    var comparison = try Comparer.compare(
      before, after, benchmarks: benchmarks.map(\.name), settings)
    if differsByLayout { comparison.caveats = [aboutLayout] + (comparison.caveats ?? []) }
    return try report(comparison, exports, arguments)
  }

  /// Compares two schedulers under test: `compare --scheduler BEFORE AFTER [FILTER…]`.
  private static func compare(
    _ scheduler: SchedulerChoice, _ arguments: Arguments
  ) throws -> ExitStatus {
    let exports = try ExportRequests(arguments, for: .comparison)
    var other = scheduler
    other.library = arguments.operands[0]
    for choice in [scheduler, other] { try choice.refuse() }
    let benchmarks = try benchmarks(Array(arguments.operands.dropFirst()))
    let settings = try settings(arguments, benchmarks: benchmarks.count)
    var comparison = try Comparer.compare(
      Comparer.Build(scheduler), Comparer.Build(other), benchmarks: benchmarks.map(\.name), settings
    )
    comparison.caveats = [aboutLibraries] + (comparison.caveats ?? [])
    return try report(comparison, exports, arguments)
  }

  /// Prints and exports a comparison.
  private static func report(
    _ comparison: BenchmarkComparison, _ exports: ExportRequests, _ arguments: Arguments
  ) throws -> ExitStatus {
    if comparison.results.isEmpty { Output.message("nothing could be compared") }
    let isWritten = exports.tell(
      arguments.has("--json") ? try RunFile.json(comparison) : ComparisonReport.text(comparison),
      comparison.results.isEmpty ? nil : ExportSubject(comparison: comparison))
    guard isWritten, !comparison.hasFailure, !comparison.results.isEmpty else { return .failure }
    let verdicts = comparison.results.map(\.judgement.verdict)
    if verdicts.contains(.slower) { return .regression }
    let isUnclear = verdicts.contains(.inconclusive) || !comparison.skipped.isEmpty
    return isUnclear && arguments.has("--strict") ? .inconclusive : .success
  }

  private static let aboutLibraries = """
    These are the times of two libraries as they are linked: the positions of functions in them can \
    change times by a few percent, too.
    """

  private static let aboutLayout = """
    Layout is not averaged: the positions of functions in these programs can change times by several \
    percent. Compare revisions to detect small changes.
    """

  /// The benchmarks that are compared.
  static func benchmarks(_ filters: [String]) throws -> [Benchmark] {
    try Suites.chosen(.init(filters: filters, without: [.scaling, .long, .data]))
  }

  static func settings(_ arguments: Arguments, benchmarks: Int) throws -> Comparer.Settings {
    var settings = Comparer.Settings()
    settings.seconds = try arguments.seconds() ?? (benchmarks == 1 ? 40 : 120)
    if Suites.scheduler != nil {
      settings.rule = .schedulers
      settings.rounds = 40
    }
    if let rounds = try arguments.number("--rounds", in: 1...1_000) {
      (settings.rounds, settings.fewestRounds) = (rounds, rounds)
    }
    if let floor = try arguments.fraction("--noise-floor") {
      settings.rule = settings.rule.withNoiseFloor(floor)
    }
    if let rate = try arguments.fraction("--error-rate") { settings.rule.errorRate = rate }
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
