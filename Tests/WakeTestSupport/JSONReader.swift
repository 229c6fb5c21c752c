/// What is wrong with a case's files, in words.
public struct CaseError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Reads JSON texts, plainly; it exists so that the tests do not lean on the reader they test.
struct JSONReader {
  private let bytes: [UInt8]
  private var place = 0

  private init(_ text: some StringProtocol) {
    bytes = Array(text.utf8)
  }

  /// The value that all of `text` is.
  static func value(of text: some StringProtocol) throws -> JSONValue {
    var reader = JSONReader(text)
    let value = try reader.value()
    try reader.expectEnd()
    return value
  }

  /// The members of the object that all of `text` is, each with its own text as it was written.
  static func members(
    of text: some StringProtocol
  ) throws -> [String: (value: JSONValue, text: String)] {
    var reader = JSONReader(text)
    var members: [String: (value: JSONValue, text: String)] = [:]
    try reader.object { name, value, text in members[name] = (value, text()) }
    try reader.expectEnd()
    return members
  }

  private mutating func value() throws -> JSONValue {
    switch try peek() {
    case UInt8(ascii: "{"):
      var members: [String: JSONValue] = [:]
      try object { name, value, _ in members[name] = value }
      return .object(members)
    case UInt8(ascii: "["):
      return .array(try array())
    case UInt8(ascii: "\""):
      return .string(try string())
    default:
      return try word()
    }
  }

  private mutating func object(
    _ take: (_ name: String, _ value: JSONValue, _ text: () -> String) -> Void
  ) throws {
    try expect("{")
    if try peek() == UInt8(ascii: "}") { return try expect("}") }
    while true {
      guard try peek() == UInt8(ascii: "\"") else { throw error("a name was expected") }
      let name = try string()
      try expect(":")
      _ = try peek()
      let start = place
      let value = try value()
      take(name, value) { String(decoding: bytes[start..<place], as: UTF8.self) }
      if try peek() == UInt8(ascii: "}") { return try expect("}") }
      try expect(",")
    }
  }

  private mutating func array() throws -> [JSONValue] {
    var values: [JSONValue] = []
    try expect("[")
    if try peek() == UInt8(ascii: "]") {
      try expect("]")
      return values
    }
    while true {
      values.append(try value())
      if try peek() == UInt8(ascii: "]") {
        try expect("]")
        return values
      }
      try expect(",")
    }
  }

  private mutating func string() throws -> String {
    try expect("\"")
    var units: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: units, as: UTF8.self)
      case UInt8(ascii: "\\"): units += Array(String(try escape()).utf8)
      default: units.append(byte)
      }
    }
    throw error("a string without end")
  }

  private mutating func escape() throws -> Character {
    guard place < bytes.count else { throw error("a string without end") }
    let byte = bytes[place]
    place += 1
    switch byte {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      var code = try hexadecimal()
      if 0xD800..<0xDC00 ~= code, bytes[place...].starts(with: #"\u"#.utf8) {
        place += 2
        code = 0x1_0000 + (code - 0xD800) << 10 + (try hexadecimal()) &- 0xDC00
      }
      guard let scalar = Unicode.Scalar(code) else { throw error("no Unicode scalar") }
      return Character(scalar)
    default: return Character(Unicode.Scalar(byte))
    }
  }

  private mutating func hexadecimal() throws -> UInt32 {
    let digits = String(decoding: bytes[place...].prefix(4), as: UTF8.self)
    guard digits.utf8.count == 4, let code = UInt32(digits, radix: 16) else {
      throw error("four hexadecimal digits were expected")
    }
    place += 4
    return code
  }

  private mutating func word() throws -> JSONValue {
    let ends = Array(",]} \t\r\n".utf8)
    let word = String(
      decoding: bytes[place...].prefix { !ends.contains($0) }, as: UTF8.self)
    place += word.utf8.count
    switch word {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default:
      if let whole = Int64(word) { return .integer(whole) }
      if let number = Double(word), number.isFinite { return .number(number) }
      throw error("'\(word)' is no value")
    }
  }

  /// The next byte that is no space, which stays the next.
  private mutating func peek() throws -> UInt8 {
    while place < bytes.count, Array(" \t\r\n".utf8).contains(bytes[place]) { place += 1 }
    guard place < bytes.count else { throw error("the text ends too early") }
    return bytes[place]
  }

  private mutating func expect(_ character: Unicode.Scalar) throws {
    guard try peek() == UInt8(ascii: character) else {
      throw error("'\(character)' was expected")
    }
    place += 1
  }

  private mutating func expectEnd() throws {
    while place < bytes.count, Array(" \t\r\n".utf8).contains(bytes[place]) { place += 1 }
    if place < bytes.count { throw error("more text than one value") }
  }

  private func error(_ message: String) -> CaseError {
    CaseError("byte \(place): \(message)")
  }
}
