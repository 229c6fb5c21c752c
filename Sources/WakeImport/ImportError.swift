internal import Glibc
internal import WakeEvents
internal import WakeJSON

/// What is wrong with a file that is imported, and where.
///
///     input.jsonl:17: field "frequency": "fortnightly" is not one of immediate, hourly, daily, weekly
public struct ImportError: Error, Hashable, Sendable {
  /// The kind of error; more may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    fileprivate init(_ name: String) { description = name }

    /// The text is not JSON (RFC 8259), or not valid Unicode.
    public static let invalidJSON = Code("invalidJSON")
    /// A key stands twice in one object.
    public static let duplicateKey = Code("duplicateKey")
    /// A policy has no such key.
    public static let unknownKey = Code("unknownKey")
    /// A required field is absent or null.
    public static let missingField = Code("missingField")
    /// A value has the wrong type.
    public static let wrongType = Code("wrongType")
    /// A value is outside of its range.
    public static let outOfRange = Code("outOfRange")
    /// A word is not among those of its field, such as an unknown kind of input.
    public static let unknownWord = Code("unknownWord")
    /// A file, a line or an element is longer than the reader's bound.
    public static let tooLong = Code("tooLong")
    /// The file cannot be read.
    public static let unreadable = Code("unreadable")
    /// The file is empty.
    public static let empty = Code("empty")
    /// The bytes are a zip archive, which ``InputFile`` opens.
    public static let zip = Code("zip")
    /// The file is no XML, or XML of something other than an Apple Health export.
    public static let notAnExport = Code("notAnExport")
    /// The XML is malformed.
    public static let malformed = Code("malformed")
    /// The XML ends before its root element does.
    public static let truncated = Code("truncated")
    /// A field, or an attribute of a sample, has an invalid value.
    public static let invalidField = Code("invalidField")
  }

  /// The kind of error.
  public var code: Code
  /// The name of the file.
  public var file: String
  /// The line, from 1, if the error has one.
  public var line: Int?
  /// The field, if the error has one: `frequency`, `predicate.min`, `subscriptions[2].type`.
  public var field: String?
  /// The byte of the file, from 0, if the error has one.
  public var byteOffset: Int?
  /// What is wrong, in words, without the place.
  public var message: String

  /// Makes an error.
  public init(
    code: Code, file: String, line: Int? = nil, field: String? = nil, byteOffset: Int? = nil,
    message: String
  ) {
    self.code = code
    self.file = file
    self.line = line
    self.field = field
    self.byteOffset = byteOffset
    self.message = message
  }

  /// The error of the last system call, by `errno`.
  static func system(_ what: String, file: String) -> ImportError {
    ImportError(
      code: .unreadable, file: file,
      message: "\(what): \(unsafe String(cString: strerror(errno)))")
  }
}

extension ImportError: CustomStringConvertible {
  /// The place and the message, in one line.
  public var description: String {
    let place = file.shown + (line.map { ":\($0)" } ?? "")
    guard let field else { return "\(place): \(message)" }
    return "\(place): field \(JSONError.quoted(field)): \(message)"
  }
}

extension JSONError {
  /// The error of a text that begins at `line` of `file`.
  func located(in bytes: JSONBytes, file: String, line: Int) -> ImportError {
    let (newlines, column) = bytes.position(ofByteAt: offset ?? 0)
    let place = code == .invalidJSON ? "invalid JSON at byte \(column): " : ""
    return ImportError(
      code: ImportError.Code(code.rawValue), file: file, line: line + newlines, field: path,
      message: place + message)
  }
}
