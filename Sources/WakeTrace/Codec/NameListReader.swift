import WakeEvents

/// A name of a list that is not in the reader's cache.
struct UnknownName {
  var place: Int
  var text: Range<Int>
  var hash: UInt64
}

/// Reads lists of names of one sort and turns them into symbols; caches names from block to block.
struct NameListReader<Namespace> {
  /// More unknown names than this are interned under one lock of the table.
  private static var fewNames: Int { 64 }
  /// More unknown names than this are not kept in the cache, as they would push each other out.
  private static var mostNames: Int { 512 }

  private var cache = NameCache<Namespace>()

  /// Reads a list of names and replaces `symbols` with their symbols; `unknown` is scratch memory.
  @inline(__always)
  mutating func read(
    _ reader: inout ByteReader, _ table: SymbolTable<Namespace>,
    _ unknown: inout [UnknownName], into symbols: inout [Symbol<Namespace>]
  ) throws(BlockError) {
    let count = try reader.readCount(upTo: TraceLimits.namesInList, of: "names")
    guard count <= reader.remaining else {
      throw .malformed("the block's list of names ends early")
    }
    symbols.removeAll(keepingCapacity: true)
    guard count > 0 else { return }
    symbols.reserveCapacity(count)
    unknown.removeAll(keepingCapacity: true)
    if count > Self.mostNames, try readSuccessors(count, &reader, table, &unknown, into: &symbols) {
      return
    }
    for place in symbols.count..<count {
      let text = try reader.readTextRange(upTo: TraceLimits.nameBytes)
      let name = reader.bytes.span.extracting(text)
      let hash = NameCache<Namespace>.hash(name)
      if let symbol = cache.symbol(of: name, hash: hash) {
        symbols.append(symbol)
      } else {
        if unknown.isEmpty { unknown.reserveCapacity(count - place) }
        unknown.append(UnknownName(place: place, text: text, hash: hash))
        symbols.append(Symbol(index: .max))
      }
    }
    if !unknown.isEmpty { try intern(unknown, reader, table, in: &symbols) }
    try TraceLimits.check(table)
  }

  /// Reads the first names of a long list, such as that of the devices of a fleet, of which the cache can keep few: those
  /// that are in the table one behind the other, as the last block may have added them.
  ///
  /// - Returns: Whether these are all.
  @inline(never)
  private func readSuccessors(
    _ count: Int, _ reader: inout ByteReader, _ table: SymbolTable<Namespace>,
    _ unknown: inout [UnknownName], into symbols: inout [Symbol<Namespace>]
  ) throws(BlockError) -> Bool {
    var names = reader
    unknown.reserveCapacity(count)
    for place in 0..<count {
      let text = try names.readTextRange(upTo: TraceLimits.nameBytes)
      unknown.append(UnknownName(place: place, text: text, hash: 0))
    }
    let known = table.successors(
      of: try reader.text(unknown[0].text), in: reader.bytes.span, count: count
    ) { unknown[$0].text }
    symbols.append(contentsOf: known)
    if known.count == count {
      reader = names
    } else {
      for _ in known { _ = try reader.readTextRange(upTo: TraceLimits.nameBytes) }
    }
    unknown.removeAll(keepingCapacity: true)
    return known.count == count
  }

  @inline(never)
  private mutating func intern(
    _ unknown: [UnknownName], _ reader: borrowing ByteReader, _ table: SymbolTable<Namespace>,
    in symbols: inout [Symbol<Namespace>]
  ) throws(BlockError) {
    if unknown.count <= Self.fewNames {
      for name in unknown { add(name, table.intern(try reader.text(name.text)), reader, &symbols) }
      return
    }
    let known = table.successors(
      of: try reader.text(unknown[0].text), in: reader.bytes.span, count: unknown.count
    ) { unknown[$0].text }
    let keeps = unknown.count <= Self.mostNames
    add(unknown[..<known.count], known, keeps: keeps, reader, &symbols)
    let new = unknown[known.count...]
    guard !new.isEmpty else { return }
    var names: [String] = []
    names.reserveCapacity(new.count)
    for name in new { names.append(try reader.text(name.text)) }
    add(new, table.intern(names), keeps: keeps, reader, &symbols)
  }

  /// Sets the symbols of names; if `keeps`, the cache has them from now on.
  private mutating func add(
    _ names: ArraySlice<UnknownName>, _ found: some Sequence<Symbol<Namespace>>, keeps: Bool,
    _ reader: borrowing ByteReader, _ symbols: inout [Symbol<Namespace>]
  ) {
    for (name, symbol) in zip(names, found) {
      if keeps {
        add(name, symbol, reader, &symbols)
      } else {
        symbols[name.place] = symbol
      }
    }
  }

  private mutating func add(
    _ name: UnknownName, _ symbol: Symbol<Namespace>, _ reader: borrowing ByteReader,
    _ symbols: inout [Symbol<Namespace>]
  ) {
    symbols[name.place] = symbol
    cache.insert(reader.bytes.span.extracting(name.text), hash: name.hash, symbol)
  }
}
