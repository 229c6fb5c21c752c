import CommandLineSupport
import WakeEvents
import WakeScheduling

/// The other parts of the scheduler, and the whole scheduler of one device.
enum SchedulerSuite {
  /// The type to which the apps subscribe.
  private static let metric = "com.example.metric"

  static let benchmarks: [Benchmark] =
    [backoff, timers(apps: 10), timers(apps: 1_000), window]
    + [1, 10, 1_000].map { wakes(apps: $0) } + [filters(apps: 1_000)]

  private static let backoff = Benchmark(
    "backoff", "strikes of an app, some answered", tags: [.micro, .short], unit: "strike"
  ) {
    let part = BackoffPart(.iOS)
    return .init(operations: 4_096) { iterations in
      var digest: UInt64 = 0
      for _ in 0..<iterations { digest = part.strike(count: 4_096) }
      return digest
    }
  }

  private static func timers(apps: Int) -> Benchmark {
    Benchmark(
      "timers/\(apps)", "the first of \(apps) apps' timers reset", tags: [.micro, .short],
      unit: "timer"
    ) {
      var part = TimerPart(apps: apps)
      return .init(operations: 16_384) { iterations in
        var digest: UInt64 = 0
        for _ in 0..<iterations { digest = part.turn(count: 16_384) }
        return digest
      }
    }
  }

  private static let window = Benchmark(
    "budget-window", "wakes charged to a budget of four an hour", tags: [.micro, .short],
    unit: "wake"
  ) {
    .init(operations: 16_384) { iterations in
      var digest: UInt64 = 0
      for _ in 0..<iterations {
        digest = WindowPart.charge(count: 16_384, limit: 4, window: 3_600)
      }
      return digest
    }
  }

  /// The scheduler with saves each of which wakes every app.
  private static func wakes(apps: Int) -> Benchmark {
    Benchmark(
      "scheduler/wakes/\(apps)", "saves each of which wakes \(apps) apps, which answer",
      tags: apps == 10 ? [.micro, .short] : [.micro], unit: "wake"
    ) {
      let symbols = Symbols()
      let type = symbols.types.intern(metric)
      let source = symbols.sources.intern("Watch")
      var columns = InputColumns()
      let count = max(16, 2_048 / apps)
      for row in 0..<count {
        columns.append(
          .save(Sample(type: type, source: source)),
          at: Timestamp(nanoseconds: 1_767_225_600_000_000_000 + Int64(row) * 2_000_000_000))
      }
      return try scheduling(columns, symbols, apps: apps, operations: count * apps)
    }
  }

  /// The scheduler with apps that each ask for saves of another source, and eight saves of each of these sources. The start
  /// of a query, which is part of it, is shared by eight saves.
  private static func filters(apps: Int) -> Benchmark {
    Benchmark(
      "scheduler/filters/\(apps)",
      "a query of each of \(apps) apps, and saves each of which matches one",
      tags: [.micro, .short],
      unit: "save"
    ) {
      let symbols = Symbols()
      let type = symbols.types.intern(metric)
      let query = symbols.queries.intern("query")
      var columns = InputColumns()
      let first = Int64(1_767_225_600_000_000_000)
      for app in 0..<apps {
        columns.append(
          .execute(
            app: symbols.apps.intern("com.example.app\(app)"), query: query, type: type,
            predicate: Predicate(source: symbols.sources.intern("source \(app)"))),
          at: Timestamp(nanoseconds: first))
      }
      let saves = 8 * apps
      for save in 0..<saves {
        let source = symbols.sources.intern("source \(save * 7 % apps)")
        columns.append(
          .save(Sample(type: type, source: source)),
          at: Timestamp(nanoseconds: first + Int64(save) * 2_000_000_000))
      }
      return try scheduling(columns, symbols, apps: apps, operations: saves)
    }
  }

  /// Schedules inputs again and again from the start, for apps that subscribe to one type and answer after a second.
  private static func scheduling(
    _ columns: InputColumns, _ symbols: Symbols, apps: Int, operations: Int
  ) throws -> Benchmark.Prepared {
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 1_000_000_000
    policy.subscriptions = (0..<apps).map {
      Policy.Subscription(app: "com.example.app\($0)", type: metric)
    }
    // The policy is resolved once, as this costs more than a few wakes of each app.
    let start = SchedulerCore(
      policy: policy, symbols: symbols, accelerations: try RunEnvironment.accelerations(for: "run"))
    return .init(operations: operations) { iterations in
      var digest: UInt64 = 0
      for _ in 0..<iterations {
        var scheduler = SchedulerCore(like: start, device: nil, hash: 0)
        // A sum of its own, as a `Scheduler` has.
        var hasher = WakeHasher(isShared: false)
        scheduler.take(columns, rows: 0..<columns.count, &hasher) { _, _ in }
        scheduler.close(&hasher) { _, _ in }
        digest = hasher.takeDigest()
      }
      return digest
    }
  }
}
