/// The sum of a hardware counter over the samples of a benchmark.
///
/// A processor has a limited number of counters, so a counter may not run in some samples. These samples and their
/// operations are not counted. If no sample remains, there is no value.
package struct CounterTally {
  /// What a counter has told since it was opened.
  package struct Reading {
    var count: UInt64
    /// The time for which the counter was requested.
    var enabled: UInt64
    /// The time for which it ran.
    var running: UInt64

    /// Makes a reading.
    package init(count: UInt64, enabled: UInt64, running: UInt64) {
      self.count = count
      self.enabled = enabled
      self.running = running
    }
  }

  private var count = 0.0
  private var operations = 0
  private var reason: String?

  /// Makes an empty tally.
  package init() {}

  /// Adds a sample of a number of operations, between two readings. If the counter ran for a part of the time, the count is
  /// scaled up in proportion.
  package mutating func note(_ end: Reading, since begin: Reading, operations: Int) {
    let running = end.running &- begin.running
    guard running > 0 else {
      return miss("the processor was busy with other counters")
    }
    let enabled = end.enabled &- begin.enabled
    count += Double(end.count &- begin.count) * (Double(enabled) / Double(running))
    self.operations += operations
  }

  /// Adds a sample that could not be counted.
  package mutating func miss(_ reason: String) {
    self.reason = reason
  }

  /// The counter for each operation; resets the tally for the next benchmark.
  package mutating func take(_ name: BenchmarkCounter.Name) -> BenchmarkCounter {
    defer { self = CounterTally() }
    guard operations > 0 else {
      return BenchmarkCounter(name, unavailable: reason ?? "nothing was counted")
    }
    return BenchmarkCounter(name, count / Double(operations))
  }
}
