/// An error within one JSON text, before its file and line are known.
@usableFromInline
package struct JSONError: Error {
  package enum Code: String, Sendable {
    /// The text is not JSON (RFC 8259), or not valid Unicode.
    case invalidJSON
    /// A key stands twice in one object.
    case duplicateKey
    /// A key that its object may not have.
    case unknownKey
    /// A required member is absent or null.
    case missingField
    case wrongType
    case outOfRange
    /// A string that is not among the words of its field.
    case unknownWord
    /// A value that its reader cannot take.
    case invalidField
  }

  package let code: Code
  /// What is wrong, without the place.
  package let message: String
  /// The place in bytes from the beginning of the text; nil until a caller adds it.
  package var offset: Int?
  /// The path of the value: `predicate.min`, `subscriptions[2].type`; nil for the root.
  package var path: String?

  package init(_ code: Code, _ message: String, offset: Int? = nil) {
    self.code = code
    self.message = message
    self.offset = offset
  }

  /// The same error, its path prefixed with a member's key.
  package func inside(_ key: String) -> JSONError {
    var error = self
    error.path = path.map { $0.hasPrefix("[") ? key + $0 : key + "." + $0 } ?? key
    return error
  }

  /// The same error, at `offset` if it has no place yet.
  package func at(_ offset: Int) -> JSONError {
    var error = self
    error.offset = self.offset ?? offset
    return error
  }

  /// `text` as a JSON string for one line of a message: escaped, at most 80 scalars.
  package static func quoted(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(80)
    return String(decoding: JSONWriter.bytes(of: String(shown)), as: UTF8.self)
      + (shown.endIndex == text.endIndex ? "" : "…")
  }
}
