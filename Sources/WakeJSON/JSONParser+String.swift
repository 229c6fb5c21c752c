extension JSONParser {
  mutating func readString() throws(JSONError) -> JSONString {
    let start = position + 1
    var hasEscapes = false
    position = start
    while true {
      skipPlainCharacters()
      switch bytes[position] {
      case ASCII.quote:
        position += 1
        return JSONString(content: start..<position - 1, hasEscapes: hasEscapes)
      case ASCII.backslash:
        hasEscapes = true
        try skipEscape()
      case 0x80...0xFF:
        try skipScalar()
      default:
        if position >= bytes.count { throw syntaxError("expected a closing quotation mark") }
        throw syntaxError("a control character must be escaped")
      }
    }
  }

  /// Skips ASCII other than quotes, backslashes and control characters, eight bytes at a time (SWAR).
  @inline(__always)
  private mutating func skipPlainCharacters() {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let (quotes, backslashes) = (ones * UInt64(ASCII.quote), ones * UInt64(ASCII.backslash))
    let (spaces, highBits) = (ones * UInt64(ASCII.space), ones * 0x80)
    while let word = bytes.word(at: position) {
      // A byte's high bit is set where it is below 0x20, a quote, a backslash or not ASCII. A borrow can only
      // spoil bytes above such a byte, and only the lowest one is used.
      let control = word &- spaces
      let quote = (word ^ quotes) &- ones
      let backslash = (word ^ backslashes) &- ones
      let special = (control | quote | backslash | word) & highBits
      if special != 0 {
        position += special.trailingZeroBitCount / 8
        return
      }
      position += 8
    }
    while true {
      switch bytes[position] {
      case ASCII.quote, ASCII.backslash, 0..<0x20, 0x80...0xFF: return
      default: position += 1
      }
    }
  }

  private mutating func skipEscape() throws(JSONError) {
    switch bytes[position + 1] {
    case ASCII.quote, ASCII.backslash, UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
    case UInt8(ascii: "u"):
      guard let unit = bytes.escapedUnit(at: position) else {
        throw syntaxError(#"expected four hexadecimal digits after "\u""#)
      }
      if UTF16.isTrailSurrogate(unit) { throw loneSurrogate }
      if UTF16.isLeadSurrogate(unit) {
        guard let next = bytes.escapedUnit(at: position + 6), UTF16.isTrailSurrogate(next) else {
          throw loneSurrogate
        }
        position += 6
      }
      position += 6
    default:
      throw syntaxError("no such escape")
    }
  }

  private var loneSurrogate: JSONError {
    syntaxError("a surrogate without its other half is no valid Unicode")
  }

  /// Skips one non-ASCII scalar, well formed by table 3-7 of the Unicode standard: no overlong forms, no
  /// surrogates, nothing beyond U+10FFFF.
  private mutating func skipScalar() throws(JSONError) {
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch bytes[position] {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw invalidUTF8
    }
    if !second.contains(bytes[position + 1]) { throw invalidUTF8 }
    for place in 2..<Swift.max(length, 2) where bytes[position + place] & 0xC0 != 0x80 {
      throw invalidUTF8
    }
    position += length
  }

  private var invalidUTF8: JSONError {
    JSONError(.invalidJSON, "invalid UTF-8", offset: position)
  }
}

extension JSONBytes {
  /// The UTF-8 of a string, escapes resolved.
  @usableFromInline package func utf8(of string: JSONString) -> [UInt8] {
    string.hasEscapes ? Array(self.string(string).utf8) : array(string.content)
  }

  /// Whether two strings are the same, escapes resolved.
  package func areEqual(_ one: JSONString, _ other: JSONString) -> Bool {
    guard !one.hasEscapes, !other.hasEscapes else { return utf8(of: one) == utf8(of: other) }
    return one.content.count == other.content.count
      && zip(one.content, other.content).allSatisfy { self[$0] == self[$1] }
  }

  /// The string's text, escapes resolved.
  @usableFromInline package func string(_ string: JSONString) -> String {
    if !string.hasEscapes { return text(string.content) }
    var decoded: [UInt8] = []
    var index = string.content.lowerBound
    while index < string.content.upperBound {
      if self[index] == ASCII.backslash {
        index = appendEscape(at: index, to: &decoded)
      } else {
        decoded.append(self[index])
        index += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Appends the escape at `index`, resolved, and returns the index behind it.
  private func appendEscape(at index: Int, to decoded: inout [UInt8]) -> Int {
    switch self[index + 1] {
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "t"): decoded.append(ASCII.tab)
    case UInt8(ascii: "n"): decoded.append(ASCII.newline)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "r"): decoded.append(ASCII.carriageReturn)
    case UInt8(ascii: "u"):
      let lead = escapedUnit(at: index) ?? 0
      let units = UTF16.isLeadSurrogate(lead) ? [lead, escapedUnit(at: index + 6) ?? 0] : [lead]
      decoded.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
      return index + 6 * units.count
    default: decoded.append(self[index + 1])
    }
    return index + 2
  }

  /// The UTF-16 unit of the escape `\uXXXX` at `index`, or nil if there is none.
  fileprivate func escapedUnit(at index: Int) -> UInt16? {
    guard self[index] == ASCII.backslash, self[index + 1] == UInt8(ascii: "u") else { return nil }
    var unit: UInt16 = 0
    for place in 2..<6 {
      guard let digit = Character(UnicodeScalar(self[index + place])).hexDigitValue else {
        return nil
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}
