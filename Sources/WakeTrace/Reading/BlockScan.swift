/// The location of a block in a file, and its headers.
public struct BlockEntry: Sendable {
  /// A member of the block: its offset and header, and the start of its compressed payload.
  struct Member: Sendable {
    var offset: Int64
    var header: BlockHeader
    /// Relative to the member's first byte.
    var payloadStart: Int
  }

  /// The first member; in a block without inputs that of its observations.
  var scheduling: Member
  var details: Member?
  var observations: Member?

  /// The offset of the block in the file.
  public var offset: Int64 { scheduling.offset }
  /// The header of the first member: of the inputs, if there are any.
  public var header: BlockHeader { scheduling.header }
  /// Whether the block has observations and no inputs.
  public var hasObservationsOnly: Bool { header.role == .observations }
  /// Its inputs.
  public var inputCount: Int { hasObservationsOnly ? 0 : header.events }
  /// Its observations.
  public var observationCount: Int {
    hasObservationsOnly ? header.events : observations?.header.events ?? 0
  }
  /// Its events: inputs and observations.
  public var eventCount: Int { inputCount + observationCount }
  /// Bytes of the block in the file, all members included.
  public var length: Int {
    header.memberLength + detailsLength + (observations?.header.memberLength ?? 0)
  }
  /// Bytes of the details among them.
  public var detailsLength: Int { details?.header.memberLength ?? 0 }

  /// Drops the header's list of types, mostly its largest part, to save memory.
  package mutating func forgetTypes() {
    scheduling.header.types = []
  }

  /// The hashes of the devices that have observations in the block, and no inputs.
  var devicesWithoutInputs: Set<UInt64> {
    guard observationCount > 0 else { return [] }
    let observed = (observations ?? scheduling).header.runs.map(\.deviceHash)
    return Set(observed).subtracting(hasObservationsOnly ? [] : header.runs.map(\.deviceHash))
  }

  /// The header of the block as one batch of inputs and observations, in which each device has one run.
  package var joinedHeader: BlockHeader {
    guard hasObservationsOnly || observations != nil else { return header }
    var joined = header
    joined.flags.remove(.samplesOnly)
    joined.runs = []
    var places: [UInt64: Int] = [:]
    for header in [header, observations?.header].compactMap({ $0 }) {
      joined.earliest = min(joined.earliest, header.earliest)
      joined.latest = max(joined.latest, header.latest)
      for run in header.runs {
        if let place = places[run.deviceHash] {
          joined.runs[place].events += run.events
        } else {
          places[run.deviceHash] = joined.runs.count
          joined.runs.append(run)
        }
      }
    }
    joined.events = eventCount
    return joined
  }
}

/// Reads the headers of a file's blocks without inflating. After damage, ``resume()`` finds the next intact header.
public struct BlockScan {
  private let file: TraceFile
  private var offset: Int64 = 0
  /// Where the current block, or the damage in its place, begins.
  private var blockOffset: Int64 = 0
  /// Where the last intact member begins.
  private var lastMember: Int64 = -1
  private var buffer: [UInt8] = []
  /// Bytes to read at once for a header: the longest header so far.
  private var window = 512
  private static let longestWindow = 16_384

  package var isAtEnd: Bool { offset >= file.length }

  /// Starts at the first byte of a file.
  public init(_ file: TraceFile) {
    self.file = file
  }

  /// The next block, or nil after the last.
  ///
  /// - Throws: ``TraceError`` if there is no intact block here. To continue, call ``resume()``, then this again.
  /// - Complexity: O(header).
  public mutating func next() throws(TraceError) -> BlockEntry? {
    guard offset < file.length else { return nil }
    blockOffset = offset
    var block = BlockEntry(scheduling: try readMember())
    let header = block.header
    guard header.beginsBlock else {
      throw error(.malformed, "a member with \(header.role) is here without its block")
    }
    pass(block.scheduling)
    guard header.role == .scheduling else { return block }
    if header.flags.contains(.hasDetails) {
      block.details = try readMember("details", of: block) { $0.areDetails(of: header) }
    }
    if header.flags.contains(.hasObservations) {
      block.observations = try readMember("observations", of: block) {
        $0.areObservations(of: header)
      }
    }
    return block
  }

