/// What one run of a benchmark harness found, with all raw samples: what is stored, exported and
/// compared.
///
/// Its JSON has the properties' names as keys, which only grow within a schema version.
public struct BenchmarkRun: Codable, Hashable, Sendable {
  /// A benchmark that was left out, and why: it is told, never passed over.
  public struct Skip: Codable, Hashable, Sendable {
    /// The benchmark.
    public var name: String
    /// One line.
    public var reason: String
    /// Whether it should not have happened: the answer is wrong, or compared builds do different work. Nil
    /// is no.
    public var isFailure: Bool?

    /// Makes the note of a benchmark left out.
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
  /// What made it, with its version: `rouse-bench 0.1.0`.
  public var tool: String
  /// When it began (ISO 8601, UTC).
  public var startedAt: String
  /// Where it ran.
  public var machine: MachineDescription
  /// What ran.
  public var build: BuildDescription
  /// In the order of the suites.
  public var results: [BenchmarkResult] = []
  /// How costs grow with the work.
  public var curves: [ScalingCurve] = []
  /// What was left out.
  public var skipped: [Skip] = []
  /// Whether anything was left out that should not have been: the run failed.
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

/// The machine that a benchmark ran on; what the system does not tell is nil.
public struct MachineDescription: Codable, Hashable, Sendable {
  /// `Linux 6.1.0-18-amd64`.
  public var system: String
  /// `x86_64`.
  public var architecture: String
  /// `AMD EPYC`.
  public var processor: String?
  /// Processors that may be used.
  public var processors: Int
  /// Bytes of memory.
  public var memoryBytes: UInt64?
  /// `hypervisor` where the processor says that it is a virtual one.
  public var virtualization: String?
  /// The mean number of runnable threads over the minute before the run: above 0 the machine was
  /// not idle.
  public var loadAverage: Double?
  /// What one reading of the clock costs, in nanoseconds.
  public var clockNanoseconds: Double?

  /// Whether times of the two may be compared: the same sort of processor, as many of them.
  public func isLike(_ other: MachineDescription) -> Bool {
    architecture == other.architecture && processor == other.processor
      && processors == other.processors && virtualization == other.virtualization
  }

  /// In a few words: `AMD EPYC, 4 processors, virtual`.
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

/// The build that a benchmark ran.
public struct BuildDescription: Codable, Hashable, Sendable {
  /// What the user called it: a path, a revision, `this build`.
  public var label: String
  /// The commit, where known.
  public var revision: String?
  /// `release` or `debug`.
  public var configuration: String
  /// `Swift 6.3`.
  public var compiler: String
  /// What traces are deflated and inflated with: `zlib 1.2.13`, `libdeflate 1.14`; nil where that is not
  /// known.
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
