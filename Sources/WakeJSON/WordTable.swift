/// Finds the case of an enumeration that a JSON string names, without making a `String`.
///
/// A hash table with open addressing; a word of at most 16 bytes is packed into two integers.
@usableFromInline
package struct WordTable<Word: CaseIterable & Sendable>: Sendable {
  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline var length = -1
    @usableFromInline var low: UInt64 = 0
    @usableFromInline var high: UInt64 = 0
    @usableFromInline var word: Word?
  }

  @usableFromInline var entries: [Entry]
  /// The words in their order, for messages.
  @usableFromInline package let list: String

  /// A table of all cases.
  ///
  /// - Parameter name: The word of a case; by default its name in Swift.
  package init(name: (Word) -> String = { String(describing: $0) }) {
    entries = Array(repeating: Entry(), count: 128)
    // Once: the default looks names up by reflection.
    let names = Word.allCases.map(name)
    list = names.joined(separator: ", ")
    for (word, name) in zip(Word.allCases, names) {
      let name = Array(name.utf8)
      precondition(name.count <= 16 && Word.allCases.count <= 64, "the table is too small")
      let entry = name.withJSONBytes { bytes in
        Entry(
          length: name.count, low: bytes.word(from: 0, to: name.count),
          high: bytes.word(from: 8, to: name.count), word: word)
      }
      var index = Self.index(entry.low, entry.high)
      while entries[index].length >= 0 { index = (index + 1) & 127 }
      entries[index] = entry
    }
  }

  /// The case whose word is `string`, or nil.
  ///
  /// - Complexity: O(1).
  @inlinable
  package func word(_ string: JSONString, in bytes: JSONBytes) -> Word? {
    if string.hasEscapes { return word(decodedFrom: string, in: bytes) }
    return word(string.content, in: bytes)
  }

  @inlinable @inline(__always)
  func word(_ range: Range<Int>, in bytes: JSONBytes) -> Word? {
    guard range.count <= 16 else { return nil }
    let low = bytes.word(from: range.lowerBound, to: range.upperBound)
    let high = bytes.word(from: range.lowerBound + 8, to: range.upperBound)
    var index = Self.index(low, high)
    while entries[index].length >= 0 {
      let entry = entries[index]
      if entry.low == low, entry.high == high, entry.length == range.count { return entry.word }
      index = (index + 1) & 127
    }
    return nil
  }

  @usableFromInline
  func word(decodedFrom string: JSONString, in bytes: JSONBytes) -> Word? {
    let decoded = bytes.utf8(of: string)
    return decoded.withJSONBytes { word(0..<decoded.count, in: $0) }
  }

  @inlinable @inline(__always)
  static func index(_ low: UInt64, _ high: UInt64) -> Int {
    let mixed = (low ^ (high &* 0x9E37_79B9_7F4A_7C15)) &* 0xBF58_476D_1CE4_E5B9
    return Int(truncatingIfNeeded: mixed >> 57)
  }
}
