internal import WakeEvents

/// The fields that inputs have, by their names in JSON Lines (SPEC 2).
enum Field: Int, CaseIterable {
  case t, k, device, type, source, start, end, value, app, frequency, query, predicate, item, result
  case id, aps, pushType, priority, interval, status, active, granted, good

  var name: String { String(describing: self) }
}

/// The members of one line, each at its field, unread but for their place and type.
struct EventFields {
  private static let names = WordTable<Field>()

  /// The line; empty before the first.
  private(set) var bytes = JSONBytes.empty
  /// A bit for each field that the line has.
  private var present: UInt32 = 0
  private var values = [JSONValue](repeating: .null, count: Field.allCases.count)
  /// The keys of the line that are no fields.
  private var otherKeys = JSONKeys()

  /// Takes the members of a line, which must be one object; values of any type are accepted.
  mutating func read(_ line: JSONBytes) throws(FieldError) {
    bytes = line
    present = 0
    if !otherKeys.isEmpty { otherKeys.removeAll() }

    var parser = JSONParser(line)
    parser.skipWhiteSpace()
    guard line[parser.position] == ASCII.openBrace else {
      let value = try parser.readDocument()
      throw line.wrongType(value, "an object")
    }
    parser.position += 1
    var isFirst = true
    while let key = try parser.nextKey(isFirst: &isFirst) {
      do throws(FieldError) {
        let field = try claim(key)
        let value = try parser.readValue(depth: 1)
        if let field { values[field.rawValue] = value }
      } catch {
        throw error.inside(line.string(key))
      }
    }
    try parser.expectEnd()
  }

  /// The field that `key` names, if any, which must be new to the line either way.
  @inline(__always)
  private mutating func claim(_ key: JSONString) throws(FieldError) -> Field? {
    guard let field = Self.names.word(key, in: bytes) else {
      try otherKeys.insert(key, in: bytes)
      return nil
    }
    let bit = Self.bit(of: field)
    if present & bit != 0 { throw JSONKeys.duplicate(key) }
    present |= bit
    return field
  }

  @inline(__always)
  private static func bit(of field: Field) -> UInt32 {
    UInt32(1) << UInt32(field.rawValue)
  }

  /// The value of a field as `read` finds it, nil if the field is absent or null.
  @inline(__always)
  func optional<Value>(
    _ field: Field, _ read: (JSONBytes, JSONValue) throws(FieldError) -> Value
  ) throws(FieldError) -> Value? {
    guard present & Self.bit(of: field) != 0 else { return nil }
    let value = values[field.rawValue]
    if case .null = value { return nil }
    do throws(FieldError) {
      return try read(bytes, value)
    } catch {
      throw error.inside(field.name)
    }
  }

  /// The value of a field as `read` finds it; absent or null is an error.
  @inline(__always)
  func required<Value>(
    _ field: Field, _ read: (JSONBytes, JSONValue) throws(FieldError) -> Value
  ) throws(FieldError) -> Value {
    if let value = try optional(field, read) { return value }
    throw FieldError(.missingField, "is missing").inside(field.name)
  }
}
