/// The measurements of one build for exports: a run, or one side of a comparison.
public struct MeasuredBuild: Hashable, Sendable {
  /// A build of a comparison.
  public enum Side: String, CaseIterable, Hashable, Sendable {
    /// The reference build.
    case before
    /// The build under test.
    case after
  }

  struct Sample: Hashable, Sendable {
    /// The number of operations; 1 in a comparison, which does not store it.
    var iterations: Int
    /// Nanoseconds an operation, by the clock of the measurements.
    var nanoseconds: Double
    /// Processor time an operation in nanoseconds, where it was measured beside elapsed time.
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
  /// The clock of ``Sample/nanoseconds``; nil if it is unknown, as in older comparisons.
  var clock: BenchmarkComparison.Clock?
  var benchmarks: [Benchmark]

  /// The measurements of a run.
  public init(_ run: BenchmarkRun) {
    tool = run.tool
    startedAt = run.startedAt
    machine = run.machine
    build = run.build
    clock = .wall
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

  /// The measurements of one build of a comparison.
  public init(_ comparison: BenchmarkComparison, _ side: Side) {
    tool = comparison.tool
    startedAt = comparison.startedAt
    machine = comparison.machine
    build = side == .before ? comparison.before : comparison.after
    clock = comparison.clock
    benchmarks = comparison.results.map { result in
      Benchmark(
        name: result.name, unit: result.unit,
        samples: result.pairs.map {
          Sample(iterations: 1, nanoseconds: side == .before ? $0.before : $0.after)
        })
    }
  }
}
