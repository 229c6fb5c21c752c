/// The metadata of a gzip member, in its field FEXTRA (RFC 1952, 2.3.1.1).
///
/// With it a reader skips from member to member, selects blocks by time, device or type, and counts events, without
/// inflating.
public struct BlockHeader: Hashable, Sendable {
  /// The content of a member.
  public enum Role: UInt8, Sendable {
    /// The columns that scheduling needs: symbols, times, kinds, types, sources, and all fields of inputs other than samples.
    case scheduling = 0
    /// The starts, ends and values of the samples of the preceding member.
    case details = 1
    /// Observations, in the columns of scheduling.
    case observations = 2
  }

  /// Properties of a block.
  public struct Flags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    /// Times never fall within a run.
    public static let timesSorted = Flags(rawValue: 1)
    /// There are only saves and deletes.
    public static let samplesOnly = Flags(rawValue: 2)
    /// An observer query with a predicate is started in it.
    public static let startsPredicate = Flags(rawValue: 4)
    /// A member with details follows.
    public static let hasDetails = Flags(rawValue: 8)
    /// The types are too many to be listed; ``BlockHeader/types`` is empty.
    public static let typesUnlisted = Flags(rawValue: 16)
    /// ``BlockHeader/deletes`` is set; early writers did not set it.
    public static let deletesCounted = Flags(rawValue: 32)
    /// A member with observations follows, behind the details if there are any.
    public static let hasObservations = Flags(rawValue: 64)
    /// A member with observations that belongs to no inputs: it is a block of its own.
    public static let standsAlone = Flags(rawValue: 128)
  }

  /// A run of consecutive events of one device.
  public struct Run: Hashable, Sendable {
    /// `NameHash.device(_:)` of the device's name.
    public var deviceHash: UInt64
    /// Its events.
    public var events: Int
  }

  /// The number of saves and deletes of a type in the block.
  public struct TypeCount: Hashable, Sendable {
    /// `NameHash.of(_:)` of the type's name.
    public var typeHash: UInt64
    /// Its saves and deletes.
    public var events: Int
  }

  /// The content of the member.
  public var role = Role.scheduling
  /// Properties of the block.
  public var flags: Flags = []
  /// Bytes of the whole member in the file.
  public var memberLength = 0
  /// Bytes of the payload after inflating.
  public var payloadLength = 0
  /// The stream that the block belongs to.
  public var stream: UInt64 = 0
  /// The block's number in its stream, from 0.
  public var sequence: UInt32 = 0
  /// Events in the block.
  public var events = 0
  /// The earliest time in it, in nanoseconds since the Unix epoch.
  public var earliest: Int64 = 0
  /// The latest time in it, in nanoseconds since the Unix epoch.
  public var latest: Int64 = 0
  /// Events of the stream that were lost between the block before and this one.
  public var lostBefore: UInt64 = 0
  /// Deletes of the block, if ``Flags/deletesCounted``; else 0.
  public var deletes = 0
  /// The runs of the block in order; none in details.
  public var runs: [Run] = []
  /// Saves and deletes by type, by falling count; none in details.
  public var types: [TypeCount] = []

  /// Makes an empty header.
  public init() {}

  /// Whether this one's member holds the details of the other's block.
  func areDetails(of block: BlockHeader) -> Bool {
    role == .details && stream == block.stream && sequence == block.sequence
      && events == block.events && earliest == block.earliest && latest == block.latest
      && lostBefore == block.lostBefore
  }

  /// Whether this one's member holds the observations of the other's block.
  func areObservations(of block: BlockHeader) -> Bool {
    role == .observations && !flags.contains(.standsAlone) && stream == block.stream
      && sequence == block.sequence && lostBefore == block.lostBefore
  }

  /// Whether a block begins with this one's member.
  var beginsBlock: Bool {
    role == .scheduling || role == .observations && flags.contains(.standsAlone)
  }
}

// The bytes of the field; WakeTrace.docc/Format.md says the same in words.
extension BlockHeader {
  /// The two letters that mark Rouse's subfield within FEXTRA.
  static let subfield: (UInt8, UInt8) = (0x52, 0x57)  // "RW"
  /// Bytes of the subfield's data with no runs and types.
  static let fixedLength = 64

  var encodedLength: Int { Self.fixedLength + 12 * (runs.count + types.count) }

