import BenchmarkModel
import Measurement

/// Fixed measurements that exports are made of.
enum ExportFixtures {
  /// A name that means something in every format unless it is escaped.
  static let hostileName = "a \"b\" 'c'\n</script><script>alert(1)</script> | `x` & \\ \u{1}é"

  static var machine: MachineDescription {
    var machine = MachineDescription(
      system: "Linux 6.1.0", architecture: "x86_64", processors: 2)
    machine.processor = "Some CPU"
    machine.memoryBytes = 8_000_000_000
    machine.loadAverage = 0.25
    return machine
  }

  static let build = BuildDescription(
    label: "main", revision: "0123456789abcdef", configuration: "release", compiler: "Swift 6.3")

  static func result(_ name: String, nanoseconds: [UInt64], operations: Int = 10) -> BenchmarkResult
  {
    var result = BenchmarkResult(
      name: name, tags: ["micro"], unit: "event", digest: "00000000000000aa")
    result.samples = nanoseconds.enumerated().map { index, nanoseconds in
      .init(
        at: UInt64(index) * 1000, operations: operations, nanoseconds: nanoseconds,
        processorNanoseconds: nanoseconds + 5)
    }
    return result
  }

  static func run(_ results: [BenchmarkResult]) -> BenchmarkRun {
    var run = BenchmarkRun(
      tool: "rouse-bench 0.1.0", startedAt: "2026-01-02T03:04:05Z", machine: machine, build: build)
    run.results = results
    return run
  }

  /// Two benchmarks, one with a counter that was read and one that was not.
  static var run: BenchmarkRun {
    var first = result("coalescer/quiet 10", nanoseconds: [100, 120, 110])
    first.counters = [
      BenchmarkCounter(.allocations, 0.5),
      BenchmarkCounter(.instructions, unavailable: "this machine has no counters"),
    ]
    return run([first, result("codec", nanoseconds: [25])])
  }

  /// The latencies of so many operations, of which the nth took n² nanoseconds.
  static func latencies(upTo count: Int) -> BenchmarkResult.Latencies? {
    var histogram = Histogram()
    for value in 1...count { histogram.record(Int64(value * value)) }
    return .init(histogram)
  }

  /// Everything that a run may hold, under a hostile name.
  static var hostileRun: BenchmarkRun {
    var result = result(hostileName, nanoseconds: [100, 120, 110, 115, 105, 400])
    result.counters = [
      BenchmarkCounter(.allocations, unavailable: hostileName),
      BenchmarkCounter(.init(rawValue: hostileName), 7),
    ]
    result.latencies = latencies(upTo: 1000)
    var run = run([result])
    run.build.label = hostileName
    run.machine.processor = hostileName
    run.skipped = [.init(name: hostileName, reason: hostileName)]
    run.curves = [
      ScalingCurve(
        name: hostileName, variable: hostileName,
        points: [1, 10, 100].map {
          .init(benchmark: hostileName, size: $0, nanosecondsPerOperation: 50 + $0)
        })
    ].compactMap { $0 }
    return run
  }

  /// A comparison of so many rounds of four pairs, in which the build after takes `ratio` as long.
  static func comparison(
    _ names: [(String, ratio: Double)], rounds: Int = 12
  ) -> BenchmarkComparison {
    var comparison = BenchmarkComparison(
      tool: "rouse-bench 0.1.0", startedAt: "2026-01-02T03:04:05Z", machine: machine,
      before: build,
      after: BuildDescription(label: "work", configuration: "release", compiler: "Swift 6.3"),
      seed: 7, rule: JudgementRule())
    let pairs = names.map { name, ratio in
      (0..<rounds * 4).map { index in
        let before = 100 + Double(index * 7 % 11) / 10
        return BenchmarkComparison.Pair(
          at: UInt64(index) * 1000, round: index / 4, before: before,
          after: before * ratio * (1 + Double(index * 5 % 7 - 3) / 1000))
      }
    }
    comparison.results = zip(zip(names, pairs), comparison.rule.judge(pairs)).map {
      .init(name: $0.0.0, unit: "event", pairs: $0.1, judgement: $1)
    }
    return comparison
  }
}
