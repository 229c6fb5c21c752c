import Synchronization

/// All benchmarks, and the choice of some by filters.
enum Suites {
  private static let chosenScheduler = Mutex<(SchedulerChoice, [Benchmark])?>(nil)

  /// The scheduler under test that is measured; nil for Rouse's own.
  static var scheduler: SchedulerChoice? { chosenScheduler.withLock { $0?.0 } }

  /// Makes the benchmarks those of a scheduler under test, before any is asked for.
  static func measure(_ choice: SchedulerChoice) {
    chosenScheduler.withLock { $0 = (choice, HostedSuite.benchmarks(choice)) }
  }

  /// All benchmarks, in the order of listing and running.
  static var all: [Benchmark] { chosenScheduler.withLock { $0?.1 } ?? own }

  private static let own: [Benchmark] =
    CoalescerSuite.benchmarks + SchedulerSuite.benchmarks + CodecSuite.benchmarks
    + RecorderSuite.benchmarks
    + LookupSuite.benchmarks + ReplaySuite.benchmarks + GrowthSuite.benchmarks
    + DataSuite.benchmarks

  /// A choice of benchmarks.
  struct Choice {
    /// A benchmark is chosen if any of these is its name, one of its tags, or a prefix of its name that ends before a
    /// slash; all are chosen if there are no filters.
    var filters: [String] = []
    /// Benchmarks with these tags are excluded unless a filter is their full name or names the tag.
    var without: Set<Benchmark.Tag> = []

    /// The tags that exclude benchmarks.
    fileprivate var excluded: Set<Benchmark.Tag> {
      without.filter { !filters.contains($0.rawValue) }
    }

    func takes(_ benchmark: Benchmark) -> Bool {
      if filters.contains(benchmark.name) { return true }
      guard benchmark.tags.isDisjoint(with: excluded) else { return false }
      return filters.isEmpty
        || filters.contains { filter in
          benchmark.tags.contains { $0.rawValue == filter }
            || benchmark.name.hasPrefix(filter.hasSuffix("/") ? filter : filter + "/")
        }
    }
  }

  /// The chosen benchmarks; throws if a filter matches none, or if none is left.
  static func chosen(_ choice: Choice) throws -> [Benchmark] {
    for filter in choice.filters {
      guard all.contains(where: Choice(filters: [filter]).takes) else {
        throw BenchmarkFailure("no benchmark has the name or tag '\(filter)'; see rouse-bench list")
      }
    }
    let chosen = all.filter(choice.takes)
    guard chosen.isEmpty else { return chosen }
    let found = all.filter(Choice(filters: choice.filters).takes)
    let tags = choice.excluded.filter { tag in found.contains { $0.tags.contains(tag) } }
    throw BenchmarkFailure(
      "nothing is left of \(choice.filters.joined(separator: ", ")): by default this command leaves out "
        + "the tags \(tags.map(\.rawValue).sorted().joined(separator: ", ")), unless a filter names "
        + "the tag or the whole name of a benchmark")
  }

  /// The benchmark of a full name.
  static func named(_ name: String) -> Benchmark? { all.first { $0.name == name } }
}
