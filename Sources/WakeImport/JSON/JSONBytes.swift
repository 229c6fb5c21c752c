#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The bytes of one JSON text.
///
/// Every access is checked: beyond the end there are zeros, which are valid nowhere in JSON, so a
/// parser needs no other test for the end.
@safe
struct JSONBytes {
  fileprivate let buffer: UnsafeBufferPointer<UInt8>

  /// A view of `buffer`, which must outlive it.
  @unsafe
  init(_ buffer: UnsafeBufferPointer<UInt8>) {
    unsafe self.buffer = buffer
  }

  /// No bytes at all.
  static var empty: JSONBytes { unsafe JSONBytes(UnsafeBufferPointer(start: nil, count: 0)) }

  /// How many bytes there are.
  var count: Int { unsafe buffer.count }

  /// The byte at `index`, 0 outside of the text.
  @inline(__always)
  subscript(index: Int) -> UInt8 {
    UInt(bitPattern: index) < UInt(bitPattern: count) ? unsafe buffer[index] : 0
  }

  /// The eight bytes from `index`, the first of them lowest, or nil if there are fewer.
  @inline(__always)
  func word(at index: Int) -> UInt64? {
    guard index >= 0, count >= 8, index <= count - 8, let base = unsafe buffer.baseAddress else {
      return nil
    }
    return unsafe UInt64(
      littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
  }

  /// The bytes `start ..< end`, at most eight, the first of them lowest, zeros above them.
  @inline(__always)
  func word(from start: Int, to end: Int) -> UInt64 {
    let length = Swift.min(end - start, 8)
    if length <= 0 { return 0 }
    if let word = word(at: start) { return word & (~0 >> UInt64(64 - 8 * length)) }
    var word: UInt64 = 0
    for place in 0..<length { word |= UInt64(self[start + place]) << UInt64(8 * place) }
    return word
  }

  /// A part of the text.
  func part(_ range: Range<Int>) -> JSONBytes {
    unsafe JSONBytes(UnsafeBufferPointer(rebasing: buffer[range.clamped(to: 0..<count)]))
  }

  /// The text of `range`, which holds valid UTF-8.
  func text(_ range: Range<Int>) -> String {
    unsafe String(decoding: buffer[range.clamped(to: 0..<count)], as: UTF8.self)
  }

  /// A copy of the bytes of `range`.
  func array(_ range: Range<Int>) -> [UInt8] {
    unsafe Array(buffer[range.clamped(to: 0..<count)])
  }

  /// How many newlines stand before `offset`, and the place of its byte in its line, from 1.
  ///
  /// - Complexity: O(offset).
  func position(ofByteAt offset: Int) -> (newlines: Int, column: Int) {
    var newlines = 0
    var column = 1
    for index in 0..<Swift.min(offset, count) {
      if self[index] == ASCII.newline {
        newlines += 1
        column = 1
      } else {
        column += 1
      }
    }
    return (newlines, column)
  }

  /// The place of the first newline from `start` on.
  func newline(from start: Int) -> Int? {
    guard start < count, let base = unsafe buffer.baseAddress,
      let found = unsafe memchr(base + start, Int32(ASCII.newline), count - start)
    else { return nil }
    return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// The text without the byte order mark that some programs put at the beginning of a file.
  var withoutByteOrderMark: JSONBytes {
    self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF ? part(3..<count) : self
  }
}

extension Array<UInt8> {
  /// Calls `body` with a view of the bytes, which it must not let out.
  func withJSONBytes<Result, Failure>(
    _ body: (JSONBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeBufferPointer { buffer throws(Failure) in
      try body(unsafe JSONBytes(buffer))
    }
  }

  /// Appends the bytes of a view.
  mutating func append(contentsOf bytes: JSONBytes) {
    unsafe append(contentsOf: bytes.buffer)
  }
}

/// The bytes that have a meaning in JSON.
enum ASCII {
  static let tab: UInt8 = 0x09
  static let newline: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let quote = UInt8(ascii: "\"")
  static let plus = UInt8(ascii: "+")
  static let comma = UInt8(ascii: ",")
  static let minus = UInt8(ascii: "-")
  static let dot = UInt8(ascii: ".")
  static let zero = UInt8(ascii: "0")
  static let nine = UInt8(ascii: "9")
  static let colon = UInt8(ascii: ":")
  static let openBracket = UInt8(ascii: "[")
  static let backslash = UInt8(ascii: "\\")
  static let closeBracket = UInt8(ascii: "]")
  static let openBrace = UInt8(ascii: "{")
  static let closeBrace = UInt8(ascii: "}")
}