  func append(to writer: inout ByteWriter) {
    let start = writer.count
    writer.append(TraceLimits.version)
    writer.append(role.rawValue)
    writer.append(flags.rawValue)
    writer.append(UInt32(memberLength))
    writer.append(UInt32(payloadLength))
    writer.append(UInt32(events))
    writer.append(stream)
    writer.append(sequence)
    writer.append(UInt16(runs.count))
    writer.append(UInt16(types.count))
    writer.append(earliest)
    writer.append(latest)
    writer.append(lostBefore)
    writer.append(UInt32(deletes))
    for run in runs {
      writer.append(run.deviceHash)
      writer.append(UInt32(run.events))
    }
    for type in types {
      writer.append(type.typeHash)
      writer.append(UInt32(type.events))
    }
    writer.append(Checksum.crc32(writer.bytes, in: start..<writer.count))
  }

  init(decoding bytes: [UInt8], in range: Range<Int>) throws(BlockError) {
    self.init()
    var reader = ByteReader(bytes, in: range, subject: "block header")
    let version = try reader.readByte()
    guard version == TraceLimits.version else {
      throw BlockError(
        .unknownVersion,
        "trace format version \(version); this program reads version \(TraceLimits.version)")
    }
    guard range.count >= Self.fixedLength else { throw .malformed("block header is too short") }
    var tail = ByteReader(
      bytes, in: range.upperBound - 4..<range.upperBound, subject: "block header")
    guard
      try tail.read(UInt32.self)
        == Checksum.crc32(bytes, in: range.lowerBound..<range.upperBound - 4)
    else { throw BlockError(.damaged, "block header is damaged (its checksum does not match)") }

    guard let role = Role(rawValue: try reader.readByte()) else {
      throw .malformed("block header has an unknown role")
    }
    self.role = role
    flags = Flags(rawValue: try reader.read(UInt16.self))
    memberLength = Int(try reader.read(UInt32.self))
    payloadLength = Int(try reader.read(UInt32.self))
    events = Int(try reader.read(UInt32.self))
    stream = try reader.read(UInt64.self)
    sequence = try reader.read(UInt32.self)
    let runCount = Int(try reader.read(UInt16.self))
    let typeCount = Int(try reader.read(UInt16.self))
    earliest = try reader.read(Int64.self)
    latest = try reader.read(Int64.self)
    lostBefore = try reader.read(UInt64.self)
    let deletes = Int(try reader.read(UInt32.self))
    if flags.contains(.deletesCounted) { self.deletes = deletes }
    guard runCount <= TraceLimits.runsPerBlock, typeCount <= TraceLimits.typesListed,
      range.count == Self.fixedLength + 12 * (runCount + typeCount)
    else { throw .malformed("block header's lists do not fit its length") }
    runs.reserveCapacity(runCount)
    for _ in 0..<runCount {
      let hash = try reader.read(UInt64.self)
      runs.append(Run(deviceHash: hash, events: Int(try reader.read(UInt32.self))))
    }
    types.reserveCapacity(typeCount)
    for _ in 0..<typeCount {
      let hash = try reader.read(UInt64.self)
      types.append(TypeCount(typeHash: hash, events: Int(try reader.read(UInt32.self))))
    }
    try checkBounds()
  }

  private func checkBounds() throws(BlockError) {
    guard memberLength <= TraceLimits.memberBytes else {
      throw .malformed("block header gives a length of \(memberLength) bytes, more than the limit")
    }
    guard payloadLength <= TraceLimits.payloadBytes else {
      throw .malformed(
        "block header gives a payload of \(payloadLength) bytes, more than the limit")
    }
    guard (1...TraceLimits.eventsPerBlock).contains(events) else {
      throw .malformed(
        "block header gives \(events) events, which is outside 1 to \(TraceLimits.eventsPerBlock)")
    }
    guard deletes <= events else {
      throw .malformed("block header gives \(deletes) deletes, more than its events")
    }
    guard earliest <= latest else { throw .malformed("block's times are out of order") }
    if role != .details {
      var inRuns = 0
      for run in runs {
        guard run.events > 0 else { throw .malformed("block has an empty run") }
        inRuns += run.events
      }
      guard inRuns == events else { throw .malformed("block's runs do not add up to its events") }
    } else {
      guard runs.isEmpty, types.isEmpty else {
        throw .malformed("block's details list runs or types")
      }
    }
  }
}
