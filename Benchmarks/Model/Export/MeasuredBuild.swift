/// What was measured of one build, as exports tell it: a run, or one side of a comparison.
public struct MeasuredBuild: Hashable, Sendable {
  /// A build of a comparison.
  public enum Side: String, CaseIterable, Hashable, Sendable {
    /// The yardstick.
    case before
    /// What is judged.
    case after
  }

  struct Sample: Hashable, Sendable {
    /// Operations; a comparison keeps none, so there 1 stands for some.
    var iterations: Int
    /// Nanoseconds an operation by the clock.
    var nanoseconds: Double
    /// Nanoseconds an operation on processors, where that was measured.
    var processorNanoseconds: Double?
  }

  struct Benchmark: Hashable, Sendable {
    var name: String
    var unit: String
    var samples: [Sample]
    var counters: [BenchmarkCounter] = []

    /// Nanoseconds an operation.
    var times: [Double] { samples.map(\.nanoseconds) }
  }

  var tool: String
  var startedAt: String
  var machine: MachineDescription
  var build: BuildDescription
  var benchmarks: [Benchmark]

  /// What a run measured.
  public init(_ run: BenchmarkRun) {
    tool = run.tool
    startedAt = run.startedAt
    machine = run.machine
    build = run.build
    benchmarks = run.results.map { result in
      Benchmark(
        name: result.name, unit: result.unit,
        samples: result.samples.filter { $0.operations > 0 }.map {
          Sample(
            iterations: $0.operations, nanoseconds: $0.nanosecondsPerOperation,
            processorNanoseconds: $0.processorNanosecondsPerOperation)
        },
        counters: result.counters)
    }
  }

  /// What a comparison measured of one of its builds.
  public init(_ comparison: BenchmarkComparison, _ side: Side) {
    tool = comparison.tool
    startedAt = comparison.startedAt
    machine = comparison.machine
    build = side == .before ? comparison.before : comparison.after
    benchmarks = comparison.results.map { result in
      Benchmark(
        name: result.name, unit: result.unit,
        samples: result.pairs.map {
          Sample(iterations: 1, nanoseconds: side == .before ? $0.before : $0.after)
        })
    }
  }
}
