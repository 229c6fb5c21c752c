import BenchmarkModel
import Foundation
import WakeCases
import WakeEvents
import WakeHosting
import WakeImport
import WakeReplay
import WakeScheduling
import WakeTrace

/// The benchmarks of a scheduler under test: inputs in memory, golden and generated traces, and traces of the user's.
///
/// A scheduler need not keep the rules, so its results need only repeat.
struct HostedSuite {
  private let choice: SchedulerChoice

  /// The benchmarks of a choice, in the order of listing and running.
  static func benchmarks(_ choice: SchedulerChoice) -> [Benchmark] {
    let suite = HostedSuite(choice: choice)
    var all = [1, 10, 1_000].map { suite.quiet(apps: $0) }
    all += [1, 10, 100].map { suite.wakes(apps: $0) }
    all += [suite.types(100), suite.predicates(10), suite.mix(seeds: 8)]
    all += ReplaySuite.goldenTraces.map { suite.golden($0.name, tags: $0.tags) }
    all += choice.traces.map { suite.own($0) }
    all += [10, 100, 1_000].map { suite.growth(apps: $0) }
    all += [10_000, 100_000, 1_000_000].map { suite.events($0) }
    return all
  }

  private func benchmark(
    _ name: String, _ summary: String, tags: Set<Benchmark.Tag>,
    prepare: @escaping @Sendable (SchedulerLibrary) throws -> Benchmark.Prepared
  ) -> Benchmark {
    let path = choice.library
    var benchmark = Benchmark(name, summary, tags: tags, unit: "event") {
      try prepare(try SchedulerLibrary(path: path))
    }
    benchmark.hasOwnResult = true
    return benchmark
  }

  // MARK: Inputs in memory

  private func inMemory(
    _ name: String, _ summary: String, tags: Set<Benchmark.Tag> = [.micro],
    _ make: @escaping @Sendable () -> (events: [Event], policy: Policy, symbols: Symbols)
  ) -> Benchmark {
    benchmark(name, summary, tags: tags) { library in
      let made = make()
      let inputs = try HostedInputs(
        made.events, policy: made.policy, symbols: made.symbols, on: library, name: name)
      var prepared = Benchmark.Prepared(operations: inputs.count) { iterations in
        var digest: UInt64 = 0
        for _ in 0..<iterations { digest = try inputs.run() }
        return digest
      }
      prepared.wakes = { inputs.wakes }
      return prepared
    }
  }

  /// Saves that only count: each app has been woken for its type within the hour.
  private func quiet(apps: Int) -> Benchmark {
    inMemory(
      "scheduler/quiet/\(apps)", "saves that wake nobody, \(apps) apps on their type",
      tags: apps == 10 ? [.micro, .short] : [.micro]
    ) {
      Self.saves(max(32, 8_192 / apps), gap: 1_000_000, apps: apps, types: 1, .hourly)
    }
  }

  /// Saves each of which wakes every app.
  private func wakes(apps: Int) -> Benchmark {
    inMemory(
      "scheduler/wakes/\(apps)", "saves each of which wakes \(apps) apps, which answer",
      tags: apps == 10 ? [.micro, .short] : [.micro]
    ) {
      Self.saves(max(4, 1_024 / apps), gap: 2_000_000_000, apps: apps, types: 1, .immediate)
    }
  }

  /// Saves of many types in turn, to which one app subscribes.
  private func types(_ count: Int) -> Benchmark {
    inMemory("scheduler/types/\(count)", "one app on \(count) types, saves of all of them") {
      Self.saves(2_048, gap: 300_000_000, apps: 1, types: count, .hourly)
    }
  }

  /// Apps on a type of their own each, which is saved now and then.
  private func growth(apps: Int) -> Benchmark {
    var benchmark = inMemory(
      "scheduler/apps/\(apps)", "\(apps) apps, each on a type of its own", tags: [.micro, .scaling]
    ) {
      Self.saves(1_024, gap: 500_000_000, apps: apps, types: apps, .immediate, oneEach: true)
    }
    benchmark.place = .init(curve: "scheduler/apps", variable: "apps", size: apps)
    return benchmark
  }

