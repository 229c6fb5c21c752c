/// What benchmarks must not exceed: a committed file of thresholds, or made of a baseline.
public struct BenchmarkBars: Codable, Hashable, Sendable {
  /// The bars of one benchmark.
  public struct Bars: Codable, Hashable, Sendable {
    /// What it must compute; nil is anything.
    public var digest: String?
    /// By ``BenchmarkCounter/Name``, for each operation.
    public var counters: [String: Double]
    /// The median time of an operation on processors in nanoseconds, and the interval of that median;
    /// nil is any time.
    public var time: Time?

    /// Makes bars.
    public init(digest: String? = nil, counters: [String: Double] = [:], time: Time? = nil) {
      self.digest = digest
      self.counters = counters
      self.time = time
    }
  }

  /// A median and where it might as well lie.
  public struct Time: Codable, Hashable, Sendable {
    /// The median in nanoseconds.
    public var median: Double
    /// The interval that holds it with a confidence of 99 %.
    public var lower: Double
    /// See ``lower``.
    public var upper: Double

    /// The times of a result's samples; nil if there are too few, that is below 8.
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

  /// The counters that must repeat, from the strictest to the least.
  public static let exactCounters: [BenchmarkCounter.Name] = [
    .allocations, .allocatedBytes, .bytesPerEvent,
  ]
  /// The counters that repeat nearly.
  public static let instructionCounters: [BenchmarkCounter.Name] = [
    .simulatedInstructions, .instructions,
  ]

  /// The schema; see ``BenchmarkRun/schemaVersion``.
  public var schemaVersion: Int = BenchmarkRun.schemaVersion
  /// The compiler whose code they hold for: another makes other instructions, as do another
  /// ``architecture``, ``configuration`` or ``compression``.
  public var compiler: String
  /// See ``MachineDescription/architecture``; nil in files that do not tell it, and then no instructions
  /// are held against them.
  public var architecture: String?
  /// See ``BuildDescription/configuration``; nil as above.
  public var configuration: String?
  /// See ``BuildDescription/compression``, which the bytes of an event hang on, too; nil as above.
  public var compression: String?
  /// The machine that the times and the processor's own counts are of; nil where it is not told.
  public var machine: MachineDescription?
  /// How much more is tolerated, as a fraction, by counter; what is not named tolerates none.
  public var tolerances: [String: Double]
  /// By name.
  public var benchmarks: [String: Bars]

  /// Makes bars.
  public init(compiler: String, tolerances: [String: Double], benchmarks: [String: Bars]) {
    self.compiler = compiler
    self.tolerances = tolerances
    self.benchmarks = benchmarks
  }

  /// The bars that a run sets: its digests, its counters that repeat, and if wanted what holds for its
  /// machine alone, that is times and instructions as the processor counts them.
  public init(_ run: BenchmarkRun, withTimes: Bool) {
    compiler = run.build.compiler
    architecture = run.machine.architecture
    configuration = run.build.configuration
    compression = run.build.compression
    machine = withTimes ? run.machine : nil
    // Arrays grow by what the allocator's pieces hold, which depends on what was allocated before: a few
    // calls more or less, one of which may be for the largest array of a replay. None at all stays none.
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
