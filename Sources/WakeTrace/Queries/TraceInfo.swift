public import WakeEvents

/// What a trace says of itself: how much of what there is, and where it lies.
///
/// Most of it stands in the headers of blocks; ``Depth`` says how much else is read.
public struct TraceInfo: Sendable {
  /// How far into the blocks to look.
  public enum Depth: String, CaseIterable, Sendable {
    /// The headers alone: no block is inflated, so devices and types have no names.
    case headers
    /// Besides, blocks that hold a device or type without a name so far are inflated for it: the
    /// first block and few others.
    case names
    /// Every block is inflated, and every event counted.
    case events
  }

  /// A device and its events.
  public struct DeviceEntry: Hashable, Sendable {
    /// ``NameHash/device(_:)`` of its name.
    public var hash: UInt64
    /// Its name, empty for the device of inputs that name none; nil at depth `headers`.
    public var name: String?
    /// Its events of all kinds.
    public var events = 0
    /// The time of its earliest event; nil where headers cannot tell: a block that the device shares
    /// with others was not inflated.
    public var earliest: Timestamp?
    /// The time of its latest event; nil like ``earliest``.
    public var latest: Timestamp?
  }

  /// A sample type and its saves and deletes.
  public struct TypeEntry: Hashable, Sendable {
    /// ``NameHash/of(_:)`` of its identifier.
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
    /// Events that it lost, by what it recorded of that.
    public var lost: UInt64 = 0
  }

  /// What only ``Depth/events`` counts.
  public struct EventCounts: Hashable, Sendable {
    /// Events by kind, in the place of ``InputKind``'s raw value.
    public var kinds = [Int](repeating: 0, count: InputKind.allCases.count)
    /// Events whose time lies before that of one that stands before them, on the same device in the
    /// same stream: those that a replay counts as late (SPEC 4.1), however many streams it merges.
    public var late = 0
    /// Sources of saves and deletes.
    public var sources = 0
    /// The apps that inputs name, sorted by UTF-8 bytes.
    public var apps: [String] = []

    /// The events of a kind.
    public subscript(kind: InputKind) -> Int { kinds[Int(kind.rawValue)] }
  }

  /// The path, or what stands for it.
  public var file: String
  /// Bytes of the file.
  public var bytes: Int64 = 0
  /// Bytes of blocks that are details; the rest is what scheduling needs.
  public var detailBytes: Int64 = 0
  /// Blocks.
  public var blocks = 0
  /// Blocks that were inflated to make this.
  public var blocksInflated = 0
  /// Events of all kinds.
  public var events = 0
  /// Events lost, over all streams.
  public var lost: UInt64 = 0
  /// The time of the earliest event; nil if there is none.
  public var earliest: Timestamp?
  /// The time of the latest event; nil if there is none.
  public var latest: Timestamp?
  /// Blocks in each of whose runs times never go back. Where all are, a device's times may still go
  /// back from one block to the next.
  public var sortedBlocks = 0
  /// Blocks that hold saves and deletes only.
  public var samplesOnlyBlocks = 0
  /// Blocks that start an observer query with a predicate.
  public var predicateBlocks = 0
  /// Devices, in the order of their first appearance.
  public var devices: [DeviceEntry] = []
  /// Types that were saved or deleted, by falling count, then by hash.
  public var types: [TypeEntry] = []
  /// Whether ``types`` has them all: at depth `headers` those of a block with too many types to list
  /// are missing.
  public var typesAreComplete = true
  /// Streams, in the order of their first appearance.
  public var streams: [StreamEntry] = []
  /// What was counted event by event; nil but at depth `events`.
  public var counts: EventCounts?

  /// Bytes of blocks that scheduling reads.
  public var schedulingBytes: Int64 { bytes - detailBytes }
}
