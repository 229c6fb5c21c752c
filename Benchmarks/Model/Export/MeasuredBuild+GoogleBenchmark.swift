extension MeasuredBuild {
  /// Google Benchmark's JSON, which its `compare.py` reads.
  ///
  /// A sample is a repetition; mean, median and standard deviation follow. Available counters are user counters; the
  /// others are omitted, as the format cannot express "unknown". Its readers need both times, so the times of a comparison,
  /// which has one clock, are both, and the context names the clock.
  public var googleBenchmark: String {
    var entries: [OrderedJSON] = []
    for (family, benchmark) in benchmarks.enumerated() {
      let counters = Self.counters(of: benchmark)
      for (repetition, sample) in benchmark.samples.enumerated() {
        let head = Self.head(benchmark, name: benchmark.name, family: family, type: "iteration")
        entries.append(
          .object(
            head + [
              ("repetition_index", .number(Double(repetition))),
              ("threads", .number(1)),
              ("iterations", .number(Double(sample.iterations))),
              ("real_time", .number(sample.nanoseconds)),
              ("cpu_time", .number(sample.processorNanoseconds ?? sample.nanoseconds)),
              ("time_unit", .string("ns")),
              ("items_per_second", .measured(1e9 / sample.nanoseconds)),
            ] + counters))
      }
      entries += Self.aggregates(of: benchmark, family: family)
    }
    return OrderedJSON.object([("context", context), ("benchmarks", .array(entries))]).text
  }

  private var context: OrderedJSON {
    .object([
      ("date", .string(startedAt)),
      ("executable", .string(tool)),
      ("num_cpus", .number(Double(machine.processors))),
      ("caches", .array([])),
      ("load_avg", .array(machine.loadAverage.map { [.measured($0)] } ?? [])),
      ("library_build_type", .string(build.configuration)),
      ("system", .string(machine.system)),
      ("processor", .string(machine.processor ?? machine.architecture)),
      ("build", .string(build.label)),
      ("revision", build.revision.map { .string($0) } ?? .null),
      ("compiler", .string(build.compiler)),
      ("clock", clock.map { .string($0.words) } ?? .null),
    ])
  }

  private static func head(
    _ benchmark: Benchmark, name: String, family: Int, type: String
  ) -> [(String, OrderedJSON)] {
    [
      ("name", .string(name)),
      ("family_index", .number(Double(family))),
      ("per_family_instance_index", .number(0)),
      ("run_name", .string(benchmark.name)),
      ("run_type", .string(type)),
      ("repetitions", .number(Double(benchmark.samples.count))),
    ]
  }

  /// Counters have a prefix, so that they do not clash with the format's own keys.
  private static func counters(of benchmark: Benchmark) -> [(String, OrderedJSON)] {
    benchmark.counters.compactMap { counter in
      counter.value.map { ("counter:\(counter.name.rawValue)", .measured($0)) }
    }
  }

  private static func aggregates(of benchmark: Benchmark, family: Int) -> [OrderedJSON] {
    let times = benchmark.times
    let processorTimes = benchmark.samples.map { $0.processorNanoseconds ?? $0.nanoseconds }
    guard times.count > 1 else { return [] }
    let figures: [(String, ([Double]) -> Double?)] = [
      ("mean", mean), ("median", Statistics.median), ("stddev", standardDeviation),
    ]
    return figures.map { name, figure in
      .object(
        head(benchmark, name: "\(benchmark.name)_\(name)", family: family, type: "aggregate") + [
          ("threads", .number(1)),
          ("aggregate_name", .string(name)),
          ("aggregate_unit", .string("time")),
          ("iterations", .number(Double(times.count))),
          ("real_time", .measured(figure(times))),
          ("cpu_time", .measured(figure(processorTimes))),
          ("time_unit", .string("ns")),
        ])
    }
  }

  private static func mean(_ values: [Double]) -> Double? {
    values.reduce(0, +) / Double(values.count)
  }

  /// The sample standard deviation (divisor n − 1), as in Google Benchmark.
  private static func standardDeviation(_ values: [Double]) -> Double? {
    guard let mean = mean(values) else { return nil }
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1)).squareRoot()
  }
}
