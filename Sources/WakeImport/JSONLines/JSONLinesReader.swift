public import WakeEvents
internal import WakeJSON

/// Reads events from JSON Lines (page Rules, section 2).
///
///     var reader = JSONLinesReader(file: "input.jsonl", symbols: symbols)
///     try reader.read(from: { span in try input.read(into: &span) }) { event, line in
///       ...
///     }
///
/// It is strict: whatever that page or RFC 8259 does not allow is an ``ImportError`` with file, line and field, in
/// ignored fields too; so are a key that stands twice in an object and more than 128 levels of nesting. The last
/// line may lack its newline; a carriage return is white space; a byte order mark is skipped.
///
/// Memory is bounded by the longest line (see ``maximumLineLength``) and the names.
public struct JSONLinesReader {
  /// The name of the file, for messages.
  public let file: String
  /// The longest line in bytes, without its end; 8 MiB by default.
  public var maximumLineLength = 8 << 20
  /// The time of lines without `t`; nil, the default, makes them errors.
  public var clock: (() -> Timestamp)? {
    get { parser.clock }
    set { parser.clock = newValue }
  }
  private static var chunkSize: Int { 256 << 10 }

  private var parser: EventParser

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - file: The name of the file, for messages.
  ///   - symbols: Where the names in the events are interned.
  public init(file: String, symbols: Symbols) {
    self.file = file
    parser = EventParser(symbols: symbols)
  }

  /// Reads all events that a source yields.
  ///
  /// - Parameters:
  ///   - source: Fills the beginning of the span and returns the number of bytes; 0 is the end.
  ///   - onEvent: Takes each event with the number of its line, from 1.
  /// - Throws: ``ImportError`` at the first wrong line, after the events before it; what the closures throw.
  /// - Complexity: O(bytes).
  public mutating func read(
    from source: (inout MutableSpan<UInt8>) throws -> Int,
    onEvent: (_ event: Event, _ line: Int) throws -> Void
  ) throws {
    try forEachLine(of: source) { reader, bytes, number in
      if let event = try reader.event(of: bytes, number, file: reader.file) {
        try onEvent(event, number)
      }
    }
  }

  /// Reads the lines of a wake log instead (page Rules, 7).
  package mutating func readWakes(
    from source: (inout MutableSpan<UInt8>) throws -> Int,
    onWake: (_ wake: LoggedWake, _ line: Int) throws -> Void
  ) throws {
    try forEachLine(of: source) { reader, bytes, number in
      let file = reader.file
      let wake = try reader.parsed(bytes, number, file: file) { parser, line throws(JSONError) in
        try parser.parseWake(line)
      }
      if let wake { try onWake(wake, number) }
    }
  }

  @inline(__always)
  private mutating func forEachLine(
    of source: (inout MutableSpan<UInt8>) throws -> Int,
    _ body: (inout JSONLinesReader, JSONBytes, Int) throws -> Void
  ) throws {
    var chunk = [UInt8](repeating: 0, count: Self.chunkSize)
    var splitter = LineSplitter(file: file, maximumLength: maximumLineLength)
    while true {
      var span = chunk.mutableSpan
      let count = try source(&span)
      if count <= 0 { break }
      try chunk.withJSONBytes { bytes in
        try splitter.feed(bytes.part(0..<count)) { try body(&self, $0, $1) }
      }
    }
    try splitter.finish { try body(&self, $0, $1) }
  }

  /// The event of a line; nil if it is blank.
  @inline(__always)
  mutating func event(
    of bytes: JSONBytes, _ number: Int, file: String
  ) throws(ImportError) -> Event? {
    try parsed(bytes, number, file: file) { parser, line throws(JSONError) in
      try parser.parse(line)
    }
  }

  @inline(__always)
  private mutating func parsed<Value>(
    _ bytes: JSONBytes, _ number: Int, file: String,
    _ parse: (inout EventParser, JSONBytes) throws(JSONError) -> Value
  ) throws(ImportError) -> Value? {
    let line = number == 1 ? bytes.withoutByteOrderMark : bytes
    if line.isBlank { return nil }
    do throws(JSONError) {
      return try parse(&parser, line)
    } catch {
      throw error.located(in: line, file: file, line: number)
    }
  }
}

extension JSONBytes {
  fileprivate var isBlank: Bool {
    if self[0] == ASCII.openBrace { return false }
    var parser = JSONParser(self)
    parser.skipWhiteSpace()
    return parser.position >= count
  }
}