  /// Reads and passes a further member of a block.
  private mutating func readMember(
    _ what: String, of block: BlockEntry, belongs: (BlockHeader) -> Bool
  ) throws(TraceError) -> BlockEntry.Member {
    guard offset < file.length else {
      throw error(.truncated, "the file ends before the \(what) of the block at \(block.offset)")
    }
    let member = try readMember()
    guard belongs(member.header) else {
      throw error(.malformed, "the \(what) of the block at byte \(block.offset) are missing here")
    }
    pass(member)
    return member
  }

  private mutating func pass(_ member: BlockEntry.Member) {
    lastMember = offset
    offset += Int64(member.header.memberLength)
  }

  /// Skips damage up to the next intact header of a block's first member, or to the end.
  ///
  /// Holes of the file are passed over.
  ///
  /// - Returns: The bytes skipped from the start of the damaged block.
  /// - Complexity: O(bytes skipped, and of the block before).
  public mutating func resume() throws(TraceError) -> Int64 {
    try resume(within: .max)
  }

  /// ``resume()`` that gives up after so many bytes, holes included, and returns at least that many then.
  package mutating func resume(within most: Int64) throws(TraceError) -> Int64 {
    // If bytes are missing, the next block begins within the length of the last member.
    var place = lastMember + 1
    // Most damage is short, so the window starts small and doubles.
    var window: Int64 = 1 << 12
    let shortest = Int64(GzipMember.prefixLength)
    var bytes: [UInt8] = []
    while file.length - place >= shortest {
      place = max(place, file.data(from: place))
      guard place < file.length else { break }
      guard place - blockOffset < most else { return place - blockOffset }
      let count = try file.read(Int(min(window, file.length - place)), at: place, into: &bytes)
      for index in 0...max(0, count - Int(shortest)) where Self.looksLikeMember(bytes, at: index) {
        offset = place + Int64(index)
        if let member = try? readMember(), member.header.beginsBlock {
          return max(0, offset - blockOffset)
        }
      }
      // The next window begins with the first incomplete prefix.
      place += max(1, Int64(count) - shortest + 1)
      window = min(2 * window, 1 << 20)
    }
    offset = file.length
    return min(offset - blockOffset, most)
  }

  /// Whether bytes begin like a trace.
  static func looksLikeMember(_ bytes: [UInt8]) -> Bool {
    bytes.count >= GzipMember.prefixLength && looksLikeMember(bytes, at: 0)
  }

  private static func looksLikeMember(_ bytes: [UInt8], at index: Int) -> Bool {
    bytes[index] == 0x1F && bytes[index + 1] == 0x8B && bytes[index + 2] == 8
      && bytes[index + 3] == 4 && bytes[index + 12] == BlockHeader.subfield.0
      && bytes[index + 13] == BlockHeader.subfield.1
  }

  private func error(_ code: TraceError.Code, _ message: String) -> TraceError {
    TraceError(code: code, file: file.name, offset: offset, message: message)
  }

  private mutating func readMember() throws(TraceError) -> BlockEntry.Member {
    var count = try file.read(window, at: offset, into: &buffer)
    if count == window {
      let needed = 12 + Int(buffer[10]) + Int(buffer[11]) << 8
      if needed > count {
        count = try file.read(needed, at: offset, into: &buffer)
        window = min(needed, Self.longestWindow)
      }
    }
    do throws(BlockError) {
      let (header, payloadStart) = try GzipMember.decodeHeader(buffer, count: count)
      guard offset + Int64(header.memberLength) <= file.length else {
        throw BlockError(
          .truncated,
          "the file ends within this block, of which it holds "
            + "\(file.length - offset) of \(header.memberLength) bytes")
      }
      return BlockEntry.Member(offset: offset, header: header, payloadStart: payloadStart)
    } catch var error {
      if error.code == .notATrace, offset == 0 { error.message += file.importHint }
      throw error.located(file: file.name, offset: offset)
    }
  }
}

extension TraceFile {
  /// What to do with a file that is no trace; empty if nothing is known.
  fileprivate var importHint: String {
    var bytes: [UInt8] = []
    let count = (try? read(ExpectedContent.prefixLength, at: 0, into: &bytes)) ?? 0
    return ImportableContent.hint(beginning: bytes[..<count])
  }
}
