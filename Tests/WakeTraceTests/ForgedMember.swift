import WakeEvents
import WakeTestSupport

@testable import WakeTrace

/// A member taken apart, so that it can be made to say something else with checksums that are right.
struct ForgedMember {
  var header: BlockHeader
  var payload: [UInt8]

  init(_ member: [UInt8]) throws {
    let (header, payloadStart) = try GzipMember.decodeHeader(member, count: member.count)
    guard header.memberLength == member.count else {
      throw TestFailure("a member of \(member.count) bytes says \(header.memberLength)")
    }
    self.header = header
    payload = []
    try GzipMember.decodePayload(
      member, header: header, payloadStart: payloadStart, with: Inflater(), into: &payload)
    payload.removeLast(payload.count - header.payloadLength)
  }

  /// The member whole, with lengths that fit; `lying` may then change the header once more, and `tail`
  /// the payload's length behind it.
  func bytes(
    with deflater: Deflater? = nil, tail: Int? = nil, lying: (inout BlockHeader) -> Void = { _ in }
  ) throws -> [UInt8] {
    let deflater = try deflater ?? Deflater(level: 1)
    var deflated: [UInt8] = []
    try deflater.deflate([Section(kind: .plain, bytes: payload)], to: &deflated)
    var header = header
    header.payloadLength = payload.count
    header.memberLength =
      GzipMember.prefixLength + header.encodedLength + deflated.count + GzipMember.suffixLength
    lying(&header)
    var writer = ByteWriter()
    writer.append(bytes: [0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 0xFF])
    writer.append(UInt16(header.encodedLength + 4))
    writer.append(bytes: "RW".utf8)
    writer.append(UInt16(header.encodedLength))
    header.append(to: &writer)
    writer.append(bytes: deflated)
    writer.append(Checksum.crc32(payload, in: payload.indices))
    writer.append(UInt32(tail ?? payload.count))
    return writer.bytes
  }

  /// The columns of the payload by their ids, in order.
  var columns: [(id: UInt8, bytes: [UInt8])] {
    get {
      let count = Int(payload[0])
      var start = 1 + 5 * count
      return (0..<count).map { index in
        let entry = payload[(1 + 5 * index)...].prefix(5)
        let length = entry.dropFirst().reversed().reduce(0) { $0 << 8 | Int($1) }
        defer { start += length }
        return (entry.first ?? 0, Array(payload[start..<start + length]))
      }
    }
    set {
      var writer = ByteWriter()
      writer.append(UInt8(newValue.count))
      for (id, bytes) in newValue {
        writer.append(id)
        writer.append(UInt32(bytes.count))
      }
      for (_, bytes) in newValue { writer.append(bytes: bytes) }
      payload = writer.bytes
    }
  }
}
