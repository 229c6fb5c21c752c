internal import Glibc
internal import WakeJSON

/// Cuts a stream of chunks into lines. Only a line that straddles chunks is copied.
struct LineSplitter {
  private let file: String
  private let maximumLength: Int
  /// The part of an unfinished line from earlier chunks.
  private var beginning: [UInt8] = []
  var isWithinLine: Bool { !beginning.isEmpty }
  /// Bytes of memory that it takes.
  var bytesHeld: Int { beginning.capacity }
  /// The lines handed out.
  private(set) var count = 0

  init(file: String, maximumLength: Int) {
    self.file = file
    self.maximumLength = maximumLength
  }

  /// Takes the next chunk and hands out the lines that end in it, without their newlines, with their numbers.
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

  /// Hands out the last line if it lacks its newline.
  mutating func finish(_ body: (JSONBytes, Int) throws -> Void) throws {
    if !beginning.isEmpty { try handOutBeginning(body) }
  }

  private mutating func keep(_ part: JSONBytes) throws {
    if part.count > maximumLength - beginning.count { throw lineTooLong(count + 1) }
    beginning += part.array(0..<part.count)
  }

  private mutating func handOutBeginning(_ body: (JSONBytes, Int) throws -> Void) throws {
    var line: [UInt8] = []
    swap(&line, &beginning)
    try line.withJSONBytes { try handOut($0, body) }
    // Few lines are as long as the longest.
    line.removeAll(keepingCapacity: line.capacity <= 1 << 16)
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
      code: .tooLong, file: file, line: line,
      message: "the line is longer than \(maximumLength) bytes")
  }
}

extension JSONBytes {
  /// The place of the first newline from `start` on.
  fileprivate func newline(from start: Int) -> Int? {
    guard start < count, let base = unsafe buffer.baseAddress,
      let found = unsafe memchr(base + start, Int32(ASCII.newline), count - start)
    else { return nil }
    return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }
}
