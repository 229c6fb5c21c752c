/// The gzip wrapper (RFC 1952) around a block's header and its deflated payload.
///
///     1F 8B 08 04  00 00 00 00  00 FF            magic, deflate, FEXTRA, no time, unknown system
///     XLEN (2)  'R' 'W'  length (2)  header      the extra field: Rouse's subfield comes first
///     deflated payload
///     CRC-32 (4)  length (4)                     of the payload
package enum GzipMember {
  /// The first bytes of every gzip member with deflated content.
  private static let magic: [UInt8] = [0x1F, 0x8B, 8]
  /// Bytes before the header: gzip's ten, XLEN, and the subfield's id and length.
  static let prefixLength = 16
  /// Bytes after the deflated payload.
  static let suffixLength = 8

  /// Puts a member together; sets the header's lengths.
  static func encode(
    header: inout BlockHeader, payload: Payload, with deflater: Deflater
  ) throws(BlockError) -> [UInt8] {
    let sections = payload.sections
    header.payloadLength = Payload.length(of: sections)
    guard header.payloadLength <= TraceLimits.payloadBytes else { throw BlockEncoder.tooLarge }
    let start = prefixLength + header.encodedLength
    var member: [UInt8] = []
    // Stored fragments have five bytes more for each 65,535.
    member.reserveCapacity(start + header.payloadLength + header.payloadLength >> 10 + 1_024)
    member += repeatElement(0, count: start)
    try deflater.deflate(sections, to: &member)
    var suffix = ByteWriter()
    suffix.append(sections.reduce(0) { Checksum.crc32($1.bytes[...], after: $0) })
    suffix.append(UInt32(header.payloadLength))
    member += suffix.bytes
    header.memberLength = member.count
    var writer = ByteWriter()
    writer.append(bytes: magic + [4, 0, 0, 0, 0, 0, 0xFF])
    writer.append(UInt16(header.encodedLength + 4))
    writer.append(BlockHeader.subfield.0)
    writer.append(BlockHeader.subfield.1)
    writer.append(UInt16(header.encodedLength))
    header.append(to: &writer)
    member.replaceSubrange(..<start, with: writer.bytes)
    return member
  }

  /// Reads the header of the member that begins at `bytes[0]`; `count` of the bytes are the file's. Finds where the
  /// deflated payload begins.
  package static func decodeHeader(
    _ bytes: [UInt8], count: Int
  ) throws(BlockError) -> (header: BlockHeader, payloadStart: Int) {
    guard bytes[..<min(count, magic.count)].elementsEqual(magic.prefix(count)) else {
      throw BlockError(.notATrace, "no trace block begins here")
    }
    guard count < 4 || bytes[3] == 4 else {
      throw BlockError(.notATrace, "a gzip member that is not a trace block begins here")
    }
    guard count >= prefixLength else {
      throw BlockError(.truncated, "the file ends within a block's header")
    }
    let extraLength = Int(bytes[10]) | Int(bytes[11]) << 8
    guard bytes[12] == BlockHeader.subfield.0, bytes[13] == BlockHeader.subfield.1 else {
      throw BlockError(.notATrace, "a gzip member that is not a trace block begins here")
    }
    let length = Int(bytes[14]) | Int(bytes[15]) << 8
    guard length + 4 <= extraLength, length > 4 else {
      throw .malformed("block header's length does not fit its gzip field")
    }
    guard count >= 12 + extraLength else {
      throw BlockError(.truncated, "the file ends within a block's header")
    }
    let header = try BlockHeader(
      decoding: bytes, in: prefixLength..<prefixLength + length)
    let payloadStart = 12 + extraLength
    guard header.memberLength > payloadStart + suffixLength else {
      throw .malformed("block header gives a length shorter than the header")
    }
    return (header, payloadStart)
  }

  /// Inflates the payload of the member that fills `bytes[0 ..< header.memberLength]`, and checks it.
  package static func decodePayload(
    _ bytes: [UInt8], header: BlockHeader, payloadStart: Int, with inflater: Inflater,
    into payload: inout [UInt8]
  ) throws(BlockError) {
    let end = header.memberLength - suffixLength
    var suffix = ByteReader(bytes, in: end..<header.memberLength, subject: "block")
    let checksum = try suffix.read(UInt32.self)
    let length = try suffix.read(UInt32.self)
    guard Int(length) == header.payloadLength else {
      throw BlockError(.damaged, "block is damaged (its two lengths differ)")
    }
    try inflater.inflate(
      bytes, in: payloadStart..<end, length: header.payloadLength, into: &payload)
    guard Checksum.crc32(payload, in: 0..<header.payloadLength) == checksum else {
      throw BlockError(.damaged, "block is damaged (its checksum does not match)")
    }
  }
}
