/// Writes JSON text (RFC 8259), keys in the order of the calls.
///
///     var json = JSONWriter(.line)
///     json.object { $0.member("t", 5); $0.member("k", "lock") }
///     json.bytes  // {"t":5,"k":"lock"}
///
/// Each value has one text, so equal values give equal bytes. The caller keeps the grammar: a key before each
/// member's value, no key twice.
@usableFromInline
package struct JSONWriter {
  package enum Layout: Sendable {
    /// No white space. Whole numbers from 10^15 on and negative zero keep their fraction: `-0.0`.
    case line
    /// Two spaces a level, `"key": value`, `[]` for an empty array.
    case indented
    /// As Foundation's `JSONEncoder` with `prettyPrinted`: `"key" : value`, a blank line in what is empty.
    case foundation
  }

  /// The UTF-8 written so far.
  package var bytes: [UInt8] = []
  private let layout: Layout
  /// The line break and the spaces before a member at the present depth.
  private var lineStart: [UInt8] = [ASCII.newline]
  /// Whether the innermost open object or array has no member yet.
  private var isEmpty = true

  package init(_ layout: Layout) {
    self.layout = layout
  }

  /// The text, with a newline at its end.
  package var text: String { String(decoding: bytes, as: UTF8.self) + "\n" }

  // MARK: Objects and arrays

  package mutating func beginObject() { open(ASCII.openBrace) }
  package mutating func endObject() { close(ASCII.closeBrace) }
  @usableFromInline package mutating func beginArray() { open(ASCII.openBracket) }
  @usableFromInline package mutating func endArray() { close(ASCII.closeBracket) }

  /// Begins the next member of an object or the next element of an array.
  @usableFromInline package mutating func next() {
    if !isEmpty { bytes.append(ASCII.comma) }
    isEmpty = false
    if layout != .line { bytes += lineStart }
  }

  /// Writes a key that needs no escapes; its value comes next.
  @usableFromInline package mutating func key(_ key: StaticString) {
    next()
    bytes.append(ASCII.quote)
    key.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    bytes.append(ASCII.quote)
    endKey()
  }

  /// Writes a key that is found at run time; its value comes next.
  package mutating func key(escaping key: String) {
    next()
    append(key)
    endKey()
  }

  private mutating func endKey() {
    switch layout {
    case .line: bytes.append(ASCII.colon)
    case .indented: bytes += ": ".utf8
    case .foundation: bytes += " : ".utf8
    }
  }

  private mutating func open(_ bracket: UInt8) {
    bytes.append(bracket)
    if layout != .line { lineStart += "  ".utf8 }
    isEmpty = true
  }

  private mutating func close(_ bracket: UInt8) {
    if layout != .line {
      lineStart.removeLast(2)
      if isEmpty, layout == .foundation { bytes.append(ASCII.newline) }
      if !isEmpty || layout == .foundation { bytes += lineStart }
    }
    bytes.append(bracket)
    isEmpty = false
  }

  // MARK: Values

  @usableFromInline package mutating func append(_ boolean: Bool) {
    bytes += (boolean ? "true" : "false").utf8
  }
  @usableFromInline package mutating func appendNull() { bytes += "null".utf8 }

  @usableFromInline package mutating func append(_ number: Int64) {
    if number < 0 { bytes.append(ASCII.minus) }
    append(number.magnitude)
  }

  @usableFromInline package mutating func append(_ number: UInt64) {
    var digits = 1
    var rest = number
    while rest >= 10 {
      digits += 1
      rest /= 10
    }
    bytes.append(contentsOf: repeatElement(0, count: digits))
    rest = number
    for place in 1...digits {
      bytes[bytes.count - place] = ASCII.zero + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  /// Appends the shortest number that reads back as the same double; `null` for infinities and NaN, which JSON
  /// does not have.
  @usableFromInline package mutating func append(_ number: Double) {
    guard number.isFinite else { return appendNull() }
    let isNegativeZero = number == 0 && number.sign == .minus
    if number.magnitude < 1e15, !isNegativeZero, let whole = Int64(exactly: number) {
      append(whole)
    } else {
      let text = number.description
      let isShortened = layout != .line && text.hasSuffix(".0")
      bytes += isShortened ? text.utf8.dropLast(2) : text.utf8[...]
    }
  }

  /// Appends a string in quotes. Only what JSON demands is escaped: the quotation mark, the backslash and what is
  /// below U+0020.
  ///
  /// - Complexity: O(length of the string).
  @usableFromInline package mutating func append(_ string: String) {
    var string = string
    bytes.append(ASCII.quote)
    // Runs without an escape are copied at once.
    string.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices where unsafe Self.isEscaped(utf8[index]) {
        unsafe bytes.append(contentsOf: utf8[start..<index])
        unsafe appendEscape(of: utf8[index])
        start = index + 1
      }
      unsafe bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(ASCII.quote)
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == ASCII.quote || byte == ASCII.backslash
  }

  private mutating func appendEscape(of byte: UInt8) {
    bytes.append(ASCII.backslash)
    switch byte {
    case ASCII.quote, ASCII.backslash: bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case ASCII.tab: bytes.append(UInt8(ascii: "t"))
    case ASCII.newline: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case ASCII.carriageReturn: bytes.append(UInt8(ascii: "r"))
    default:
      bytes += "u00".utf8
      for digit in [byte >> 4, byte & 0xF] {
        bytes.append(digit < 10 ? ASCII.zero + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }
}
