internal import WakeEvents

/// Why a file could not be imported: what is wrong, and where.
///
///     input.jsonl:17: field "frequency": "fortnightly" is not one of immediate, hourly, daily, weekly
public struct ImportError: Error, Hashable, Sendable {
  /// What sort of thing is wrong; more may be added.
  public struct Code: Hashable, Sendable {
    private let name: String

    private init(_ name: String) {
      self.name = name
    }

    /// The text is not JSON (RFC 8259), or not valid Unicode.
    public static let invalidJSON = Code("invalidJSON")
    /// A key stands twice in one object.
    public static let duplicateKey = Code("duplicateKey")
    /// A key that a policy does not have.
    public static let unknownKey = Code("unknownKey")
    /// A required field is absent or null.
    public static let missingField = Code("missingField")
    /// A value is of another type than its field.
    public static let wrongType = Code("wrongType")
    /// A value is outside of what its field may be.
    public static let outOfRange = Code("outOfRange")
    /// A word is not among those of its field; an unknown kind of input is one.
    public static let unknownWord = Code("unknownWord")
    /// A line is longer than the reader's bound.
    public static let lineTooLong = Code("lineTooLong")
    /// The file cannot be read.
    public static let unreadable = Code("unreadable")
  }

  /// What sort of thing is wrong.
  public var code: Code
  /// The name of the file as the reader was given it.
  public var file: String
  /// The line, from 1, if the error has one.
  public var line: Int?
  /// The field, if the error has one: `frequency`, `predicate.min`, `subscriptions[2].type`.
  public var field: String?
  /// What is wrong, in words, without the place.
  public var message: String

  /// Makes an error.
  public init(
    code: Code, file: String, line: Int? = nil, field: String? = nil, message: String
  ) {
    self.code = code
    self.file = file
    self.line = line
    self.field = field
    self.message = message
  }
}

extension ImportError: CustomStringConvertible {
  /// The place and the message, in one line.
  public var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    guard let field else { return "\(place): \(message)" }
    return "\(place): field \(Self.quoted(field)): \(message)"
  }

  /// `text` in quotes, fit for one line of a message: control characters escaped, not too long.
  static func quoted(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(80)
    var buffer: [UInt8] = []
    JSONText.append(String(shown), to: &buffer)
    return String(decoding: buffer, as: UTF8.self) + (shown.endIndex == text.endIndex ? "" : "…")
  }
}

extension ImportError.Code: CustomStringConvertible {
  public var description: String { name }
}
