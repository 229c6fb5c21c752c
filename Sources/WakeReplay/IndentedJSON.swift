import WakeEvents

/// JSON text that is written member by member, indented: what `JSONEncoder` writes with sorted keys, if
/// members are given in their order, for a small part of its time.
struct IndentedJSON {
  private(set) var bytes: [UInt8] = []
  /// What every line begins with at the present depth: the end of the one before, and spaces.
  private var lineStart = [UInt8(ascii: "\n")]
  /// Whether what is open has nothing in it yet.
  private var isEmpty = true

  /// Writes an object as the value that is due.
  mutating func object(_ members: (inout IndentedJSON) -> Void) {
    open("{")
    members(&self)
    close("}")
  }

  /// Writes an array as the value that is due.
  mutating func array<Element>(
    _ elements: [Element], _ write: (inout IndentedJSON, Element) -> Void
  ) {
    open("[")
    for element in elements {
      next()
      write(&self, element)
    }
    close("]")
  }

  /// Writes a member's key; its value is due then.
  mutating func key(_ key: String) {
    next()
    JSONText.append(key, to: &bytes)
    bytes.append(contentsOf: " : ".utf8)
  }

  mutating func value(_ value: Int) { JSONText.append(Int64(value), to: &bytes) }
  mutating func value(_ value: UInt64) { JSONText.append(value, to: &bytes) }
  mutating func value(_ value: Int64) { JSONText.append(value, to: &bytes) }

  /// Writes a number as `JSONEncoder` does: the shortest that reads back as the same, without a fraction
  /// of 0. One that is not finite, which it refuses, becomes `null`.
  mutating func value(_ value: Double) {
    guard value.isFinite else { return JSONText.append(value, to: &bytes) }
    let text = value.description
    bytes.append(contentsOf: text.hasSuffix(".0") ? text.utf8.dropLast(2) : text.utf8[...])
  }

  mutating func value(_ value: String) { JSONText.append(value, to: &bytes) }

  private mutating func open(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    lineStart += "  ".utf8
    isEmpty = true
  }

  private mutating func close(_ bracket: Unicode.Scalar) {
    lineStart.removeLast(2)
    if isEmpty { bytes.append(UInt8(ascii: "\n")) }
    bytes += lineStart
    bytes.append(UInt8(ascii: bracket))
    isEmpty = false
  }

  private mutating func next() {
    if !isEmpty { bytes.append(UInt8(ascii: ",")) }
    isEmpty = false
    bytes += lineStart
  }
}

extension IndentedJSON {
  mutating func member(_ key: String, _ value: Int) {
    self.key(key)
    self.value(value)
  }

  mutating func member(_ key: String, _ value: UInt64) {
    self.key(key)
    self.value(value)
  }

  mutating func member(_ key: String, _ value: Int64) {
    self.key(key)
    self.value(value)
  }

  mutating func member(_ key: String, _ value: Double) {
    self.key(key)
    self.value(value)
  }

  mutating func member(_ key: String, _ value: String) {
    self.key(key)
    self.value(value)
  }

  mutating func member(_ key: String, _ members: (inout IndentedJSON) -> Void) {
    self.key(key)
    object(members)
  }

  mutating func member<Element>(
    _ key: String, _ elements: [Element], _ write: (inout IndentedJSON, Element) -> Void
  ) {
    self.key(key)
    array(elements, write)
  }
}
