import Glibc
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

/// A member taken apart, so that it can be made to say something else with checksums that are right.
struct ForgedMember {
  var header: BlockHeader
  var payload: [UInt8]

  init(_ member: [UInt8]) throws {
    let (header, payloadStart) = try GzipMember.decodeHeader(member, count: member.count)
    self.header = header
    payload = []
    try GzipMember.decodePayload(
      member, header: header, payloadStart: payloadStart, with: Inflater(), into: &payload)
    payload.removeLast(payload.count - header.payloadLength)
  }

  /// The member whole, with lengths that fit; `lying` may then change the header once more.
  func bytes(lying: (inout BlockHeader) -> Void = { _ in }) throws -> [UInt8] {
    let deflated = try Deflater(level: 1).deflate([Section(kind: .plain, bytes: payload)])
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
    writer.append(UInt32(payload.count))
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

extension MemoryOutput {
  /// The members one by one.
  var members: [[UInt8]] {
    var start = 0
    return memberLengths.map { length in
      defer { start += length }
      return Array(bytes[start..<start + length])
    }
  }
}

/// Files of bytes, one after another, under one name.
final class ScratchTrace {
  private let folder: ScratchFolder
  let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("scratch.wtrace")
  }

  /// Makes the bytes the file's whole content.
  func hold(_ bytes: [UInt8]) throws {
    let descriptor = SystemCalls.open(path, O_WRONLY | O_CREAT | O_TRUNC)
    defer { close(descriptor) }
    guard SystemCalls.write(bytes, count: bytes.count, to: descriptor) else {
      throw TestFailure("\(path) cannot be written")
    }
  }

  /// The events that can be read of bytes, and what stands in place of the others.
  func read(
    _ bytes: [UInt8], symbols: Symbols
  ) throws -> (contents: TraceContents, errors: [TraceError]) {
    try hold(bytes)
    return TraceMaking.read(path, symbols: symbols)
  }

  func verify(_ bytes: [UInt8]) throws -> TraceVerification {
    try hold(bytes)
    return TraceVerification(of: try TraceFile(path: path))
  }
}
