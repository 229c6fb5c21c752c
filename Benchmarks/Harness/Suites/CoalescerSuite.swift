import WakeEvents
import WakeScheduling

/// The coalescer by itself: what a save costs with 1, 10 and 1,000 subscriptions on its type.
enum CoalescerSuite {
  private static let types = 8

  static let benchmarks: [Benchmark] =
    [1, 10, 1_000].map { quiet(subscriptions: $0) }
    + [1, 10, 1_000].map { busy(subscriptions: $0) }

  /// Saves that only add one to a count.
  private static func quiet(subscriptions: Int) -> Benchmark {
    Benchmark(
      "coalescer/quiet/\(subscriptions)",
      "saves that only count, \(subscriptions) subscriptions on each type",
      tags: subscriptions == 10 ? [.micro, .short] : [.micro], unit: "event"
    ) {
      var part = CountingPart(
        types: saves(count: 65_536).types, subscriptionsOnEach: subscriptions)
      return .init(operations: part.count) { iterations in
        var digest: UInt64 = 0
        for _ in 0..<iterations { digest = part.measure() }
        return digest
      }
    }
  }

  /// Saves each of which wakes for every subscription on its type.
  private static func busy(subscriptions: Int) -> Benchmark {
    Benchmark(
      "coalescer/busy/\(subscriptions)",
      "saves that wake, \(subscriptions) subscriptions on each type",
      tags: subscriptions == 10 ? [.micro, .short] : [.micro], unit: "wake"
    ) {
      let columns = saves(count: max(8, 8_192 / subscriptions))
      var part = CarryingPart(types: types, subscriptionsOnEach: subscriptions)
      return .init(operations: columns.count * subscriptions) { iterations in
        var digest: UInt64 = 0
        for _ in 0..<iterations { digest = part.wake(columns) }
        return digest
      }
    }
  }

  /// Saves of all types in turn and at random, a millisecond apart.
  private static func saves(count: Int) -> InputColumns {
    var columns = InputColumns()
    var random: UInt64 = 42
    for row in 0..<count {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let type = SampleType(index: UInt32(random >> 61))
      columns.append(
        .save(Sample(type: type, source: Source(index: 0))),
        at: Timestamp(nanoseconds: 1_767_225_600_000_000_000 + Int64(row) * 1_000_000))
    }
    return columns
  }
}
