/// Why an Apple Health export could not be read: what, in which file, and where.
public struct AppleHealthError: Error, Hashable, Sendable {
  /// What went wrong. More codes may come.
  public struct Code: Hashable, Sendable {
    private let name: String

    /// The file could not be read.
    public static let unreadable = Code(name: "unreadable")
    /// The file is empty.
    public static let empty = Code(name: "empty")
    /// The file is a zip archive; the export has to be piped out of it.
    public static let zip = Code(name: "zip")
    /// The file is no XML, or XML of something other than a Health export.
    public static let notAnExport = Code(name: "notAnExport")
    /// The XML is malformed.
    public static let malformed = Code(name: "malformed")
    /// The file ends before its root element does.
    public static let truncated = Code(name: "truncated")
    /// A tag, a name or the nesting exceeds its bound.
    public static let tooLong = Code(name: "tooLong")
    /// A sample lacks an attribute.
    public static let missingField = Code(name: "missingField")
    /// An attribute of a sample has an invalid value.
    public static let invalidField = Code(name: "invalidField")
  }

  /// What went wrong.
  public var code: Code
  /// The file's name.
  public var file: String
  /// The line, from 1, on which the element begins; nil for the whole file.
  public var line: Int?
  /// The byte, from 0, of the error.
  public var byteOffset: Int
  /// What is wrong and what to do, in one line, without the place.
  public var message: String

  /// Makes an error.
  public init(code: Code, file: String, line: Int?, byteOffset: Int, message: String) {
    self.code = code
    self.file = file
    self.line = line
    self.byteOffset = byteOffset
    self.message = message
  }
}

extension AppleHealthError: CustomStringConvertible {
  /// One line: `export.xml:2041: Record: creationDate is missing`.
  public var description: String {
    line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
  }
}
