/// A strict reader of JSON (RFC 8259) over bytes in memory.
///
/// It finds values and checks them, but builds nothing: ``JSONValue`` says where they stand. Beyond
/// the grammar it demands valid Unicode, no key twice in an object, and bounded nesting.
struct JSONParser {
  /// Objects and arrays within each other; more are an error, so that no input overflows the stack.
  static let maximumDepth = 128

  let bytes: JSONBytes
  /// The place of the next byte to be read.
  var position: Int

  /// A parser of `bytes` that begins at `position`.
  init(_ bytes: JSONBytes, at position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  /// Reads a text that is one value and nothing else.
  mutating func readDocument() throws(FieldError) -> JSONValue {
    let value = try readValue()
    try expectEnd()
    return value
  }

  /// Reads one value, with the white space before it.
  mutating func readValue(depth: Int = 0) throws(FieldError) -> JSONValue {
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
  mutating func skipWhiteSpace() {
    while true {
      switch bytes[position] {
      case ASCII.space, ASCII.tab, ASCII.newline, ASCII.carriageReturn: position += 1
      default: return
      }
    }
  }

  /// Accepts white space only, up to the end of the text.
  mutating func expectEnd() throws(FieldError) {
    skipWhiteSpace()
    if position < bytes.count { throw syntaxError("expected nothing more") }
  }

  /// The error that what stands at the present place breaks the grammar.
  func syntaxError(_ message: String) -> FieldError {
    let isAtEnd = position >= bytes.count
    return FieldError(
      .invalidJSON, isAtEnd ? message + ", found the end" : message, offset: position)
  }

  private mutating func expect(_ word: StaticString) throws(FieldError) {
    for place in 0..<word.utf8CodeUnitCount {
      let expected = unsafe word.utf8Start[place]
      if bytes[position + place] != expected { throw syntaxError("expected a value") }
    }
    position += word.utf8CodeUnitCount
  }
}
