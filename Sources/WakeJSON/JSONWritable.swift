/// A value that ``JSONWriter`` writes.
@usableFromInline
package protocol JSONWritable {
  func write(to json: inout JSONWriter)
}

extension Bool: JSONWritable {
  @inlinable package func write(to json: inout JSONWriter) { json.append(self) }
}

extension Int: JSONWritable {
  @inlinable package func write(to json: inout JSONWriter) { json.append(Int64(self)) }
}

extension Int64: JSONWritable {
  @inlinable package func write(to json: inout JSONWriter) { json.append(self) }
}

extension UInt64: JSONWritable {
  @inlinable package func write(to json: inout JSONWriter) { json.append(self) }
}

extension Double: JSONWritable {
  @inlinable package func write(to json: inout JSONWriter) { json.append(self) }
}

extension String: JSONWritable {
  @inlinable package func write(to json: inout JSONWriter) { json.append(self) }
}

/// `nil` is `null`.
extension Optional: JSONWritable where Wrapped: JSONWritable {
  @inlinable package func write(to json: inout JSONWriter) {
    if let self { self.write(to: &json) } else { json.appendNull() }
  }
}

extension JSONWriter {
  /// Writes a value: the root's, that of the key just written, or of the element just begun.
  @inlinable
  package mutating func value(_ value: some JSONWritable) { value.write(to: &self) }

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
