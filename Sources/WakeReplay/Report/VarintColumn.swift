/// A column of whole numbers, each in as few bytes as it needs, seven bits a byte (LEB128).
struct VarintColumn {
  private(set) var bytes: [UInt8] = []
  /// The number that the next difference counts from.
  private var last: Int64 = 0

  /// Appends a number that is not negative.
  mutating func append(_ number: Int64) {
    var rest = UInt64(bitPattern: number)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func append(_ number: Int) { append(Int64(number)) }

  /// Appends a number of either sign: 0, -1, 1, -2 … as 0, 1, 2, 3 …
  mutating func append(signed number: Int64) { append(number << 1 ^ number >> 63) }

  /// Appends the difference to the number before it, the first to 0. Numbers do not fall.
  mutating func append(rising number: Int64) {
    append(number - last)
    last = number
  }
}

/// Base64 (RFC 4648, 4), in which a page holds bytes.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func append(_ bytes: [UInt8], to output: inout [UInt8]) {
    output.reserveCapacity(output.count + (bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var group = Int(bytes[start]) << 16
      if count > 1 { group |= Int(bytes[start + 1]) << 8 }
      if count > 2 { group |= Int(bytes[start + 2]) }
      for place in 0..<4 {
        output.append(
          place > count ? UInt8(ascii: "=") : alphabet[group >> (18 - 6 * place) & 63])
      }
    }
  }
}
