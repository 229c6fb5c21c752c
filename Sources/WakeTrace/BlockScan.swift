/// Where a block stands in a file, and what its header says.
public struct BlockEntry: Sendable {
  /// A member of the block: where it begins, and where its deflated payload does.
  struct Member: Sendable {
    var offset: Int64
    var header: BlockHeader
    /// From the member's first byte.
    var payloadStart: Int
  }

  var scheduling: Member
  var details: Member?

  /// The byte of the file where the block begins.
  public var offset: Int64 { scheduling.offset }
  /// What the block says of itself.
  public var header: BlockHeader { scheduling.header }
  /// Bytes of the block in the file, details included.
  public var length: Int { header.memberLength + (details?.header.memberLength ?? 0) }
  /// Bytes of the details among them.
  public var detailsLength: Int { details?.header.memberLength ?? 0 }

  /// Drops the header's list of types, which for many blocks is most of what a header takes.
  package mutating func forgetTypes() {
    scheduling.header.types = []
  }
}

/// Hops over a file from block to block by their headers.
///
/// After damage the scan finds the next whole header of a block, so that damage costs one block.
public struct BlockScan {
  private let file: TraceFile
  private var offset: Int64 = 0
  /// Where what is at hand begins, be it a block or what stands in its place.
  private var blockOffset: Int64 = 0
  /// Where the last whole member begins.
  private var lastMember: Int64 = -1
  private var buffer: [UInt8] = []
  /// Bytes that are read in the hope that they hold a header: as many as the longest one needed so far.
  private var window = 512
  private static let longestWindow = 16_384

  /// Whether nothing is left of the file.
  var isAtEnd: Bool { offset >= file.length }

  /// Starts at the first byte of a file.
  public init(_ file: TraceFile) {
    self.file = file
  }

  /// The next block, or nil after the last.
  ///
  /// - Throws: ``TraceError`` for what stands in place of a block. The scan may go on: call
  ///   ``resume()``, then this again.
  /// - Complexity: O(header).
  public mutating func next() throws(TraceError) -> BlockEntry? {
    guard offset < file.length else { return nil }
    blockOffset = offset
    var block = BlockEntry(scheduling: try readMember())
    guard block.header.role == .scheduling else {
      throw error(.malformed, "details stand here without their block")
    }
    pass(block.scheduling)
    guard block.header.flags.contains(.hasDetails) else { return block }

    guard offset < file.length else {
      throw error(.truncated, "the file ends before the details of the block at \(block.offset)")
    }
    let details = try readMember()
    guard details.header.areDetails(of: block.header) else {
      throw error(.malformed, "the details of the block at byte \(block.offset) should stand here")
    }
    block.details = details
    pass(details)
    return block
  }

  /// Moves on behind a member.
  private mutating func pass(_ member: BlockEntry.Member) {
    lastMember = offset
    offset += Int64(member.header.memberLength)
  }

  /// Goes on behind damage: to the next place where a block's header stands whole, or to the end.
  ///
  /// Details whose block is damaged are passed over with it.
  ///
  /// - Returns: The bytes passed over, from where the block in question begins.
  /// - Complexity: O(bytes passed over, and of the block before).
  public mutating func resume() throws(TraceError) -> Int64 {
    // Where bytes are missing, the next block begins within what the last member takes for its own.
    var place = lastMember + 1
    // Most damage is short, so the search begins with little and takes more as it goes on.
    var window: Int64 = 1 << 12
    let shortest = Int64(GzipMember.prefixLength)
    var bytes: [UInt8] = []
    while file.length - place >= shortest {
      let count = try file.read(Int(min(window, file.length - place)), at: place, into: &bytes)
      for index in 0...max(0, count - Int(shortest)) where Self.looksLikeMember(bytes, at: index) {
        offset = place + Int64(index)
        if let member = try? readMember(), member.header.role == .scheduling {
          return max(0, offset - blockOffset)
        }
      }
      // The next window begins where no whole prefix was left.
      place += max(1, Int64(count) - shortest + 1)
      window = min(2 * window, 1 << 20)
    }
    offset = file.length
    return offset - blockOffset
  }

  private static func looksLikeMember(_ bytes: [UInt8], at index: Int) -> Bool {
    bytes[index] == 0x1F && bytes[index + 1] == 0x8B && bytes[index + 2] == 8
      && bytes[index + 3] == 4 && bytes[index + 12] == BlockHeader.subfield.0
      && bytes[index + 13] == BlockHeader.subfield.1
  }

  private func error(_ code: TraceError.Code, _ message: String) -> TraceError {
    TraceError(code: code, file: file.name, offset: offset, message: message)
  }

  /// Reads the header at `offset`.
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
    } catch let error {
      throw error.located(file: file.name, offset: offset)
    }
  }
}