  /// Saves with values, and apps whose queries take some of them.
  private func predicates(_ apps: Int) -> Benchmark {
    inMemory(
      "scheduler/predicates/\(apps)", "\(apps) apps whose queries have predicates on a type"
    ) {
      var (events, policy, symbols) = Self.saves(
        2_048, gap: 1_000_000_000, apps: apps, types: 1, .immediate)
      let device = symbols.devices.intern("device")
      let queries = policy.subscriptions.enumerated().map { number, subscription in
        Event(
          time: Self.start, device: device,
          input: .execute(
            app: symbols.apps.intern(subscription.app), query: symbols.queries.intern("query"),
            type: symbols.types.intern(subscription.type),
            predicate: Predicate(min: 50 + Double(number) * 5)))
      }
      events.insert(contentsOf: queries, at: 0)
      policy.behaviour.completesAfter = 100_000_000
      return (events, policy, symbols)
    }
  }

  /// Random inputs of every kind, those of each seed under its policy.
  private func mix(seeds: UInt64) -> Benchmark {
    benchmark(
      "scheduler/mix", "random inputs of every kind, under \(seeds) random policies",
      tags: [.micro, .short]
    ) { library in
      let parts = try (0..<seeds).map { seed in
        let random = RandomInputs(seed: seed, count: 500)
        return try HostedInputs(
          random.events, policy: random.policy, symbols: random.symbols, on: library,
          name: "scheduler/mix, seed \(seed)")
      }
      let count = parts.reduce(0) { $0 + $1.count }
      var prepared = Benchmark.Prepared(operations: count) { iterations in
        var digest: UInt64 = 0
        for _ in 0..<iterations {
          digest = 0
          for part in parts { digest &+= try part.run() }
        }
        return digest
      }
      prepared.wakes = { parts.reduce(0) { $0 + $1.wakes } }
      return prepared
    }
  }

  private static let start = Timestamp(nanoseconds: 1_767_225_600_000_000_000)

  /// Saves of types in turn, a gap apart, to which all apps subscribe or one app each.
  private static func saves(
    _ count: Int, gap: Int64, apps: Int, types: Int, _ frequency: Frequency, oneEach: Bool = false
  ) -> (events: [Event], policy: Policy, symbols: Symbols) {
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 200_000_000
    policy.subscriptions = (0..<apps).flatMap { app in
      (oneEach ? app..<app + 1 : 0..<types).map { type in
        Policy.Subscription(
          app: "com.example.app\(app)", type: "type \(type)", frequency: frequency)
      }
    }
    let symbols = Symbols()
    let device = symbols.devices.intern("device")
    let source = symbols.sources.intern("Watch")
    let events = (0..<count).map { row in
      Event(
        time: Timestamp(nanoseconds: start.nanoseconds + Int64(row) * gap), device: device,
        input: .save(
          Sample(
            type: symbols.types.intern("type \(row * 7 % types)"), source: source,
            value: Double(row * 37 % 100))))
    }
    return (events, policy, symbols)
  }

  // MARK: Traces

  private func replay(
    _ name: String, _ summary: String, tags: Set<Benchmark.Tag>,
    _ open: @escaping @Sendable () throws -> (file: TraceFile, policy: Policy)
  ) -> Benchmark {
    benchmark(name, summary, tags: tags) { library in
      let (file, policy) = try open()
      let host = SchedulerHost(library, policy: policy, watch: HostedWatch.shared, context: name)
      return try ReplaySuite.replay(file, policy: policy, on: host)
    }
  }

  private func golden(_ name: String, tags: Set<Benchmark.Tag>) -> Benchmark {
    replay("replay/\(name)", "the golden trace \(name), file to summary", tags: tags) {
      let path = Project.path("Traces/\(name).wtrace")
      guard FileManager.default.fileExists(atPath: path) else { throw NotHere("no \(path)") }
      return try ReplaySuite.open(golden: name)
    }
  }

  private func own(_ path: String) -> Benchmark {
    let choice = choice
    return replay(
      SchedulerChoice.name(ofTrace: path), "the trace \(path), file to summary", tags: [.macro]
    ) {
      (try TraceFile(path: path), try choice.readPolicy())
    }
  }

  /// A generated wearable with three apps.
  private func events(_ count: Int) -> Benchmark {
    var benchmark = replay(
      "replay/events/\(count)", "a generated wearable with \(count) events",
      tags: [.macro, .scaling]
    ) { try GrowthSuite.wearable(events: count) }
    benchmark.place = .init(curve: "replay/events", variable: "events", size: count)
    return benchmark
  }
}
