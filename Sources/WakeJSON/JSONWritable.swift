/// A value that ``JSONWriter`` writes.
@usableFromInline
package protocol JSONWritable {
  func write(to json: inout JSONWriter)
}

extension Bool: JSONWritable {
  @usableFromInline package func write(to json: inout JSONWriter) {
    json.literal(self ? "true" : "false")
  }
}

extension Int: JSONWritable {
  @inlinable package func write(to json: inout JSONWriter) { Int64(self).write(to: &json) }
}

extension Int64: JSONWritable {
  @usableFromInline package func write(to json: inout JSONWriter) {
    if self < 0 { json.bytes.append(ASCII.minus) }
    magnitude.write(to: &json)
  }
}

extension UInt64: JSONWritable {
  @usableFromInline package func write(to json: inout JSONWriter) {
    guard self >= 10 else { return json.bytes.append(ASCII.zero + UInt8(self)) }
    json.bytes.append(room: TextRoom.numberRoom) { $0.append(self) }
  }
}

/// The shortest number that reads back as the same double; `null` for infinities and NaN, which JSON does not have.
extension Double: JSONWritable {
  @usableFromInline package func write(to json: inout JSONWriter) {
    guard isFinite else { return json.null() }
    let isNegativeZero = self == 0 && sign == .minus
    if magnitude < 1e15, !isNegativeZero, let whole = Int64(exactly: self) {
      whole.write(to: &json)
    } else {
      let isShortened = json.layout != .line && description.hasSuffix(".0")
      json.bytes += isShortened ? description.utf8.dropLast(2) : description.utf8[...]
    }
  }
}

/// A string in quotes. Only what JSON demands is escaped: the quotation mark, the backslash and what is below U+0020.
extension String: JSONWritable {
  @usableFromInline package func write(to json: inout JSONWriter) {
    var string = self
    json.bytes.append(ASCII.quote)
    // Runs without an escape are copied at once.
    string.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices where unsafe Self.isEscaped(utf8[index]) {
        unsafe json.bytes.append(contentsOf: utf8[start..<index])
        unsafe json.bytes += Self.escape(of: utf8[index]).utf8
        start = index + 1
      }
      unsafe json.bytes.append(contentsOf: utf8[start...])
    }
    json.bytes.append(ASCII.quote)
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == ASCII.quote || byte == ASCII.backslash
  }

  private static func escape(of byte: UInt8) -> String {
    switch byte {
    case ASCII.quote: #"\""#
    case ASCII.backslash: #"\\"#
    case 0x08: #"\b"#
    case ASCII.tab: #"\t"#
    case ASCII.newline: #"\n"#
    case 0x0C: #"\f"#
    case ASCII.carriageReturn: #"\r"#
    default: #"\u00"# + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
    }
  }
}

/// `nil` is `null`.
extension Optional: JSONWritable where Wrapped: JSONWritable {
  @inlinable package func write(to json: inout JSONWriter) {
    if let self { self.write(to: &json) } else { json.null() }
  }
}

extension JSONWriter {
  /// Writes a value: the root's, that of the key just written, or of the element just begun.
  @inlinable
  package mutating func value(_ value: some JSONWritable) { value.write(to: &self) }

  @usableFromInline package mutating func null() { literal("null") }

  /// Writes an object as the value.
  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    beginObject()
    members(&self)
    endObject()
  }

  /// Writes an array as the value, each element by `write`.
  @inlinable
  package mutating func array<Element>(
    _ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
  ) {
    beginArray()
    for element in elements {
      next()
      write(&self, element)
    }
    endArray()
  }

  @inlinable
  package mutating func member(_ key: StaticString, _ value: some JSONWritable) {
    self.key(key)
    value.write(to: &self)
  }

  /// Writes a member unless its value is nil.
  @inlinable
  package mutating func memberIfPresent(_ key: StaticString, _ value: (some JSONWritable)?) {
    if let value { member(key, value) }
  }

  /// Writes a member whose value is JSON text already.
  package mutating func member(_ key: StaticString, text: [UInt8]) {
    self.key(key)
    bytes += text
  }

  /// Writes a member that is an object.
  package mutating func member(_ key: StaticString, _ members: (inout JSONWriter) -> Void) {
    self.key(key)
    object(members)
  }

  /// Writes a member that is an array.
  @inlinable
  package mutating func member<Element>(
    _ key: StaticString, _ elements: some Sequence<Element>,
    _ write: (inout JSONWriter, Element) -> Void
  ) {
    self.key(key)
    array(elements, write)
  }
}
