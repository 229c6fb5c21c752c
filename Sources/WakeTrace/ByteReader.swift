/// Reads what ``ByteWriter`` wrote out of bytes that may say anything.
struct ByteReader {
  private let bytes: [UInt8]
  private(set) var position: Int
  let end: Int
  /// What is being read, for messages.
  let subject: String

  init(_ bytes: [UInt8], in range: Range<Int>, subject: String) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
    self.subject = subject
  }

  init(_ bytes: [UInt8], subject: String) {
    self.init(bytes, in: bytes.indices, subject: subject)
  }

  var remaining: Int { end - position }

  private func tooShort() -> BlockError { .malformed("\(subject) ends early") }

  mutating func readByte() throws(BlockError) -> UInt8 {
    guard position < end else { throw tooShort() }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func read<Integer: FixedWidthInteger & BitwiseCopyable>(
    _: Integer.Type
  ) throws(BlockError) -> Integer {
    let width = Integer.bitWidth / 8
    guard remaining >= width else { throw tooShort() }
    defer { position += width }
    return bytes.span.integer(at: position)
  }

  mutating func readDouble() throws(BlockError) -> Double {
    Double(bitPattern: try read(UInt64.self))
  }

  @inline(__always)
  mutating func readVarint() throws(BlockError) -> UInt64 {
    // Most have one byte.
    if position < end, bytes[position] < 0x80 {
      defer { position += 1 }
      return UInt64(bytes[position])
    }
    return try readLongVarint()
  }

  private mutating func readLongVarint() throws(BlockError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try readByte()
      if shift == 63, byte > 1 { throw .malformed("\(subject) has a number beyond 64 bits") }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
      if shift > 63 { throw .malformed("\(subject) has a number beyond 64 bits") }
    }
  }

  /// Gives `body` so many varints, with their places among them.
  @inline(__always)
  mutating func forEachVarint(
    _ count: Int, _ body: (Int, UInt64) throws(BlockError) -> Void
  ) throws(BlockError) {
    let bytes = bytes
    var index = 0
    while index < count {
      // Most have one byte.
      var place = position
      while index < count, place < end, bytes[place] < 0x80 {
        try body(index, UInt64(bytes[place]))
        place &+= 1
        index &+= 1
      }
      position = place
      guard index < count else { return }
      try body(index, try readLongVarint())
      index += 1
    }
  }

  /// A varint that must not exceed `limit`.
  mutating func readCount(upTo limit: Int, of what: String) throws(BlockError) -> Int {
    let value = try readVarint()
    guard value <= UInt64(limit) else {
      throw .malformed("\(subject) says \(value) \(what), more than \(limit)")
    }
    return Int(value)
  }

  mutating func readZigzag() throws(BlockError) -> Int64 {
    let value = try readVarint()
    return Int64(bitPattern: (value >> 1) ^ (0 &- (value & 1)))
  }

  mutating func readText(upTo limit: Int = TraceLimits.textBytes) throws(BlockError) -> String {
    try text(try readTextRange(upTo: limit))
  }

  /// The range of the bytes of a text.
  mutating func readTextRange(upTo limit: Int) throws(BlockError) -> Range<Int> {
    try readBytes(try readCount(upTo: limit, of: "bytes of text"))
  }

  /// The text of bytes that were read.
  func text(_ range: Range<Int>) throws(BlockError) -> String {
    guard let text = try? UTF8Span(validating: bytes.span.extracting(range)) else {
      throw .malformed("\(subject) has text that is not UTF-8")
    }
    return String(copying: text)
  }

  /// A hash of bytes that were read.
  func hash(_ range: Range<Int>) -> UInt64 {
    let text = bytes.span.extracting(range)
    var hash = UInt64(text.count)
    for place in stride(from: 0, to: text.count, by: 8) {
      hash = (hash ^ text.word(at: place)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash &>> 32
    }
    return hash
  }

  /// Whether bytes that were read are these.
  func has(_ text: Span<UInt8>, at range: Range<Int>) -> Bool {
    bytes.span.extracting(range).isEqual(to: text)
  }

  /// Appends bytes that were read.
  func append(_ range: Range<Int>, to other: inout [UInt8]) {
    unsafe bytes.span.extracting(range).withUnsafeBufferPointer {
      unsafe other.append(contentsOf: $0)
    }
  }

  /// The range of the next `count` bytes.
  mutating func readBytes(_ count: Int) throws(BlockError) -> Range<Int> {
    guard count >= 0, remaining >= count else { throw tooShort() }
    defer { position += count }
    return position..<position + count
  }

  func expectEnd() throws(BlockError) {
    guard position == end else { throw .malformed("\(subject) has \(remaining) bytes too many") }
  }
}

extension Span<UInt8> {
  /// The little-endian integer at a place, all of which must be there.
  @inline(__always)
  fileprivate func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    at place: Int
  ) -> Integer {
    // The place is checked; what cannot be is that any bytes are an integer.
    unsafe Integer(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: place, as: Integer.self))
  }

  /// The eight bytes at a place, the first of them lowest, with zeros for those behind the end.
  @inline(__always)
  fileprivate func word(at place: Int) -> UInt64 {
    guard place + 8 > count else { return integer(at: place) }
    guard count < 8 else {
      return integer(at: count - 8) &>> UInt64(8 * (place + 8 - count))
    }
    var word: UInt64 = 0
    for index in (place..<count).reversed() {
      word = word &<< 8 | UInt64(self[index])
    }
    return word
  }

  @inline(__always)
  fileprivate func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for place in stride(from: 0, to: count, by: 8)
    where word(at: place) != other.word(at: place) {
      return false
    }
    return true
  }
}
