import WakeEvents

/// Reads untrusted bytes in the encodings of ``ByteWriter``; checks every bound.
struct ByteReader {
  let bytes: [UInt8]
  private(set) var position: Int
  let end: Int
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

  private func notUTF8() -> BlockError { .malformed("\(subject) has text that is not UTF-8") }

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
    try readVarintInline()
  }

  /// ``readVarint()`` for many varints of several bytes: inlined, and without a branch for those of one.
  @inline(__always)
  mutating func readVarintInline() throws(BlockError) -> UInt64 {
    if remaining >= 8 {
      // Up to eight bytes at once: those up to the first without the high bit, whose low seven bits are moved together in
      // pairs, fours and eights.
      let word: UInt64 = bytes.span.integer(at: position)
      let ends = ~word & 0x8080_8080_8080_8080
      if ends != 0 {
        let end = ends & (0 &- ends)
        var bits = word & (end &- 1) & 0x7F7F_7F7F_7F7F_7F7F
        bits = bits & 0x007F_007F_007F_007F | (bits & 0x7F00_7F00_7F00_7F00) &>> 1
        bits = bits & 0x0000_3FFF_0000_3FFF | (bits & 0x3FFF_0000_3FFF_0000) &>> 2
        position &+= end.trailingZeroBitCount &>> 3 &+ 1
        return bits & 0x0FFF_FFFF | (bits &>> 32) &<< 28
      }
    }
    return try readVarintByByte()
  }

  @inline(never)
  private mutating func readVarintByByte() throws(BlockError) -> UInt64 {
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

  /// Calls `body` with the index and value of each of the next `count` varints.
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

  @inline(__always)
  mutating func readCount(upTo limit: Int, of what: StaticString) throws(BlockError) -> Int {
    let value = try readVarint()
    guard value <= UInt64(limit) else { throw tooMany(value, what, limit) }
    return Int(value)
  }

  @inline(never)
  private func tooMany(_ count: UInt64, _ what: StaticString, _ limit: Int) -> BlockError {
    .malformed("\(subject) has \(count) \(what), more than the limit of \(limit)")
  }

  mutating func readZigzag() throws(BlockError) -> Int64 {
    Self.signed(try readVarint())
  }

  /// The integer that zigzag made of a varint.
  @inline(__always)
  static func signed(_ value: UInt64) -> Int64 {
    Int64(bitPattern: (value >> 1) ^ (0 &- (value & 1)))
  }

  mutating func readText(upTo limit: Int = TraceLimits.textBytes) throws(BlockError) -> String {
    try text(try readTextRange(upTo: limit))
  }

  /// Reads a length and returns the range of that many bytes.
  mutating func readTextRange(upTo limit: Int) throws(BlockError) -> Range<Int> {
    try readBytes(try readCount(upTo: limit, of: "bytes of text"))
  }

  /// The string of a range of bytes; throws if it is not UTF-8.
  func text(_ range: Range<Int>) throws(BlockError) -> String {
    guard let text = try? UTF8Span(validating: bytes.span.extracting(range)) else {
      throw notUTF8()
    }
    return String(copying: text)
  }

  /// Throws if a range of bytes is not UTF-8.
  func checkText(_ range: Range<Int>) throws(BlockError) {
    guard (try? UTF8Span(validating: bytes.span.extracting(range))) != nil else { throw notUTF8() }
  }

  /// The ``NameHash`` of a range of bytes.
  func hash(_ range: Range<Int>) -> UInt64 {
    unsafe bytes.span.extracting(range).withUnsafeBufferPointer { unsafe NameHash.of(bytes: $0) }
  }

  /// Appends a range of the bytes to `other`.
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
    // Unsafe by name only: the range is checked, and any bytes are an integer.
    unsafe Integer(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: place, as: Integer.self))
  }
}
