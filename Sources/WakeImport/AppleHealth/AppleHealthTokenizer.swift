// Not FoundationXML: on Linux its XMLParser crashes on any `<!ATTLIST`, which every real export has.

/// A pull parser of the tags of an XML stream, in constant memory.
///
/// It knows the XML of Health exports: tags, comments, CDATA and processing instructions. A document type is skipped
/// up to the first start tag, as some releases of iOS write a broken one. Quotes and end tags must match.
struct AppleHealthTokenizer: ~Copyable {
  /// What ``next()`` found.
  enum Token {
    /// A start tag; ``isEmptyElement`` tells whether it is its own end as well.
    case start
    /// An end tag, matching the start tag it ends.
    case end
    /// The end of the stream, after the end of the root element.
    case finished
  }

  /// The longest tag, in bytes; real ones are below 10,000.
  static let maximumTagLength = 1 << 20
  /// The longest name of an element, in bytes.
  static let maximumNameLength = 128
  /// The deepest nesting; real exports have 5 levels.
  static let maximumDepth = 64

  private let file: String
  private let nextChunk: () throws -> [UInt8]
  private(set) var buffer: [UInt8] = []
  /// The offset of the buffer in the stream.
  private var discarded = 0
  private var position = 0
  private var line = 1
  private var isInDocumentType = false
  private var sawRoot = false

  /// The names of the open elements, the root first.
  private(set) var openElements: [String] = []
  /// The name of the last tag in the buffer; valid until the next call of ``next()``.
  private(set) var name = 0..<0
  /// The attributes of the last start tag in the buffer.
  private(set) var attributes = 0..<0
  /// Whether the last start tag was `<a/>`.
  private(set) var isEmptyElement = false
  /// The line on which the last tag began, from 1.
  private(set) var tagLine = 1
  private var tagStart = 0

  /// Makes a tokenizer of the chunks that `nextChunk` returns, up to an empty one.
  init(file: String, nextChunk: @escaping () throws -> [UInt8]) {
    self.file = file
    self.nextChunk = nextChunk
  }

  /// The first bytes of the stream, fewer than `count` if it ends before.
  mutating func prefix(_ count: Int) throws -> [UInt8] {
    _ = try hasBytes(count)
    return Array(buffer.prefix(count))
  }

  /// Skips bytes at the beginning, such as a byte order mark.
  mutating func dropFirst(_ count: Int) {
    position = min(position + count, buffer.count)
  }

  /// Advances to the next tag.
  ///
  /// - Complexity: O(bytes up to the tag's end).
  mutating func next() throws -> Token {
    while try skipText() {
      tagLine = line
      tagStart = position
      _ = try hasBytes(9)
      switch position + 1 < buffer.count ? buffer[position + 1] : 0 {
      case UInt8(ascii: "?"):
        try skip(2, past: "?>", of: "a processing instruction")
      case UInt8(ascii: "!"):
        try skipDeclaration()
      case UInt8(ascii: "/") where !isInDocumentType:
        return try endTag()
      case let byte where Self.canBeginName(byte):
        return try startTag()
      case _ where isInDocumentType:
        position += 1
      default:
        if try !hasBytes(2) { throw truncated("a tag") }
        throw error(.malformed, "a < that begins no tag; in text it is written &lt;")
      }
    }
    guard sawRoot, openElements.isEmpty else {
      throw truncated(openElements.last.map { "<\($0)>" } ?? "the prolog")
    }
    return .finished
  }

  /// An error about the last tag, or about the byte of the buffer at `index`.
  func error(
    _ code: ImportError.Code, _ message: String, at index: Int? = nil
  ) -> ImportError {
    ImportError(
      code: code, file: file, line: tagLine, byteOffset: discarded + (index ?? tagStart),
      message: message)
  }

  private func truncated(_ what: String) -> ImportError {
    ImportError(
      code: .truncated, file: file, line: line, byteOffset: discarded + buffer.count,
      message: "the file ends within \(what): it is cut short; export or unzip it again")
  }

  private mutating func startTag() throws -> Token {
    let end = try scanTag()
    if sawRoot, openElements.isEmpty {
      throw error(.malformed, "a second root element; give one export.xml at a time")
    }
    isEmptyElement = buffer[end - 1] == UInt8(ascii: "/")
    attributes = name.upperBound..<max(name.upperBound, isEmptyElement ? end - 1 : end)
    isInDocumentType = false
    sawRoot = true
    if !isEmptyElement {
      guard openElements.count < Self.maximumDepth else {
        throw error(.tooLong, "elements nested more than \(Self.maximumDepth) deep")
      }
      openElements.append(string(name))
    }
    position = end + 1
    return .start
  }

  private mutating func endTag() throws -> Token {
    let end = try scanTag()
    guard let open = openElements.popLast() else {
      throw error(.malformed, "</\(string(name))> ends nothing")
    }
    guard open.utf8.elementsEqual(buffer[name]) else {
      throw error(.malformed, "</\(string(name))> where </\(open)> should be")
    }
    attributes = end..<end
    position = end + 1
    return .end
  }

