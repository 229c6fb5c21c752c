/// A validated JSON value; strings, arrays and objects are ranges of the text.
@usableFromInline
package enum JSONValue {
  case null
  case boolean(Bool)
  case number(JSONNumber)
  case string(JSONString)
  case array(Range<Int>)
  case object(Range<Int>)

  /// The type in words, for a message.
  package var noun: String {
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

/// A validated JSON string.
@usableFromInline
package struct JSONString {
  /// The text between the quotes, escapes unresolved.
  @usableFromInline package let content: Range<Int>
  @usableFromInline package let hasEscapes: Bool
}

/// A JSON number: ±`significand` × 10^`exponent` if `isExact`; else the significand exceeds 64 bits and only the
/// text has the value.
@usableFromInline
package struct JSONNumber {
  package let text: Range<Int>
  let isNegative: Bool
  /// Whether it is written without fraction and exponent.
  package let isWhole: Bool
  let isExact: Bool
  let significand: UInt64
  let exponent: Int

  /// The number, if it is written whole and fits 64 bits.
  package var wholeNumber: Int64? {
    guard isWhole, isExact else { return nil }
    if !isNegative { return Int64(exactly: significand) }
    // The magnitude of the least Int64 is one more than the greatest.
    guard significand <= Int64.min.magnitude else { return nil }
    return Int64(truncatingIfNeeded: 0 &- significand)
  }
}
