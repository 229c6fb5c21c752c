import CommandLineSupport
import WakeEvents
import WakeScheduling

/// The coalescer: the cost of a save with 1, 10 and 1,000 subscriptions on its type.
enum CoalescerSuite {
  private static let types = 8

  static let benchmarks: [Benchmark] =
    [1, 10, 1_000].map { quiet(subscriptions: $0) }
    + [1, 10, 1_000].map { busy(subscriptions: $0) }
    + [busy(subscriptions: 10, tellsAll: true)]

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
  ///
  /// - Parameter tellsAll: Whether each wake is reported when it begins and ends, instead of being counted.
  private static func busy(subscriptions: Int, tellsAll: Bool = false) -> Benchmark {
    Benchmark(
      "coalescer/\(tellsAll ? "told" : "busy")/\(subscriptions)",
      "saves that wake, \(subscriptions) subscriptions on each type"
        + (tellsAll ? ", each wake reported" : ""),
      tags: subscriptions == 10 ? [.micro, .short] : [.micro], unit: "wake"
    ) {
      let columns = saves(count: max(32, 8_192 / subscriptions))
      var part = try WakingPart(
        types: types, subscriptionsOnEach: subscriptions, tellsAll: tellsAll)
      _ = part.wake(columns)
      guard part.wakes == columns.count * subscriptions else {
        throw BenchmarkFailure("\(columns.count) saves give \(part.wakes) wakes")
      }
      return .init(operations: columns.count * subscriptions) { iterations in
        var digest: UInt64 = 0
        for _ in 0..<iterations { digest = part.wake(columns) }
        return digest
      }
    }
  }

  /// Saves of random types, a millisecond apart.
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

/// The scheduler with a number of subscriptions on each of a few types. Apps answer before the next save, so that each
/// save causes a wake for every subscription on its type.
private struct WakingPart: ~Copyable {
  private var start: SchedulerCore
  private var scheduler: SchedulerCore
  private var hasher = WakeHasher()
  /// The number of wakes of the last call.
  private(set) var wakes = 0

  init(types: Int, subscriptionsOnEach: Int, tellsAll: Bool) throws {
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 500_000
    // Successive apps differ in a subscription without saves, so that no two are scheduled as a cohort.
    policy.subscriptions = (0..<subscriptionsOnEach).flatMap { app in
      (0..<types + app % 2).map { Policy.Subscription(app: "app \(app)", type: "type \($0)") }
    }
    let symbols = Symbols()
    // Their indices are those in the columns.
    for type in 0..<types { _ = symbols.types.intern("type \(type)") }
    start = SchedulerCore(
      policy: policy, symbols: symbols,
      accelerations: try RunEnvironment.accelerations(for: "run"))
    // A caller that only counts wakes needs no reports of their ends.
    start.reportsEnds = tellsAll
    scheduler = SchedulerCore(like: start, device: nil, hash: 0)
  }

  /// Takes the saves; returns a digest of the wakes and their number.
  mutating func wake(_ columns: borrowing InputColumns) -> UInt64 {
    scheduler.restart(like: start, device: nil, hash: 0)
    var wakes = 0
    scheduler.take(columns, rows: 0..<columns.count, &hasher) { phase, wake in
      wakes += phase == .began ? wake.count : 0
    }
    scheduler.close(&hasher) { _, _ in }
    var hash = WakeHash()
    hash.combine(hasher.takeDigest())
    hash.combine(UInt64(wakes))
    self.wakes = wakes
    return hash.value
  }
}
