public import WakeEvents

/// Reads events from JSON Lines (SPEC 2).
///
///     var reader = JSONLinesReader(file: "input.jsonl", symbols: symbols)
///     try reader.read(descriptor: descriptor) { event, line in
///       ...
///     }
///
/// It is strict: what SPEC 2 does not allow is an ``ImportError`` that names the file, the line and
/// the field, and so is everything that RFC 8259 does not allow, anywhere in a line, also in fields
/// that are ignored; further a key that stands twice in one object, and more than 128 objects and
/// arrays within each other. Lines end with a newline, the last one may do without; a carriage
/// return is white space; a byte order mark at the beginning of the file is skipped.
///
/// Memory is bounded by the longest line (see ``maximumLineLength``) and the names themselves.
public struct JSONLinesReader {
  /// The name of the file, for messages.
  public let file: String
  /// Bytes that a line may have, its end not counted; 8 MiB unless changed.
  public var maximumLineLength = 8 << 20
  /// Gives lines without a `t` their time; nil, which is usual, makes them errors (SPEC 2).
  public var clock: (() -> Timestamp)? {
    get { parser.clock }
    set { parser.clock = newValue }
  }
  /// Bytes that are asked of a source at once.
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
  ///   - source: Writes the next bytes to the beginning of the span it is given and returns how many
  ///     these are, at least one; 0 is the end.
  ///   - onEvent: Takes each event with the number of its line, from 1.
  /// - Throws: ``ImportError`` at the first line that is wrong, and what `source` and `onEvent`
  ///   throw. The events before were handed out.
  /// - Complexity: O(bytes).
  public mutating func read(
    from source: (inout MutableSpan<UInt8>) throws -> Int,
    onEvent: (_ event: Event, _ line: Int) throws -> Void
  ) throws {
    var chunk = [UInt8](repeating: 0, count: Self.chunkSize)
    var splitter = LineSplitter(file: file, maximumLength: maximumLineLength)
    while true {
      var span = chunk.mutableSpan
      let count = try source(&span)
      if count <= 0 { break }
      try chunk.withJSONBytes { bytes in
        try splitter.feed(bytes.part(0..<count)) { try readLine($0, $1, onEvent) }
      }
    }
    try splitter.finish { try readLine($0, $1, onEvent) }
  }

  /// Reads all events of a file that is open for reading, from its present place on.
  ///
  /// - Parameters:
  ///   - descriptor: The file's descriptor, which stays open.
  ///   - onEvent: Takes each event with the number of its line, from 1.
  /// - Throws: ``ImportError`` at the first line that is wrong or if reading fails, and what
  ///   `onEvent` throws. The events before were handed out.
  /// - Complexity: O(bytes).
  public mutating func read(
    descriptor: Int32, onEvent: (_ event: Event, _ line: Int) throws -> Void
  ) throws {
    let source = DescriptorSource(descriptor: descriptor, file: file)
    try read(from: { span in try source.read(into: &span) }, onEvent: onEvent)
  }

  /// Reads all events of JSON Lines in memory.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - onEvent: Takes each event with the number of its line, from 1.
  /// - Throws: ``ImportError`` at the first line that is wrong, and what `onEvent` throws. The
  ///   events before were handed out.
  /// - Complexity: O(bytes).
  public mutating func read(
    _ bytes: [UInt8], onEvent: (_ event: Event, _ line: Int) throws -> Void
  ) throws {
    var splitter = LineSplitter(file: file, maximumLength: maximumLineLength)
    try bytes.withJSONBytes { bytes in
      try splitter.feed(bytes) { try readLine($0, $1, onEvent) }
    }
    try splitter.finish { try readLine($0, $1, onEvent) }
  }

  @inline(__always)
  private mutating func readLine(
    _ bytes: JSONBytes, _ number: Int, _ onEvent: (Event, Int) throws -> Void
  ) throws {
    if let event = try event(of: bytes, number, file: file) { try onEvent(event, number) }
  }

  /// The event of a line of any file; nil if the line is blank.
  @inline(__always)
  mutating func event(
    of bytes: JSONBytes, _ number: Int, file: String
  ) throws(ImportError) -> Event? {
    let line = number == 1 ? bytes.withoutByteOrderMark : bytes
    if line.isBlank { return nil }
    do throws(FieldError) {
      return try parser.parse(line)
    } catch {
      throw error.located(in: line, file: file, line: number)
    }
  }
}

extension JSONBytes {
  /// Whether there is nothing but white space.
  fileprivate var isBlank: Bool {
    if self[0] == ASCII.openBrace { return false }
    var parser = JSONParser(self)
    parser.skipWhiteSpace()
    return parser.position >= count
  }
}
