/// A counter of a benchmark: a value, or the reason why there is none. Never 0 for "unknown".
public struct BenchmarkCounter: Codable, Hashable, Sendable {
  /// The name of a counter.
  public struct Name: RawRepresentable, Codable, Hashable, Sendable {
    public let rawValue: String

    /// Makes a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Calls of the allocator in an operation, by the measured thread.
    public static let allocations = Name(rawValue: "allocations")
    /// Bytes requested from the allocator in an operation.
    public static let allocatedBytes = Name(rawValue: "allocatedBytes")
    /// The peak memory of the process between set-up and end of the benchmark, in bytes, including the program itself.
    public static let peakMemory = Name(rawValue: "peakMemory")
    /// Minor page faults in an operation: without the disk.
    public static let minorPageFaults = Name(rawValue: "minorPageFaults")
    /// Major page faults in an operation: pages read from the disk.
    public static let majorPageFaults = Name(rawValue: "majorPageFaults")
    /// Instructions in an operation, by the hardware counter.
    public static let instructions = Name(rawValue: "instructions")
    /// Instructions in an operation, by Callgrind.
    public static let simulatedInstructions = Name(rawValue: "simulatedInstructions")
    /// Cycles in an operation.
    public static let cycles = Name(rawValue: "cycles")
    /// Mispredicted branches in an operation.
    public static let branchMisses = Name(rawValue: "branchMisses")
    /// Read misses of the last-level cache in an operation.
    public static let cacheMisses = Name(rawValue: "cacheMisses")
    /// The size of a trace in bytes an event.
    public static let bytesPerEvent = Name(rawValue: "bytesPerEvent")
  }

  /// What is counted.
  public var name: Name
  /// The value; nil if unknown.
  public var value: Double?
  /// The reason why there is no value, in one line; nil if there is one.
  public var reason: String?

  /// Makes a counter with a value.
  public init(_ name: Name, _ value: Double) {
    self.name = name
    self.value = value
  }

  /// Makes a counter without a value.
  public init(_ name: Name, unavailable reason: String) {
    self.name = name
    self.reason = reason
  }

  private enum CodingKeys: String, CodingKey {
    case name, value, reason
  }

  /// Writes null for a missing value, with the reason.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(value, forKey: .value)
    try container.encodeIfPresent(reason, forKey: .reason)
  }
}
