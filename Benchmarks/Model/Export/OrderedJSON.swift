import WakeJSON

/// A JSON tree with ordered keys.
enum OrderedJSON {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([OrderedJSON])
  case object([(String, OrderedJSON)])

  /// A number, or null for one that JSON cannot express.
  static func measured(_ value: Double?) -> OrderedJSON {
    guard let value, value.isFinite else { return .null }
    return .number(value)
  }

  /// The text, indented, with a newline at its end.
  var text: String {
    var json = JSONWriter(.indented)
    write(to: &json)
    return json.text
  }

  private func write(to json: inout JSONWriter) {
    switch self {
    case .null: json.null()
    case .boolean(let value): json.value(value)
    case .number(let value): json.value(value)
    case .string(let value): json.value(value)
    case .array(let elements): json.array(elements) { $1.write(to: &$0) }
    case .object(let members):
      json.object { json in
        for (key, value) in members {
          json.key(escaping: key)
          value.write(to: &json)
        }
      }
    }
  }
}
