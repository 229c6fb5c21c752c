/// A JSON value by its place in a text; objects and arrays are known to be well formed.
enum JSONValue {
  case null
  case boolean(Bool)
  case number(JSONNumber)
  case string(JSONString)
  case array(Range<Int>)
  case object(Range<Int>)

  /// What the value is, for a message.
  var noun: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// A JSON string by its place in a text.
struct JSONString {
  /// What stands between the quotes, escapes included; known to be valid.
  let content: Range<Int>
  /// Whether the content has escapes; if not, it is the string's UTF-8.
  let hasEscapes: Bool
}

/// A JSON number by its place in a text, and what it is worth.
///
/// Its value is ±`significand` × 10^`exponent` if `isExact`; else it has too many digits for that,
/// and only the text tells.
struct JSONNumber {
  let text: Range<Int>
  let isNegative: Bool
  /// Whether it is written without fraction and exponent.
  let isWhole: Bool
  let isExact: Bool
  let significand: UInt64
  let exponent: Int

  /// The number, if it is a whole one, written as such, that 64 bits hold.
  var wholeNumber: Int64? {
    guard isWhole, isExact else { return nil }
    if !isNegative { return Int64(exactly: significand) }
    // The magnitude of the least Int64 is one more than the greatest.
    guard significand <= Int64.min.magnitude else { return nil }
    return Int64(truncatingIfNeeded: 0 &- significand)
  }
}
