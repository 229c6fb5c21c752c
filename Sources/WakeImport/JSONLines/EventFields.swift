internal import WakeEvents
internal import WakeJSON

/// The fields of inputs, by their names in JSON Lines (page Rules, section 2).
enum Field: Int, CaseIterable {
  case t, k, device, type, source, start, end, value, app, frequency, query, predicate, item, result
  case id, aps, pushType, priority, interval, status, active, granted, good
  case types, push, refresh, outcome, saves, oldest

  var name: String { String(describing: self) }
}

/// The members of one line by field, parsed but not converted.
struct EventFields {
  private static let names = WordTable<Field>()

  private(set) var bytes = JSONBytes.empty
  /// A bit for each field that the line has.
  private var present: UInt32 = 0
  private var values = [JSONValue](repeating: .null, count: Field.allCases.count)
  /// The field that was asked for last, for the path of an error.
  private(set) var current = Field.t
  /// The keys of the line that are not fields.
  private var otherKeys = JSONKeys()

  /// Parses a line, which must be one object; values of any type are accepted.
  mutating func read(_ line: JSONBytes) throws(JSONError) {
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
      do throws(JSONError) {
        let field = try claim(key)
        let value = try parser.readValue(depth: 1)
        if let field { values[field.rawValue] = value }
      } catch {
        throw error.inside(line.string(key))
      }
    }
    try parser.expectEnd()
  }

  /// The field that `key` names; nil for an unknown key. A key that stands twice is an error.
  @inline(__always)
  private mutating func claim(_ key: JSONString) throws(JSONError) -> Field? {
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

  /// Whether the line has a field, be it null.
  func has(_ field: Field) -> Bool { present & Self.bit(of: field) != 0 }

  /// The value of a field; nil if it is absent or null.
  @inline(__always)
  mutating func optional(_ field: Field) -> JSONValue? {
    current = field
    guard present & Self.bit(of: field) != 0 else { return nil }
    let value = values[field.rawValue]
    if case .null = value { return nil }
    return value
  }

  /// The value of a field; absent or null is an error.
  @inline(__always)
  mutating func required(_ field: Field) throws(JSONError) -> JSONValue {
    if let value = optional(field) { return value }
    throw JSONError(.missingField, "is missing")
  }
}
