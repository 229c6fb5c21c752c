/// Thresholds of benchmarks (bars), from a committed file or from a baseline.
public struct BenchmarkBars: Codable, Hashable, Sendable {
  /// The thresholds of one benchmark.
  public struct Bars: Codable, Hashable, Sendable {
    /// The expected digest; nil is any.
    public var digest: String?
    /// The greatest values for each operation, by ``BenchmarkCounter/Name``.
    public var counters: [String: Double]
    /// The median processor time of an operation in nanoseconds, with its confidence interval; nil is any time.
    public var time: Time?

    /// Makes bars.
    public init(digest: String? = nil, counters: [String: Double] = [:], time: Time? = nil) {
      self.digest = digest
      self.counters = counters
      self.time = time
    }
  }

  /// A median with its confidence interval.
  public struct Time: Codable, Hashable, Sendable {
    /// The median in nanoseconds.
    public var median: Double
    /// The lower bound of the interval of 99 % confidence, in nanoseconds.
    public var lower: Double
    /// The upper bound of the interval, in nanoseconds.
    public var upper: Double

    /// The times of a result's samples; nil if there are fewer than 8.
    public init?(_ result: BenchmarkResult) {
      let times = result.samples.map(\.processorNanosecondsPerOperation)
      guard let median = Statistics.median(of: times),
        let interval = Statistics.confidenceIntervalOfMedian(of: times, confidence: 0.99)
      else { return nil }
      self.median = median
      lower = interval.lower
      upper = interval.upper
    }
  }

  /// The exactly repeatable counters, the strictest first.
  public static let exactCounters: [BenchmarkCounter.Name] = [
    .allocations, .allocatedBytes, .bytesPerEvent,
  ]
  /// The nearly repeatable counters.
  public static let instructionCounters: [BenchmarkCounter.Name] = [
    .simulatedInstructions, .instructions,
  ]

  /// The schema; see ``BenchmarkRun/schemaVersion``.
  public var schemaVersion: Int = BenchmarkRun.schemaVersion
  /// The compiler that they apply to. The number of instructions depends on it and on ``architecture``,
  /// ``configuration`` and ``compression``.
  public var compiler: String
  /// See ``MachineDescription/architecture``; nil in files without it, with which instructions are not compared.
  public var architecture: String?
  /// See ``BuildDescription/configuration``; nil as for ``architecture``.
  public var configuration: String?
  /// See ``BuildDescription/compression``, on which the bytes of an event depend too; nil as for ``architecture``.
  public var compression: String?
  /// The machine of the times and hardware counts; nil if unknown.
  public var machine: MachineDescription?
  /// The tolerated increase as a fraction, by counter; 0 for counters that are not named.
  public var tolerances: [String: Double]
  /// The thresholds of benchmarks, by name.
  public var benchmarks: [String: Bars]

  /// Makes bars.
  public init(compiler: String, tolerances: [String: Double], benchmarks: [String: Bars]) {
    self.compiler = compiler
    self.tolerances = tolerances
    self.benchmarks = benchmarks
  }

  /// The thresholds from a run: its digests, its repeatable counters, and optionally the values of its machine, that is
  /// times and hardware counts of instructions.
  public init(_ run: BenchmarkRun, withTimes: Bool) {
    compiler = run.build.compiler
    architecture = run.machine.architecture
    configuration = run.build.configuration
    compression = run.build.compression
    machine = withTimes ? run.machine : nil
    // Arrays grow to the sizes of the allocator's blocks, which depend on earlier allocations: the number of calls varies
    // slightly, and one of them may be for the largest array of a replay. Zero stays zero.
    tolerances = [
      BenchmarkCounter.Name.allocations.rawValue: 0.03,
      BenchmarkCounter.Name.allocatedBytes.rawValue: 0.06,
      BenchmarkCounter.Name.simulatedInstructions.rawValue: 0.01,
      BenchmarkCounter.Name.instructions.rawValue: 0.02,
    ]
    benchmarks = [:]
    for result in run.results {
      var bars = Bars(digest: result.digest)
      for name in Self.exactCounters + Self.instructionCounters {
        if name == .instructions, !withTimes { continue }
        if let value = result.value(of: name) { bars.counters[name.rawValue] = value }
      }
      if withTimes { bars.time = Time(result) }
      benchmarks[result.name] = bars
    }
  }
}
