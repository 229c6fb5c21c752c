extension JSONWriter {
  /// Writes a value as `JSONEncoder` with sorted keys does: a structure is an object of its stored properties, without
  /// those that are nil. They are found by reflection, which takes about a microsecond each.
  ///
  /// - Parameter write: Writes values that are written in another way; returns false for others.
  package mutating func reflected(
    _ value: Any, else write: (Any, inout JSONWriter) -> Bool
  ) {
    // Casts to concrete types: the first look for a conformance of a type takes longer than to write it.
    switch value {
    case let value as Int: self.value(value)
    case let value as Int64: self.value(value)
    case let value as UInt64: self.value(value)
    case let value as Double: self.value(value)
    case let value as Bool: self.value(value)
    case let value as String: self.value(value)
    case let elements as [Any]: array(elements) { $0.reflected($1, else: write) }
    case _ where write(value, &self): break
    default:
      object { json in
        for (key, value) in Self.members(of: value).sorted(by: { $0.key < $1.key }) {
          json.key(escaping: key)
          json.reflected(value, else: write)
        }
      }
    }
  }

  private static func members(of value: Any) -> [String: Any] {
    if let members = value as? [String: Any] { return members }
    var members: [String: Any] = [:]
    for case (let name?, let value) in Mirror(reflecting: value).children {
      let property = Mirror(reflecting: value)
      members[name] = property.displayStyle == .optional ? property.children.first?.value : value
    }
    return members
  }
}