  /// Sets ``name`` and returns the index of the tag's `>`, the first outside quotes.
  private mutating func scanTag() throws -> Int {
    var index = position + 1
    var quote: UInt8 = 0
    while true {
      let lines = try scanTag(&index, &quote)
      line += lines
      let length = index - position
      guard length < Self.maximumTagLength else {
        throw error(.tooLong, "a tag longer than \(Self.maximumTagLength) bytes")
      }
      if index < buffer.count { break }
      guard try refill() else { throw truncated("a tag") }
      index = position + length
    }
    try setName(end: index)
    return index
  }

  /// Moves `index` to the tag's `>` or the end of the buffer; returns the line breaks passed over.
  private func scanTag(_ index: inout Int, _ quote: inout UInt8) throws -> Int {
    let bytes = buffer.span
    var lines = 0
    while index < bytes.count {
      let byte = bytes[index]
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        break
      }
      if byte == UInt8(ascii: "<") {
        throw error(.malformed, "a < inside a tag or an unclosed quote", at: index)
      }
      if byte == UInt8(ascii: "\n") { lines += 1 }
      index += 1
    }
    return lines
  }

  private mutating func setName(end: Int) throws {
    let start = position + (buffer[position + 1] == UInt8(ascii: "/") ? 2 : 1)
    var nameEnd = start
    while nameEnd < end, !Self.endsName(buffer[nameEnd]) { nameEnd += 1 }
    guard nameEnd - start <= Self.maximumNameLength else {
      throw error(.tooLong, "an element's name longer than \(Self.maximumNameLength) bytes")
    }
    name = start..<nameEnd
  }

  /// Moves to the next `<`; false at the end of the stream.
  ///
  /// Text outside of the root element is an error: no XML, or more than one file.
  private mutating func skipText() throws -> Bool {
    let isText = !openElements.isEmpty || isInDocumentType
    repeat {
      let (end, lines) = scanText(isText)
      line += lines
      position = end
    } while try position == buffer.count && refill()
    if position == buffer.count { return false }
    if buffer[position] == UInt8(ascii: "<") { return true }
    (tagLine, tagStart) = (line, position)
    throw sawRoot
      ? error(.malformed, "text after the end of the root element; give one export.xml at a time")
      : error(.notAnExport, "no XML, so no Apple Health export: text before the first tag")
  }

  /// The index of the next `<` or the buffer's end, and the line breaks before it. Outside of text it stops at
  /// anything but white space.
  private func scanText(_ isText: Bool) -> (end: Int, lines: Int) {
    let bytes = buffer.span
    var (index, lines) = (position, 0)
    while index < bytes.count, bytes[index] != UInt8(ascii: "<") {
      if bytes[index] == UInt8(ascii: "\n") { lines += 1 }
      if !isText, bytes[index] > UInt8(ascii: " ") || bytes[index] == 0 && !sawRoot { break }
      index += 1
    }
    return (index, lines)
  }

  /// Skips a comment or CDATA, or enters the document type.
  private mutating func skipDeclaration() throws {
    let bytes = buffer[position...]
    if bytes.starts(with: "<!--".utf8) {
      try skip(4, past: "-->", of: "a comment")
    } else if isInDocumentType {
      position += 2
    } else if bytes.starts(with: "<![CDATA[".utf8), !openElements.isEmpty {
      try skip(9, past: "]]>", of: "CDATA")
    } else if bytes.starts(with: "<!DOCTYPE".utf8), !sawRoot {
      isInDocumentType = true
      position += 9
    } else if bytes.count < 9 {
      throw truncated("a tag")
    } else {
      throw error(.malformed, "a <! that begins no comment, CDATA or document type")
    }
  }

  private mutating func skip(_ count: Int, past terminator: StaticString, of what: String) throws {
    let ending = Array(terminator.description.utf8)
    position += count
    while true {
      let (end, lines, isFound) = scan(to: ending)
      line += lines
      position = isFound ? end + ending.count : end
      if isFound { return }
      guard try refill() else {
        line += buffer[position...].count { $0 == UInt8(ascii: "\n") }
        throw truncated(what)
      }
    }
  }

  /// The index of the next ending, or of the bytes at the buffer's end that may begin one; and the line breaks before it.
  private func scan(to ending: [UInt8]) -> (end: Int, lines: Int, isFound: Bool) {
    let (bytes, ending) = (buffer.span, ending.span)
    var (index, lines) = (position, 0)
    while index <= bytes.count - ending.count {
      var matching = 0
      while matching < ending.count, bytes[index + matching] == ending[matching] { matching += 1 }
      if matching == ending.count { return (index, lines, true) }
      if bytes[index] == UInt8(ascii: "\n") { lines += 1 }
      index += 1
    }
    return (index, lines, false)
  }

  private mutating func hasBytes(_ count: Int) throws -> Bool {
    while buffer.count - position < count {
      guard try refill() else { return false }
    }
    return true
  }

  /// Drops the bytes before the position and appends the next chunk.
  private mutating func refill() throws -> Bool {
    let chunk = try nextChunk()
    if chunk.isEmpty { return false }
    tagStart -= position
    discarded += position
    buffer.removeSubrange(..<position)
    position = 0
    buffer.append(contentsOf: chunk)
    return true
  }

  private static func canBeginName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
      true
    default: false
    }
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    byte <= UInt8(ascii: " ") || byte == UInt8(ascii: "/")
  }
}
