/// Cuts a stream of bytes into lines, wherever its chunks end.
///
/// Only a line that straddles chunks is copied, so the memory needed is that of the longest one.
struct LineSplitter {
  /// The name of the file, for messages.
  private let file: String
  private let maximumLength: Int
  /// The beginning of a line whose end is still to come.
  private var beginning: [UInt8] = []
  /// Whether a line has begun whose end is still to come.
  var isWithinLine: Bool { !beginning.isEmpty }
  /// Lines that were handed out.
  private(set) var count = 0

  /// A splitter for lines of at most `maximumLength` bytes, their ends not counted.
  init(file: String, maximumLength: Int) {
    self.file = file
    self.maximumLength = maximumLength
  }

  /// Takes the next chunk, and hands out the lines that end in it, without their newlines.
  mutating func feed(
    _ chunk: JSONBytes, _ body: (JSONBytes, Int) throws -> Void
  ) throws {
    var start = 0
    while let end = chunk.newline(from: start) {
      let line = chunk.part(start..<end)
      if beginning.isEmpty {
        try handOut(line, body)
      } else {
        try keep(line)
        try handOutBeginning(body)
      }
      start = end + 1
    }
    try keep(chunk.part(start..<chunk.count))
  }

  /// Hands out the last line, if the stream did not end with a newline.
  mutating func finish(_ body: (JSONBytes, Int) throws -> Void) throws {
    if !beginning.isEmpty { try handOutBeginning(body) }
  }

  private mutating func keep(_ part: JSONBytes) throws {
    if part.count > maximumLength - beginning.count { throw lineTooLong(count + 1) }
    beginning.append(contentsOf: part)
  }

  private mutating func handOutBeginning(_ body: (JSONBytes, Int) throws -> Void) throws {
    var line: [UInt8] = []
    swap(&line, &beginning)
    try line.withJSONBytes { try handOut($0, body) }
    line.removeAll(keepingCapacity: true)
    swap(&line, &beginning)
  }

  private mutating func handOut(
    _ line: JSONBytes, _ body: (JSONBytes, Int) throws -> Void
  ) throws {
    count += 1
    if line.count > maximumLength { throw lineTooLong(count) }
    try body(line, count)
  }

  private func lineTooLong(_ line: Int) -> ImportError {
    ImportError(
      code: .lineTooLong, file: file, line: line,
      message: "the line is longer than \(maximumLength) bytes")
  }
}
