import WakeJSON
import WakeScheduling

// What fields of results hold.
extension JSONParser {
  mutating func readText() throws(JSONError) -> String {
    bytes.string(try bytes.string(try readValue()))
  }

  mutating func readTexts() throws(JSONError) -> [String] {
    var texts: [String] = []
    try readElements { json throws(JSONError) in texts.append(try json.readText()) }
    return texts
  }

  /// Reads the members of an object, which must have some keys.
  mutating func readMembers(
    with required: [String],
    _ body: (inout JSONParser, _ key: String) throws(JSONError) -> Void
  ) throws(JSONError) {
    var missing = required
    try readMembers { json, key throws(JSONError) in
      let name = json.bytes.string(key)
      missing.removeAll { $0 == name }
      try body(&json, name)
    }
    if let key = missing.first { throw ReplayResult.missing(key) }
  }

  /// A whole number; whether it is in range is checked later, with all others.
  mutating func readCount() throws(JSONError) -> Int {
    Int(try readInteger())
  }

  mutating func readInteger() throws(JSONError) -> Int64 {
    try bytes.wholeNumber(try readValue(), in: .min ... .max, "within 64 bits")
  }

  mutating func readCounts() throws(JSONError) -> [String: Int] {
    var counts: [String: Int] = [:]
    try readMembers { json, key throws(JSONError) in
      counts[json.bytes.string(key)] = try json.readCount()
    }
    return counts
  }

  mutating func readDigest() throws(JSONError) -> Digest {
    let text = try readText()
    guard text.utf8.count == 16, let value = UInt64(text, radix: 16), !text.hasPrefix("+") else {
      throw JSONError(.invalidField, "expected 16 hexadecimal digits")
    }
    return Digest(value: value)
  }

  /// Nil if the value is null.
  mutating func readOptional<Value>(
    _ read: (inout JSONParser) throws(JSONError) -> Value
  ) throws(JSONError) -> Value? {
    skipWhiteSpace()
    guard bytes[position] == UInt8(ascii: "n") else { return try read(&self) }
    _ = try readValue()
    return nil
  }
}
