public import WakeEvents

/// A summary of a trace: counts, times, devices, types and streams.
///
/// Most of it comes from block headers; ``Depth`` says what else is read.
public struct TraceInfo: Sendable {
  /// What to read.
  public enum Depth: String, CaseIterable, Sendable {
    /// Headers only: no block is inflated, so devices and types have no names.
    case headers
    /// Headers, and the blocks with a device or type whose name is still unknown: the first block and few others.
    case names
    /// Every block.
    case events
  }

  /// A device and its events.
  public struct DeviceEntry: Hashable, Sendable {
    /// `NameHash.device(_:)` of its name.
    public var hash: UInt64
    /// Its name, empty for the device of inputs that name none; nil at depth `headers`.
    public var name: String?
    /// Its events of all kinds.
    public var events = 0
    /// The time of its earliest event; nil if it shares a block with other devices that was not inflated.
    public var earliest: Timestamp?
    /// The time of its latest event; nil when ``earliest`` is.
    public var latest: Timestamp?
  }

  /// A sample type and its saves and deletes.
  public struct TypeEntry: Hashable, Sendable {
    /// `NameHash.of(_:)` of its identifier.
    public var hash: UInt64
    /// Its identifier; nil at depth `headers`.
    public var name: String?
    /// Its saves and deletes.
    public var events = 0
  }

  /// A stream: what one recording thread, or one import, wrote.
  public struct StreamEntry: Hashable, Sendable {
    /// Its id.
    public var id: UInt64
    /// Its blocks.
    public var blocks = 0
    /// Its events.
    public var events = 0
    /// Events lost in recording.
    public var lost: UInt64 = 0
  }

  /// The counts of ``Depth/events``.
  public struct EventCounts: Hashable, Sendable {
    /// Events by kind, in the place of `InputKind`'s raw value.
    public var kinds = [Int](repeating: 0, count: InputKind.allCases.count)
    /// Inputs earlier than a preceding input of the same device and stream: a replay counts them as late
    /// (page Rules, 4.1).
    public var late = 0
    /// Sources of saves and deletes.
    public var sources = 0
    /// The apps that inputs and observations name, sorted by UTF-8 bytes.
    public var apps: [String] = []

    /// The events of a kind.
    public subscript(kind: InputKind) -> Int { kinds[Int(kind.rawValue)] }
  }

  /// The path, or what stands for it.
  public var file: String
  /// Bytes of the file.
  public var bytes: Int64 = 0
  /// Bytes of detail members.
  public var detailBytes: Int64 = 0
  /// Blocks.
  public var blocks = 0
  /// Blocks that were inflated for this summary.
  public var blocksInflated = 0
  /// Events of all kinds.
  public var events = 0
  /// The observations among them, which are no inputs (page Rules, 11).
  public var observations = 0
  /// Events lost, over all streams.
  public var lost: UInt64 = 0
  /// The time of the earliest event; nil if there is none.
  public var earliest: Timestamp?
  /// The time of the latest event; nil if there is none.
  public var latest: Timestamp?
  /// Blocks whose runs have ascending times. A device's times may still fall from block to block.
  public var sortedBlocks = 0
  /// Blocks that hold saves and deletes only.
  public var samplesOnlyBlocks = 0
  /// Blocks that start an observer query with a predicate.
  public var predicateBlocks = 0
  /// Devices, in the order of their first appearance.
  public var devices: [DeviceEntry] = []
  /// Types that were saved or deleted, by descending count, then by hash.
  public var types: [TypeEntry] = []
  /// Whether ``types`` is complete: at depth `headers` the types of blocks that do not list them are missing.
  public var typesAreComplete = true
  /// Streams, in the order of their first appearance.
  public var streams: [StreamEntry] = []
  /// Counts by event; nil unless the depth is `events`.
  public var counts: EventCounts?
}
