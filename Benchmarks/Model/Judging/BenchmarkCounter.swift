/// Something counted of a benchmark: a value, or why there is none. Never 0 for "unknown".
public struct BenchmarkCounter: Codable, Hashable, Sendable {
  /// What is counted.
  public struct Name: RawRepresentable, Codable, Hashable, Sendable {
    public let rawValue: String

    /// Makes a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Calls of the allocator in an operation, of the measured thread.
    public static let allocations = Name(rawValue: "allocations")
    /// Bytes asked of the allocator in an operation.
    public static let allocatedBytes = Name(rawValue: "allocatedBytes")
    /// The most memory that the process had at once from the benchmark's set-up to its end, in bytes: the
    /// program itself is in it, what earlier benchmarks needed is not.
    public static let peakMemory = Name(rawValue: "peakMemory")
    /// Pages made present in an operation without the disk.
    public static let minorPageFaults = Name(rawValue: "minorPageFaults")
    /// Pages read from the disk in an operation.
    public static let majorPageFaults = Name(rawValue: "majorPageFaults")
    /// Instructions in an operation, as the processor counts them.
    public static let instructions = Name(rawValue: "instructions")
    /// Instructions in an operation, as Callgrind simulates them.
    public static let simulatedInstructions = Name(rawValue: "simulatedInstructions")
    /// Cycles in an operation.
    public static let cycles = Name(rawValue: "cycles")
    /// Mispredicted branches in an operation.
    public static let branchMisses = Name(rawValue: "branchMisses")
    /// Reads that missed the last cache, in an operation.
    public static let cacheMisses = Name(rawValue: "cacheMisses")
    /// Bytes that a trace takes for an event.
    public static let bytesPerEvent = Name(rawValue: "bytesPerEvent")
  }

  /// What is counted.
  public var name: Name
  /// How many; nil if that is not known.
  public var value: Double?
  /// Why there is no value, in one line; nil if there is one.
  public var reason: String?

  /// Makes a counter that was read.
  public init(_ name: Name, _ value: Double) {
    self.name = name
    self.value = value
  }

  /// Makes a counter that could not be read.
  public init(_ name: Name, unavailable reason: String) {
    self.name = name
    self.reason = reason
  }

  private enum CodingKeys: String, CodingKey {
    case name, value, reason
  }

  /// Writes the value as null where there is none, beside the reason.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(value, forKey: .value)
    try container.encodeIfPresent(reason, forKey: .reason)
  }
}
