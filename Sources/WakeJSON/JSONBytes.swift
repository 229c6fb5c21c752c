/// The bytes of one JSON text.
///
/// Every access is checked. An index outside of the text reads 0, which JSON allows nowhere, so a parser needs no
/// other test for the end.
@safe
@usableFromInline
package struct JSONBytes {
  /// The bytes; the caller of ``init(_:)`` keeps them alive.
  @usableFromInline package let buffer: UnsafeBufferPointer<UInt8>

  /// A view of `buffer`, which must outlive it.
  @unsafe @inlinable
  package init(_ buffer: UnsafeBufferPointer<UInt8>) {
    unsafe self.buffer = buffer
  }

  package static var empty: JSONBytes {
    unsafe JSONBytes(UnsafeBufferPointer(start: nil, count: 0))
  }

  @inlinable package var count: Int { unsafe buffer.count }

  /// The byte at `index`, 0 outside of the text.
  @inlinable @inline(__always)
  package subscript(index: Int) -> UInt8 {
    UInt(bitPattern: index) < UInt(bitPattern: count) ? unsafe buffer[index] : 0
  }

  /// The eight bytes from `index`, the first of them lowest, or nil if there are fewer.
  @inlinable @inline(__always)
  package func word(at index: Int) -> UInt64? {
    guard index >= 0, count >= 8, index <= count - 8, let base = unsafe buffer.baseAddress else {
      return nil
    }
    return unsafe UInt64(
      littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
  }

  /// The bytes `start ..< end`, at most eight, the first of them lowest, zeros above them.
  @inlinable @inline(__always)
  package func word(from start: Int, to end: Int) -> UInt64 {
    let length = Swift.min(end - start, 8)
    if length <= 0 { return 0 }
    if let word = word(at: start) { return word & (~0 >> UInt64(64 - 8 * length)) }
    var word: UInt64 = 0
    for place in 0..<length { word |= UInt64(self[start + place]) << UInt64(8 * place) }
    return word
  }

  @usableFromInline package func part(_ range: Range<Int>) -> JSONBytes {
    unsafe JSONBytes(UnsafeBufferPointer(rebasing: buffer[range.clamped(to: 0..<count)]))
  }

  /// The text of `range`, which holds valid UTF-8.
  @usableFromInline package func text(_ range: Range<Int>) -> String {
    unsafe String(decoding: buffer[range.clamped(to: 0..<count)], as: UTF8.self)
  }

  package func withSpan<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) -> Result) -> Result {
    let part = unsafe UnsafeBufferPointer(rebasing: buffer[range.clamped(to: 0..<count)])
    return body(unsafe Span(_unsafeElements: part))
  }

  @usableFromInline package func array(_ range: Range<Int>) -> [UInt8] {
    unsafe Array(buffer[range.clamped(to: 0..<count)])
  }

  /// How many newlines stand before `offset`, and the place of its byte in its line, from 1.
  ///
  /// - Complexity: O(offset).
  package func position(ofByteAt offset: Int) -> (newlines: Int, column: Int) {
    let lines = array(0..<offset).split(
      separator: ASCII.newline, omittingEmptySubsequences: false)
    return (lines.count - 1, (lines.last?.count ?? 0) + 1)
  }

  /// The text without the byte order mark that some programs put at the beginning of a file.
  package var withoutByteOrderMark: JSONBytes {
    self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF ? part(3..<count) : self
  }
}

extension Array<UInt8> {
  /// Calls `body` with a view of the bytes, which must not escape.
  package func withJSONBytes<Result, Failure>(
    _ body: (JSONBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeBufferPointer { buffer throws(Failure) in
      try body(unsafe JSONBytes(buffer))
    }
  }
}

/// The characters of JSON's grammar.
@usableFromInline
package enum ASCII {
  package static let tab: UInt8 = 0x09
  package static let newline: UInt8 = 0x0A
  package static let carriageReturn: UInt8 = 0x0D
  package static let space: UInt8 = 0x20
  package static let quote = UInt8(ascii: "\"")
  package static let plus = UInt8(ascii: "+")
  package static let comma = UInt8(ascii: ",")
  package static let minus = UInt8(ascii: "-")
  package static let dot = UInt8(ascii: ".")
  package static let zero = UInt8(ascii: "0")
  package static let nine = UInt8(ascii: "9")
  package static let colon = UInt8(ascii: ":")
  package static let openBracket = UInt8(ascii: "[")
  package static let backslash = UInt8(ascii: "\\")
  package static let closeBracket = UInt8(ascii: "]")
  package static let openBrace = UInt8(ascii: "{")
  package static let closeBrace = UInt8(ascii: "}")
}
