/// All benchmarks, and how some of them are chosen.
enum Suites {
  /// In the order in which they are listed and run.
  static let all: [Benchmark] =
    CoalescerSuite.benchmarks + SchedulerSuite.benchmarks + CodecSuite.benchmarks
    + RecorderSuite.benchmarks
    + LookupSuite.benchmarks + ReplaySuite.benchmarks + GrowthSuite.benchmarks
    + DataSuite.benchmarks

  /// What benchmarks to take.
  struct Choice {
    /// A benchmark is taken when any of these is its name, one of its tags, or the beginning of its
    /// name up to a slash; with none, all are.
    var filters: [String] = []
    /// Left out, unless their whole name is a filter.
    var without: Set<Benchmark.Tag> = []

    func takes(_ benchmark: Benchmark) -> Bool {
      if filters.contains(benchmark.name) { return true }
      guard benchmark.tags.isDisjoint(with: without) else { return false }
      return filters.isEmpty
        || filters.contains { filter in
          benchmark.tags.contains { $0.rawValue == filter }
            || benchmark.name.hasPrefix(filter.hasSuffix("/") ? filter : filter + "/")
        }
    }
  }

  /// The benchmarks that a choice takes; throws if a filter takes none.
  static func chosen(_ choice: Choice) throws -> [Benchmark] {
    for filter in choice.filters {
      guard all.contains(where: Choice(filters: [filter]).takes) else {
        throw BenchmarkFailure("no benchmark is called or tagged '\(filter)'; see rouse-bench list")
      }
    }
    return all.filter(choice.takes)
  }

  /// A benchmark by its whole name.
  static func named(_ name: String) -> Benchmark? { all.first { $0.name == name } }
}
