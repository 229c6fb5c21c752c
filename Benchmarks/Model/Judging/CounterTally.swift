/// What a counter of the processor came to over the samples of a benchmark.
///
/// A processor has fewer counters than may be asked of it, so that one may stand still in some samples.
/// Those do not count, and neither do their operations; only where none is left there is no value.
package struct CounterTally {
  private var count = 0.0
  private var operations = 0
  private var reason: String?

  /// Makes an empty tally.
  package init() {}

  /// Notes a sample of so many operations.
  ///
  /// - Parameters:
  ///   - enabled: How long the counter was asked for.
  ///   - running: How long it ran; the rest is made up for in proportion.
  package mutating func note(count: UInt64, enabled: UInt64, running: UInt64, operations: Int) {
    guard running > 0 else {
      return miss("the processor was busy with other counters")
    }
    self.count += Double(count) * (Double(enabled) / Double(running))
    self.operations += operations
  }

  /// Notes a sample that could not be counted.
  package mutating func miss(_ reason: String) {
    self.reason = reason
  }

  /// The counter of an operation, and the beginning of another benchmark.
  package mutating func take(_ name: BenchmarkCounter.Name) -> BenchmarkCounter {
    defer { self = CounterTally() }
    guard operations > 0 else {
      return BenchmarkCounter(name, unavailable: reason ?? "nothing was counted")
    }
    return BenchmarkCounter(name, count / Double(operations))
  }
}
