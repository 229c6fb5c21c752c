/// Why a text is not an instant.
public struct TimestampSyntaxError: Error, Hashable, Sendable {
  /// The kinds of mistake.
  public struct Code: Hashable, Sendable {
    private let name: String

    /// A character, or the end of the text, where something else must stand.
    public static let unexpectedCharacter = Code(name: "unexpectedCharacter")
    /// A month, day, hour, minute, second or offset that the calendar or the clock does not have.
    public static let noSuchField = Code(name: "noSuchField")
    /// A fraction of a second finer than nanoseconds.
    public static let tooPrecise = Code(name: "tooPrecise")
    /// An instant outside ``Timestamp/validRange``.
    public static let outOfRange = Code(name: "outOfRange")
  }

  /// The kind of mistake.
  public let code: Code
  /// Where it is: UTF-8 bytes from the start of the text.
  public let offset: Int
  /// What must stand there.
  public let expected: String

  init(_ code: Code, offset: Int, _ expected: String) {
    self.code = code
    self.offset = offset
    self.expected = expected
  }

  static let validInstants = """
    a time within ±4000000000000000000 nanoseconds of 1970 (1843-03-31 to 2096-10-02)
    """
}

extension TimestampSyntaxError: CustomStringConvertible {
  public var description: String { "expected \(expected) at byte \(offset)" }
}
