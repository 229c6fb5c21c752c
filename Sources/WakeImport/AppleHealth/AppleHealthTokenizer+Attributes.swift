extension AppleHealthTokenizer {
  /// An attribute of the last start tag, as ranges of the buffer.
  struct Attribute {
    var name: Range<Int>
    var value: Range<Int>
  }

  /// The attribute at `cursor`, which it advances; nil after the last.
  ///
  /// - Complexity: O(length of the attribute).
  func attribute(at cursor: inout Int) throws -> Attribute? {
    let bytes = buffer.span
    let end = attributes.upperBound
    func skipSpace() {
      while cursor < end, Self.isSpace(bytes[cursor]) { cursor += 1 }
    }
    skipSpace()
    guard cursor < end else { return nil }
    let nameStart = cursor
    while cursor < end, bytes[cursor] > UInt8(ascii: " "), bytes[cursor] != UInt8(ascii: "=") {
      cursor += 1
    }
    let name = nameStart..<cursor
    skipSpace()
    guard cursor < end, bytes[cursor] == UInt8(ascii: "="), !name.isEmpty else {
      throw error(.malformed, "\(string(self.name)): \(quoted(name)) without =", at: nameStart)
    }
    cursor += 1
    skipSpace()
    guard cursor < end, bytes[cursor] == UInt8(ascii: "\"") || bytes[cursor] == UInt8(ascii: "'")
    else {
      throw error(
        .malformed, "\(string(self.name)): \(quoted(name)) without a quoted value", at: nameStart)
    }
    let quote = bytes[cursor]
    cursor += 1
    let valueStart = cursor
    while cursor < end, bytes[cursor] != quote { cursor += 1 }
    guard cursor < end else {
      throw error(.malformed, "\(string(self.name)): \(quoted(name)) is not closed", at: nameStart)
    }
    cursor += 1
    return Attribute(name: name, value: valueStart..<(cursor - 1))
  }

  /// The text of a value, XML's predefined entities and character references decoded, line breaks and tabs as spaces
  /// (XML 1.0, 3.3.3); nil if it is not Unicode, has another entity, or a character that XML does not allow (2.2).
  ///
  /// - Complexity: O(length).
  func text(_ value: Range<Int>) -> String? {
    let bytes = buffer.span
    var isPlain = true
    for index in value {
      // U+FFFE and U+FFFF, which XML does not allow, begin with 0xEF.
      let byte = bytes[index]
      if byte == UInt8(ascii: "&") || byte < UInt8(ascii: " ") || byte == 0xEF { isPlain = false }
    }
    if isPlain { return String(validating: buffer[value], as: UTF8.self) }

    var decoded: [UInt8] = []
    var index = value.lowerBound
    while index < value.upperBound {
      switch bytes[index] {
      case UInt8(ascii: "&"):
        let start = index + 1
        while index < value.upperBound, bytes[index] != UInt8(ascii: ";") { index += 1 }
        guard index < value.upperBound, let scalar = Self.scalar(ofEntity: buffer[start..<index])
        else { return nil }
        decoded.append(contentsOf: String(Character(scalar)).utf8)
      case UInt8(ascii: "\r"):
        let isPair = index + 1 < value.upperBound && bytes[index + 1] == UInt8(ascii: "\n")
        if !isPair { decoded.append(UInt8(ascii: " ")) }
      case UInt8(ascii: "\n"), UInt8(ascii: "\t"):
        decoded.append(UInt8(ascii: " "))
      case ..<UInt8(ascii: " "):
        return nil
      case let byte:
        decoded.append(byte)
      }
      index += 1
    }
    let text = String(validating: decoded, as: UTF8.self)
    return text?.unicodeScalars.contains { $0 == "\u{FFFE}" || $0 == "\u{FFFF}" } == true
      ? nil : text
  }

  /// White space of XML 1.0, 2.3.
  private static func isSpace(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
    default: false
    }
  }

  private static func scalar(ofEntity bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    // The longest are &#x10FFFF; and &#1114111;, leading zeros aside.
    guard bytes.count <= 16, let name = String(validating: bytes, as: UTF8.self) else { return nil }
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default:
      let isHexadecimal = name.hasPrefix("#x")
      let digits = name.dropFirst(isHexadecimal ? 2 : 1)
      guard name.hasPrefix("#"), digits.first?.isHexDigit == true else { return nil }
      guard let value = UInt32(digits, radix: isHexadecimal ? 16 : 10),
        value >= 0x20 || [0x9, 0xA, 0xD].contains(value)
      else { return nil }
      return Unicode.Scalar(value)
    }
  }

  /// The bytes of a range, undecoded.
  func string(_ range: Range<Int>) -> String {
    String(decoding: buffer[range], as: UTF8.self)
  }

  /// ``string(_:)`` for a message: quoted, on one line, cut to 60 bytes.
  func quoted(_ range: Range<Int>) -> String {
    let shown = range.prefix(60)
    return string(shown.startIndex..<shown.endIndex).debugDescription
      + (shown.count < range.count ? "…" : "")
  }
}
