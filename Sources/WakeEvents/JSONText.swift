/// The pieces of JSON text (RFC 8259), appended to a buffer of UTF-8 bytes.
///
/// There is one way to write each value, so equal values give equal bytes.
package enum JSONText {
  /// Appends a JSON string that holds `string`, in quotes.
  ///
  /// Only what JSON demands is escaped: quotation mark, backslash and the control characters below
  /// U+0020, with the short escapes where there are any. Everything else passes as it is.
  ///
  /// - Complexity: O(length of the string).
  package static func append(_ string: String, to buffer: inout [UInt8]) {
    var string = string
    buffer.append(UInt8(ascii: "\""))
    // What needs no escape, most often all of it, is copied at once.
    string.withUTF8 { bytes in
      var start = 0
      for index in bytes.indices where unsafe isEscaped(bytes[index]) {
        unsafe buffer.append(contentsOf: bytes[start..<index])
        unsafe appendEscape(of: bytes[index], to: &buffer)
        start = index + 1
      }
      unsafe buffer.append(contentsOf: bytes[start...])
    }
    buffer.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Appends a whole number.
  package static func append(_ number: Int64, to buffer: inout [UInt8]) {
    if number < 0 { buffer.append(UInt8(ascii: "-")) }
    append(number.magnitude, to: &buffer)
  }

  /// Appends a whole number.
  package static func append(_ number: UInt64, to buffer: inout [UInt8]) {
    var digits = 1
    var rest = number
    while rest >= 10 {
      digits += 1
      rest /= 10
    }
    buffer.append(contentsOf: repeatElement(0, count: digits))
    rest = number
    for place in 1...digits {
      buffer[buffer.count - place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  /// Appends the shortest number that reads back as the same double.
  ///
  /// Whole numbers below 10^15 in magnitude have neither fraction nor exponent; negative zero, which
  /// they cannot tell from zero, is `-0.0`. JSON has no infinity and no NaN: they become `null`.
  package static func append(_ number: Double, to buffer: inout [UInt8]) {
    guard number.isFinite else {
      buffer.append(contentsOf: "null".utf8)
      return
    }
    let isNegativeZero = number == 0 && number.sign == .minus
    if number.magnitude < 1e15, !isNegativeZero, let whole = Int64(exactly: number) {
      append(whole, to: &buffer)
    } else {
      buffer.append(contentsOf: number.description.utf8)
    }
  }

  private static func appendEscape(of byte: UInt8, to buffer: inout [UInt8]) {
    buffer.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): buffer.append(byte)
    case 0x08: buffer.append(UInt8(ascii: "b"))
    case 0x09: buffer.append(UInt8(ascii: "t"))
    case 0x0A: buffer.append(UInt8(ascii: "n"))
    case 0x0C: buffer.append(UInt8(ascii: "f"))
    case 0x0D: buffer.append(UInt8(ascii: "r"))
    default:
      buffer.append(contentsOf: "u00".utf8)
      for digit in [byte >> 4, byte & 0xF] {
        buffer.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }
}
