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
    // The greatest number has 20 digits: three groups of 8, the first one of 4.
    let (upper, low) = quotientAndRemainder(dividingBy: 100_000_000)
    let (high, middle) = upper.quotientAndRemainder(dividingBy: 100_000_000)
    json.bytes.append(addingCapacity: 24) { text in
      if high > 0 {
        high.writeDigits(to: &text)
        middle.writeEightDigits(to: &text)
        low.writeEightDigits(to: &text)
      } else if middle > 0 {
        middle.writeDigits(to: &text)
        low.writeEightDigits(to: &text)
      } else {
        low.writeDigits(to: &text)
      }
    }
  }

  /// Appends a number from 1 to 10^8 - 1.
  @inline(__always)
  private func writeDigits(to text: inout OutputSpan<UInt8>) {
    let digits = eightDigits
    Self.write(digits, from: digits.trailingZeroBitCount / 8, to: &text)
  }

  /// Appends a number below 10^8 with leading zeros.
  @inline(__always)
  private func writeEightDigits(to text: inout OutputSpan<UInt8>) {
    Self.write(eightDigits, from: 0, to: &text)
  }

  /// Appends digits without the first ones, of which there are fewer than 8. There is room for 8 bytes in any case.
  @inline(__always)
  private static func write(_ digits: UInt64, from first: Int, to text: inout OutputSpan<UInt8>) {
    let ascii = (digits | 0x3030_3030_3030_3030) >> UInt64(8 * first)
    unsafe text.withUnsafeMutableBufferPointer { bytes, count in
      precondition(bytes.count - count >= 8)
      unsafe UnsafeMutableRawBufferPointer(bytes).storeBytes(
        of: ascii.littleEndian, toByteOffset: count, as: UInt64.self)
      count += 8 - first
    }
  }

  /// The digits of a number below 10^8, a byte each, the first one the lowest.
  ///
  /// It divides all halves and then all pairs at once, in parts of one word (P. Khuong, "How to print integers really
  /// fast", 2017).
  private var eightDigits: UInt64 {
    let halves = self / 10_000 | (self % 10_000) << 32
    let hundreds = (halves &* 10_486) >> 20 & 0x7F_0000_007F
    let pairs = hundreds | (halves &- 100 &* hundreds) << 16
    let tens = (pairs &* 103) >> 10 & 0x0F_000F_000F_000F
    return tens | (pairs &- 10 &* tens) << 8
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
