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
    /// Two spaces a level, as Foundation's `JSONEncoder` does: `"key" : value`, a blank line in what is empty.
    case indented
  }

  /// The UTF-8 written so far.
  package var bytes: [UInt8] = []
  let layout: Layout
  /// How points in time are written.
  package let times: JSONTimeForm
  /// The open objects and arrays.
  private var depth = 0
  /// Whether the innermost open object or array has no member yet.
  private var isEmpty = true

  package init(_ layout: Layout, times: JSONTimeForm = .nanoseconds) {
    self.layout = layout
    self.times = times
  }

  /// The text, with a newline at its end.
  package var text: String { String(decoding: bytes, as: UTF8.self) + "\n" }

  package mutating func beginObject() { open(ASCII.openBrace) }
  package mutating func endObject() { close(ASCII.closeBrace) }
  @usableFromInline package mutating func beginArray() { open(ASCII.openBracket) }
  @usableFromInline package mutating func endArray() { close(ASCII.closeBracket) }

  /// Begins the next member of an object or the next element of an array.
  @usableFromInline package mutating func next() {
    if !isEmpty { bytes.append(ASCII.comma) }
    isEmpty = false
    if layout != .line { startLine() }
  }

  private mutating func startLine() {
    bytes.append(ASCII.newline)
    for _ in 0..<depth { literal("  ") }
  }

  /// Appends JSON text that needs no escapes as it is.
  package mutating func literal(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    bytes.append(room: length) { $0.append(text) }
  }

  /// Writes a key that needs no escapes; its value comes next.
  @usableFromInline package mutating func key(_ key: StaticString) {
    next()
    bytes.append(ASCII.quote)
    literal(key)
    bytes.append(ASCII.quote)
    endKey()
  }

  /// Writes a key that is found at run time; its value comes next.
  package mutating func key(escaping key: String) {
    next()
    key.write(to: &self)
    endKey()
  }

  private mutating func endKey() { literal(layout == .line ? ":" : " : ") }

  private mutating func open(_ bracket: UInt8) {
    bytes.append(bracket)
    depth += 1
    isEmpty = true
  }

  private mutating func close(_ bracket: UInt8) {
    depth -= 1
    if layout != .line {
      if isEmpty { bytes.append(ASCII.newline) }
      startLine()
    }
    bytes.append(bracket)
    isEmpty = false
  }

  /// The JSON text of one value, without white space.
  package static func bytes(of value: some JSONWritable) -> [UInt8] {
    var json = JSONWriter(.line)
    value.write(to: &json)
    return json.bytes
  }
}
