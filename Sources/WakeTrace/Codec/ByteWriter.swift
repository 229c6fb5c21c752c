import WakeEvents

/// Builds an array of bytes from little-endian integers and varints.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  var count: Int { bytes.count }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append<Integer: FixedWidthInteger>(_ value: Integer) {
    for shift in stride(from: 0, to: Integer.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// LEB128: seven bits a byte, lowest first; the high bit is set in all bytes but the last.
  mutating func appendVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func appendVarint(_ value: Int) { appendVarint(UInt64(value)) }

  /// A signed number as a zigzag varint: small magnitudes are short.
  mutating func appendZigzag(_ value: Int64) {
    appendVarint(UInt64(bitPattern: value << 1) ^ UInt64(bitPattern: value >> 63))
  }

  mutating func append(bytes other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }
}

// Fields of events with the bounds that readers check.
extension ByteWriter {
  /// A length as a varint, and the UTF-8 bytes.
  mutating func append(
    text: String, upTo limit: Int = TraceLimits.textBytes
  ) throws(BlockError) {
    let length = text.utf8.count
    guard length <= limit else {
      throw BlockError(
        .tooLarge, "a name or text has \(length) bytes, more than the \(limit) that it may have")
    }
    appendVarint(length)
    bytes.append(contentsOf: text.utf8)
  }

  mutating func append(number: Double) throws(BlockError) {
    guard number.isFinite else { throw .invalidEvent("an event has a number that is not finite") }
    append(number.bitPattern)
  }

  mutating func append(time: Timestamp) throws(BlockError) {
    guard Timestamp.validRange.contains(time.nanoseconds) else {
      throw .invalidEvent("an event has a time beyond ±4 × 10^18 nanoseconds")
    }
    append(time.nanoseconds)
  }
}
