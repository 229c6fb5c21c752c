import Foundation

/// The bytes of a trace's block, taken apart by what the format's document says of its header, so that
/// damage can be put where it is wanted.
struct TraceBlock {
  var bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  private static let headerStart = 16
  private static let memberLengthAt = headerStart + 4
  private static let payloadLengthAt = headerStart + 8

  private func number(_ length: Int, at place: Int) -> Int {
    (0..<length).reversed().reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
  }

  private mutating func set(_ number: Int, _ length: Int, at place: Int) {
    for byte in 0..<length { bytes[place + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
  }

  /// Bytes of the member with what scheduling needs.
  var memberLength: Int {
    get { number(4, at: Self.memberLengthAt) }
    set { set(newValue, 4, at: Self.memberLengthAt) }
  }

  /// Bytes that its payload is said to inflate to.
  var payloadLength: Int {
    get { number(4, at: Self.payloadLengthAt) }
    set { set(newValue, 4, at: Self.payloadLengthAt) }
  }

  /// Where the deflated payload begins.
  var payloadStart: Int { 12 + number(2, at: 10) }

  /// The block with one byte other than it was.
  func flipping(_ place: Int) -> [UInt8] {
    var flipped = bytes
    flipped[place] ^= 0xFF
    return flipped
  }

  /// Makes the header's own check right again, so that only its content lies.
  mutating func correctCheck() {
    let end = Self.headerStart + number(2, at: 14) - 4
    set(Int(Self.crc32(bytes[Self.headerStart..<end])), 4, at: end)
  }

  /// The block with a changed header whose check is right.
  func with(_ change: (inout TraceBlock) -> Void) -> [UInt8] {
    var changed = self
    change(&changed)
    changed.correctCheck()
    return changed.bytes
  }

  /// The block with other deflated bytes, of which the header says that they inflate to `length`.
  func withPayload(_ deflated: [UInt8], length: Int) -> [UInt8] {
    var changed = TraceBlock(Array(bytes[..<payloadStart]) + deflated)
    changed.bytes += [UInt8](repeating: 0, count: 8)
    changed.set(length, 4, at: changed.bytes.count - 4)
    changed.memberLength = changed.bytes.count
    changed.payloadLength = length
    changed.correctCheck()
    return changed.bytes + bytes[memberLength...]
  }

  private static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { check, byte in
      (0..<8).reduce(check ^ UInt32(byte)) { check, _ in
        check & 1 == 1 ? check >> 1 ^ 0xEDB8_8320 : check >> 1
      }
    }
  }

  /// Deflated bytes (RFC 1951) that inflate to zeros, 258 for each two bits: about a thousand to one.
  static func bomb(bytes length: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.write(0b011, 3)  // the last block, with fixed codes
    bits.writeCode(0x30, 8)  // the literal 0
    for _ in 0..<length / 258 {
      bits.writeCode(0b1100_0101, 8)  // length 258
      bits.writeCode(0, 5)  // distance 1
    }
    bits.writeCode(0, 7)
    return bits.bytes
  }

  private struct BitWriter {
    var bytes: [UInt8] = []
    private var free = 0

    /// Appends bits, the lowest first.
    mutating func write(_ value: Int, _ count: Int) {
      for bit in 0..<count {
        if free == 0 {
          bytes.append(0)
          free = 8
        }
        if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 1 << (8 - free) }
        free -= 1
      }
    }

    /// Appends a Huffman code, its highest bit first.
    mutating func writeCode(_ code: Int, _ count: Int) {
      for bit in (0..<count).reversed() { write(code >> bit & 1, 1) }
    }
  }
}
