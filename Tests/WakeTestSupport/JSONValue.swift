public import WakeEvents

/// A JSON value that can be compared with `==`.
///
/// Whole numbers written without fraction or exponent are integers, so that times keep all of their
/// digits; strings are compared by their bytes.
public enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(ExactName)
  case array([JSONValue])
  case object([String: JSONValue])

  /// A string.
  public static func string(_ string: String) -> JSONValue { .string(ExactName(string)) }

  /// A whole number.
  public static func integer(_ number: Int) -> JSONValue { .integer(Int64(number)) }
}

extension JSONValue {
  /// The value as JSON on one line, the keys of objects sorted.
  public var text: String {
    switch self {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .integer(let value): return String(value)
    case .number(let value): return JSONText.number(value)
    case .string(let value): return JSONText.string(value.string)
    case .array(let values):
      return "[" + values.map(\.text).joined(separator: ", ") + "]"
    case .object(let members):
      let texts = members.sorted { $0.key < $1.key }.map {
        JSONText.string($0.key) + ": " + $0.value.text
      }
      return "{" + texts.joined(separator: ", ") + "}"
    }
  }
}

/// How strings and numbers are written in JSON.
enum JSONText {
  static func string(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// A finite double, with no fraction where it is whole and its digits are few.
  static func number(_ number: Double) -> String {
    if let whole = Int64(exactly: number), abs(number) < 1e15, number != 0 || number.sign == .plus {
      return String(whole)
    }
    return number.description
  }
}
