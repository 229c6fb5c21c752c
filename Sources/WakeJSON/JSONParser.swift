/// A strict pull parser of JSON (RFC 8259) over bytes in memory.
///
/// It checks values without building a tree: a ``JSONValue`` is a range of the text. Beyond the grammar it demands
/// valid Unicode, no key twice in an object, and at most ``maximumDepth`` levels.
@usableFromInline
package struct JSONParser {
  /// The deepest nesting of objects and arrays; a bound, as skipping recurses.
  package static let maximumDepth = 128

  @usableFromInline package let bytes: JSONBytes
  /// The place of the next byte to be read.
  @usableFromInline package var position: Int

  /// A parser of `bytes` that begins at `position`.
  package init(_ bytes: JSONBytes, at position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  /// Reads a text that is one value and nothing else.
  package mutating func readDocument() throws(JSONError) -> JSONValue {
    let value = try readValue()
    try expectEnd()
    return value
  }

  /// Reads one value, with the white space before it.
  package mutating func readValue(depth: Int = 0) throws(JSONError) -> JSONValue {
    skipWhiteSpace()
    let start = position
    switch bytes[position] {
    case ASCII.quote:
      return .string(try readString())
    case ASCII.minus, ASCII.zero...ASCII.nine:
      return .number(try readNumber())
    case ASCII.openBrace:
      try skipObject(depth: depth + 1)
      return .object(start..<position)
    case ASCII.openBracket:
      try skipArray(depth: depth + 1)
      return .array(start..<position)
    case UInt8(ascii: "t"):
      try expect("true")
      return .boolean(true)
    case UInt8(ascii: "f"):
      try expect("false")
      return .boolean(false)
    case UInt8(ascii: "n"):
      try expect("null")
      return .null
    default:
      throw syntaxError("expected a value")
    }
  }

  @inline(__always)
  package mutating func skipWhiteSpace() {
    while true {
      switch bytes[position] {
      case ASCII.space, ASCII.tab, ASCII.newline, ASCII.carriageReturn: position += 1
      default: return
      }
    }
  }

  /// Accepts white space only, up to the end of the text.
  package mutating func expectEnd() throws(JSONError) {
    skipWhiteSpace()
    if position < bytes.count { throw syntaxError("expected nothing more") }
  }

  /// A grammar error at the present position.
  package func syntaxError(_ message: String) -> JSONError {
    let isAtEnd = position >= bytes.count
    return JSONError(
      .invalidJSON, isAtEnd ? message + ", found the end" : message, offset: position)
  }

  private mutating func expect(_ word: StaticString) throws(JSONError) {
    for place in 0..<word.utf8CodeUnitCount {
      let expected = unsafe word.utf8Start[place]
      if bytes[position + place] != expected { throw syntaxError("expected a value") }
    }
    position += word.utf8CodeUnitCount
  }
}
