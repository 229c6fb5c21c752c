import WakeEvents

/// A name of a list that is read.
struct ListedName {
  var place: Int
  var text: Range<Int>
  /// Of its bytes.
  var hash: UInt64
}

/// Symbols of names that were met of late, found by their bytes: without making strings of them, and without
/// the lock of a ``SymbolTable``.
struct KnownNames<Namespace> {
  private struct Slot {
    /// Of the name's bytes.
    var hash: UInt64 = 0
    /// Where the bytes stand in ``bytes``.
    var start: UInt32 = 0
    var length: UInt32 = 0
    /// Where there is no name, that of no symbol.
    var index = UInt32.max

    var isFree: Bool { index == .max }
  }

  private static var slotBits: UInt64 { 10 }
  /// In how many slots, from the one that its hash says on, a name may be.
  private static var probes: Int { 4 }
  /// So many unknown names are interned one by one: to do it together takes memory.
  private static var few: Int { 64 }
  /// When there are more bytes, all is forgotten.
  private static var mostBytes: Int { 1 << 18 }

  /// Where many names have hashes near each other, later ones take the places of earlier ones.
  private var slots: [Slot] = []
  private var bytes: [UInt8] = []

  /// Reads a list of names in place of what `symbols` holds.
  ///
  /// - Parameter unknown: Memory for names that are not known, whatever it holds.
  @inline(__always)
  mutating func readList(
    _ reader: inout ByteReader, _ table: SymbolTable<Namespace>,
    _ unknown: inout [ListedName], into symbols: inout [Symbol<Namespace>]
  ) throws(BlockError) {
    let count = try reader.readCount(upTo: TraceLimits.namesInList, of: "names")
    guard count <= reader.remaining else { throw .malformed("block's names end early") }
    symbols.removeAll(keepingCapacity: true)
    guard count > 0 else { return }
    if slots.isEmpty { forgetAll() }
    unknown.removeAll(keepingCapacity: true)
    for place in 0..<count {
      let text = try reader.readTextRange(upTo: TraceLimits.nameBytes)
      let name = ListedName(place: place, text: text, hash: reader.hash(text))
      let index = index(of: name, in: reader)
      if index == .max {
        if unknown.isEmpty { unknown.reserveCapacity(count - place) }
        unknown.append(name)
      }
      symbols.append(Symbol(index: index))
    }
    if !unknown.isEmpty { try intern(unknown, reader, table, in: &symbols) }
    try TraceLimits.check(table)
  }

  @inline(never)
  private mutating func intern(
    _ unknown: [ListedName], _ reader: borrowing ByteReader, _ table: SymbolTable<Namespace>,
    in symbols: inout [Symbol<Namespace>]
  ) throws(BlockError) {
    guard unknown.count > Self.few else {
      for name in unknown {
        learn(name, table.intern(try reader.text(name.text)), from: reader, in: &symbols)
      }
      return
    }
    var names: [String] = []
    names.reserveCapacity(unknown.count)
    for name in unknown { names.append(try reader.text(name.text)) }
    for (name, symbol) in zip(unknown, table.intern(names)) {
      learn(name, symbol, from: reader, in: &symbols)
    }
  }

  /// Puts the symbol of a name in its place, and among those that are known.
  private mutating func learn(
    _ name: ListedName, _ symbol: Symbol<Namespace>, from reader: borrowing ByteReader,
    in symbols: inout [Symbol<Namespace>]
  ) {
    symbols[name.place] = symbol
    remember(name, as: symbol, from: reader)
  }

  @inline(__always)
  private static func firstSlot(_ name: ListedName) -> Int {
    Int(truncatingIfNeeded: (name.hash &* 0x9E37_79B9_7F4A_7C15) >> (64 - slotBits))
  }

  /// The index of a name's symbol if it is known, else that of no symbol.
  @inline(__always)
  private func index(of name: ListedName, in reader: borrowing ByteReader) -> UInt32 {
    let first = Self.firstSlot(name)
    for place in first..<first + Self.probes {
      let known = slots[place]
      if known.isFree { break }
      if known.hash == name.hash, Int(known.length) == name.text.count,
        reader.has(
          bytes.span.extracting(Int(known.start)..<Int(known.start + known.length)), at: name.text)
      {
        return known.index
      }
    }
    return .max
  }

  private mutating func remember(
    _ name: ListedName, as symbol: Symbol<Namespace>, from reader: borrowing ByteReader
  ) {
    if bytes.count + name.text.count > Self.mostBytes { forgetAll() }
    let first = Self.firstSlot(name)
    // The first free one, or where all are taken the first one.
    let place = (first..<first + Self.probes).first { slots[$0].isFree } ?? first
    slots[place] = Slot(
      hash: name.hash, start: UInt32(bytes.count), length: UInt32(name.text.count),
      index: symbol.index)
    reader.append(name.text, to: &bytes)
  }

  private mutating func forgetAll() {
    slots = [Slot](repeating: Slot(), count: 1 << Self.slotBits + Self.probes - 1)
    bytes.removeAll(keepingCapacity: true)
  }
}
