internal import WakeEvents

/// Finds the symbols of names that a ``SymbolTable`` gave lately, by the bytes of a JSON text.
///
/// The table itself takes a lock and wants a `String`, which a million lines with the same few names
/// need not pay. The cache has a fixed size: a name that falls on the place of another replaces it.
struct NameCache<Namespace> {
  /// Longer names go to the table each time.
  private static var longestName: Int { 64 }
  private static var slotCount: Int { 1024 }
  /// A slot is the name's length and symbol, then its bytes with zeros after them.
  private static var slotSize: Int { 1 + longestName / 8 }

  private let table: SymbolTable<Namespace>
  /// All slots one after the other; empty until the first name.
  private var slots: [UInt64] = []

  init(_ table: SymbolTable<Namespace>) {
    self.table = table
  }

  /// The symbol of the name that `string` is.
  ///
  /// - Complexity: O(length of the name).
  mutating func symbol(for string: JSONString, in bytes: JSONBytes) -> Symbol<Namespace> {
    let name = string.content
    if string.hasEscapes || name.count > Self.longestName {
      return table.intern(bytes.string(string))
    }
    if slots.isEmpty { slots = Array(repeating: 0, count: Self.slotCount * Self.slotSize) }

    var hash = UInt64(truncatingIfNeeded: name.count)
    var start = name.lowerBound
    while start < name.upperBound {
      let word = bytes.word(from: start, to: name.upperBound)
      hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 32
      start += 8
    }
    let slot = Int(truncatingIfNeeded: hash % UInt64(Self.slotCount)) * Self.slotSize

    if let symbol = symbol(of: name, in: bytes, at: slot) { return symbol }
    let symbol = table.intern(bytes.text(name))
    fill(slot, with: name, in: bytes, symbol: symbol)
    return symbol
  }

  /// The symbol in the slot at `slot`, if it is that of `name`.
  @inline(__always)
  private func symbol(
    of name: Range<Int>, in bytes: JSONBytes, at slot: Int
  ) -> Symbol<Namespace>? {
    // The length is stored plus one, so that an empty slot is no empty name.
    guard slots[slot] >> 32 == UInt64(name.count + 1) else { return nil }
    var place = slot + 1
    var start = name.lowerBound
    while start < name.upperBound {
      if slots[place] != bytes.word(from: start, to: name.upperBound) { return nil }
      place += 1
      start += 8
    }
    return Symbol(index: UInt32(truncatingIfNeeded: slots[slot]))
  }

  private mutating func fill(
    _ slot: Int, with name: Range<Int>, in bytes: JSONBytes, symbol: Symbol<Namespace>
  ) {
    slots[slot] = UInt64(name.count + 1) << 32 | UInt64(symbol.index)
    for place in 0..<Self.longestName / 8 {
      slots[slot + 1 + place] = bytes.word(
        from: name.lowerBound + 8 * place, to: name.upperBound)
    }
  }
}
