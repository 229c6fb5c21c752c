/// The results of a run of the benchmark harness, with all raw samples, for storing, exporting and comparing.
///
/// Its JSON has the properties' names as keys. Within a schema version keys are only added.
public struct BenchmarkRun: Codable, Hashable, Sendable {
  /// A skipped benchmark with the reason. Skipped benchmarks are always reported.
  public struct Skip: Codable, Hashable, Sendable {
    /// The benchmark.
    public var name: String
    /// The reason, in one line.
    public var reason: String
    /// Whether it is a failure: a wrong result, or builds that do different work. Nil is false.
    public var isFailure: Bool?

    /// Makes a skipped benchmark.
    public init(name: String, reason: String, isFailure: Bool? = nil) {
      self.name = name
      self.reason = reason
      self.isFailure = isFailure
    }
  }

  /// The schema that this version writes. It is raised when a key's meaning changes.
  public static let schemaVersion: Int = 1

  /// The schema of this run.
  public var schemaVersion: Int = BenchmarkRun.schemaVersion
  /// The program that made it, with its version: `rouse-bench 0.1.0`.
  public var tool: String
  /// When it began (ISO 8601, UTC).
  public var startedAt: String
  /// The machine.
  public var machine: MachineDescription
  /// The build.
  public var build: BuildDescription
  /// The results, in the order of the suites.
  public var results: [BenchmarkResult] = []
  /// The growth of costs with the amount of work.
  public var curves: [ScalingCurve] = []
  /// The skipped benchmarks.
  public var skipped: [Skip] = []
  /// Whether the run failed: a benchmark was skipped because of a failure.
  public var hasFailure: Bool { skipped.contains { $0.isFailure == true } }

  /// Makes a run without results.
  public init(
    tool: String, startedAt: String, machine: MachineDescription, build: BuildDescription
  ) {
    self.tool = tool
    self.startedAt = startedAt
    self.machine = machine
    self.build = build
  }

  /// The result of a benchmark.
  public func result(named name: String) -> BenchmarkResult? {
    results.first { $0.name == name }
  }
}

/// The machine of a benchmark; unknown properties are nil.
public struct MachineDescription: Codable, Hashable, Sendable {
  /// `Linux 6.1.0-18-amd64`.
  public var system: String
  /// `x86_64`.
  public var architecture: String
  /// `AMD EPYC`.
  public var processor: String?
  /// The number of usable processors.
  public var processors: Int
  /// The memory in bytes.
  public var memoryBytes: UInt64?
  /// `hypervisor` if the processor reports that it is virtual.
  public var virtualization: String?
  /// The load average over the minute before the run: the mean number of runnable threads.
  public var loadAverage: Double?
  /// The cost of reading the clock, in nanoseconds.
  public var clockNanoseconds: Double?

  /// Whether times of the two are comparable: the same kind and number of processors.
  public func isLike(_ other: MachineDescription) -> Bool {
    architecture == other.architecture && processor == other.processor
      && processors == other.processors && virtualization == other.virtualization
  }

  /// In short: `AMD EPYC, 4 processors, virtual`.
  public var summary: String {
    let virtual = virtualization == nil ? "" : ", virtual"
    return "\(processor ?? architecture), \(processors) processors\(virtual)"
  }

  /// Makes a description.
  public init(system: String, architecture: String, processors: Int) {
    self.system = system
    self.architecture = architecture
    self.processors = processors
  }
}

/// The build of a benchmark.
public struct BuildDescription: Codable, Hashable, Sendable {
  /// The user's name for it: a path, a revision, `this build`.
  public var label: String
  /// The commit, if known.
  public var revision: String?
  /// `release` or `debug`.
  public var configuration: String
  /// `Swift 6.3`.
  public var compiler: String
  /// The library that deflates and inflates traces: `zlib 1.2.13`, `libdeflate 1.14`; nil if unknown.
  public var compression: String?

  /// Makes a description.
  public init(
    label: String, revision: String? = nil, configuration: String, compiler: String,
    compression: String? = nil
  ) {
    self.label = label
    self.revision = revision
    self.configuration = configuration
    self.compiler = compiler
    self.compression = compression
  }
}
