import WakeEvents

extension JSONValue {
  /// The value that all of `text` is.
  public static func parsing(_ text: some StringProtocol) throws -> JSONValue {
    try JSONReader.value(of: text)
  }

  /// The values of JSON Lines.
  public static func parsingLines(_ text: some StringProtocol) throws -> [JSONValue] {
    try text.split(separator: "\n").map { try parsing($0) }
  }

  /// The member of an object; nil where there is none, and where this is no object.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  /// The elements of an array; none where this is no array.
  public var elements: [JSONValue] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  /// The keys of an object; none where this is no object.
  public var keys: Set<String> {
    guard case .object(let members) = self else { return [] }
    return Set(members.keys)
  }

  /// A whole number; nil where this is none.
  public var wholeNumber: Int64? {
    guard case .integer(let number) = self else { return nil }
    return number
  }

  /// A string; nil where this is none.
  public var string: String? {
    guard case .string(let name) = self else { return nil }
    return name.string
  }
}
