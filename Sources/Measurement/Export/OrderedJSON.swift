/// JSON whose keys stay in the order in which they are given, as the formats' own writers have them.
enum OrderedJSON {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([OrderedJSON])
  case object([(String, OrderedJSON)])

  /// A number, or null for one that JSON cannot tell.
  static func measured(_ value: Double?) -> OrderedJSON {
    guard let value, value.isFinite else { return .null }
    return .number(value)
  }

  /// The text, indented, with a newline at its end.
  var text: String {
    var text = ""
    write(to: &text, indentation: "")
    return text + "\n"
  }

  private func write(to text: inout String, indentation: String) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .number(let value): text += value.isFinite ? DecimalText.shortest(value) : "null"
    case .string(let value): Self.quote(value, to: &text)
    case .array(let elements):
      Self.write(elements, "[", "]", to: &text, indentation) { element, text, inner in
        element.write(to: &text, indentation: inner)
      }
    case .object(let members):
      Self.write(members, "{", "}", to: &text, indentation) { member, text, inner in
        Self.quote(member.0, to: &text)
        text += ": "
        member.1.write(to: &text, indentation: inner)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], _ opening: String, _ closing: String, to text: inout String,
    _ indentation: String, element: (Element, inout String, String) -> Void
  ) {
    text += opening
    let inner = indentation + "  "
    for (place, value) in elements.enumerated() {
      text += place == 0 ? "\n" : ",\n"
      text += inner
      element(value, &text, inner)
    }
    if !elements.isEmpty { text += "\n" + indentation }
    text += closing
  }

  private static func quote(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
