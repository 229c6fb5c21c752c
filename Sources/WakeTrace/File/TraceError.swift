import WakeEvents

/// What is wrong with a trace, and where.
public struct TraceError: Error, Hashable, Sendable {
  /// The kinds of failure; later versions may add some.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// The file cannot be opened, read or written.
    public static let inputOutput = Code(description: "input/output")
    /// The file is empty.
    public static let empty = Code(description: "empty")
    /// The file ends within a block.
    public static let truncated = Code(description: "truncated")
    /// There is no trace block at this place.
    public static let notATrace = Code(description: "not a trace")
    /// The block was written by a version of the format that this one does not know.
    public static let unknownVersion = Code(description: "unknown version")
    /// A checksum does not match.
    public static let damaged = Code(description: "damaged")
    /// Checksums match, but the content contradicts itself or exceeds a bound of the format.
    public static let malformed = Code(description: "malformed")
    /// Blocks of a stream are missing.
    public static let missingBlocks = Code(description: "missing blocks")
    /// A block of a stream occurs twice.
    public static let repeatedBlock = Code(description: "repeated block")
    /// A block follows a later one of its stream.
    public static let misplacedBlock = Code(description: "misplaced block")
    /// The data to write exceeds the format's bounds.
    public static let tooLarge = Code(description: "too large")
    /// An event that is to be written has a time or a number outside the range that events may have (page Rules, 2).
    public static let invalidEvent = Code(description: "invalid event")
    /// Another recorder writes the file, or takes events out of it.
    public static let inUse = Code(description: "in use")
    /// The file is another user's, or another user may change it.
    public static let anotherUsers = Code(description: "another user's")
    /// Two devices have names with the same hash, so readers could not tell their events apart.
    public static let sameDeviceHash = Code(description: "same device hash")
    /// The recorder is closed, or belongs to another process.
    public static let closed = Code(description: "closed")
    /// The recorder did not give out this name's number.
    public static let unknownName = Code(description: "unknown name")
    /// A recorder's options contradict each other.
    public static let invalidOption = Code(description: "invalid option")
    /// A scheduler under test did what no scheduler may do.
    public static let faultyScheduler = Code(description: "faulty scheduler")
  }

  /// The kind of failure.
  public var code: Code
  /// The file's path, or what stands for it.
  public var file: String
  /// The offset of the block in the file, if the error concerns a block.
  public var offset: Int64?
  /// What is wrong, in words.
  public var message: String

  /// Makes an error.
  public init(code: Code, file: String, offset: Int64? = nil, message: String) {
    self.code = code
    self.file = file
    self.offset = offset
    self.message = message
  }

  /// An error that concerns no block.
  package init(_ code: Code, _ file: String, _ message: String) {
    self.init(code: code, file: file, message: message)
  }
}

extension TraceError {
  /// The error that a path is another user's symbolic link.
  package static func foreignLink(_ path: String) -> TraceError {
    TraceError(
      .anotherUsers, path,
      "is a symbolic link of another user, so it is not followed; name another file")
  }
}

extension TraceError: CustomStringConvertible {
  /// One line: file, offset, what is wrong.
  public var description: String {
    guard let offset else { return "\(file.shown): \(message)" }
    return "\(file.shown): byte \(offset): \(message)"
  }
}

/// What is wrong in a block; ``located(file:offset:)`` adds where the block is.
package struct BlockError: Error {
  package var code: TraceError.Code
  package var message: String

  package init(_ code: TraceError.Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package static func malformed(_ message: String) -> BlockError { BlockError(.malformed, message) }

  package static func invalidEvent(_ message: String) -> BlockError {
    BlockError(.invalidEvent, message)
  }

  package func located(file: String, offset: Int64) -> TraceError {
    TraceError(code: code, file: file, offset: offset, message: message)
  }
}
