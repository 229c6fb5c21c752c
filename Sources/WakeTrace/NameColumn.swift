import WakeEvents

/// A block's own symbol table while the block is written: symbols of the run to places in the block.
struct LocalSymbols<Namespace> {
  /// Symbols with smaller numbers, which are most, are found without hashing.
  private static var smallSymbols: Int { 4_096 }

  /// Places plus 1 by number; 0 is not met yet.
  private var smallPlaces: [UInt32] = []
  private var places: [UInt32: Int] = [:]
  private(set) var symbols: [Symbol<Namespace>] = []

  /// The place of a symbol in the block's table, which is new if the symbol is.
  mutating func place(of symbol: Symbol<Namespace>) -> Int {
    let number = Int(symbol.index)
    if number < smallPlaces.count, smallPlaces[number] > 0 { return Int(smallPlaces[number]) - 1 }
    if number >= Self.smallSymbols, let place = places[symbol.index] { return place }
    symbols.append(symbol)
    if number < Self.smallSymbols {
      while smallPlaces.count <= number { smallPlaces.append(0) }
      smallPlaces[number] = UInt32(symbols.count)
    } else {
      places[symbol.index] = symbols.count - 1
    }
    return symbols.count - 1
  }
}

/// The symbol tables of a block that is written.
struct BlockNames {
  var devices = LocalSymbols<NameOf.Device>()
  var types = LocalSymbols<NameOf.SampleType>()
  var sources = LocalSymbols<NameOf.Source>()
  var apps = LocalSymbols<NameOf.App>()
  var queries = LocalSymbols<NameOf.Query>()

  /// The column: for each of devices, types, sources, apps and queries a count, then the names.
  ///
  /// - Throws: `tooLarge` if they do not fit a block.
  func encode(_ symbols: Symbols) throws(BlockError) -> [UInt8] {
    var writer = ByteWriter()
    try append(devices, symbols.devices, to: &writer)
    try append(types, symbols.types, to: &writer)
    try append(sources, symbols.sources, to: &writer)
    try append(apps, symbols.apps, to: &writer)
    try append(queries, symbols.queries, to: &writer)
    return writer.bytes
  }

  private func append<Namespace>(
    _ local: LocalSymbols<Namespace>, _ table: SymbolTable<Namespace>, to writer: inout ByteWriter
  ) throws(BlockError) {
    try TraceLimits.check(table)
    writer.appendVarint(local.symbols.count)
    for symbol in local.symbols {
      try writer.append(text: table.name(of: symbol), upTo: TraceLimits.nameBytes)
      guard writer.count <= TraceLimits.payloadBytes else { throw BlockEncoder.tooLarge }
    }
  }
}

/// The symbol tables of a block that is read: places in the block to symbols of the run.
///
/// Kept from block to block, as most names of a block were met before.
struct DecodedNames {
  private(set) var devices: [Device] = []
  private(set) var types: [SampleType] = []
  private(set) var sources: [Source] = []
  private(set) var apps: [App] = []
  private(set) var queries: [Query] = []

  private var knownDevices = KnownNames<NameOf.Device>()
  private var knownTypes = KnownNames<NameOf.SampleType>()
  private var knownSources = KnownNames<NameOf.Source>()
  private var knownApps = KnownNames<NameOf.App>()
  private var knownQueries = KnownNames<NameOf.Query>()

  /// Reads the column in place of the one before, all from blocks of one run over traces.
  ///
  /// - Complexity: O(bytes).
  mutating func read(_ reader: inout ByteReader, symbols: Symbols) throws(BlockError) {
    try Self.read(&reader, symbols.devices, &knownDevices, &devices)
    try Self.read(&reader, symbols.types, &knownTypes, &types)
    try Self.read(&reader, symbols.sources, &knownSources, &sources)
    try Self.read(&reader, symbols.apps, &knownApps, &apps)
    try Self.read(&reader, symbols.queries, &knownQueries, &queries)
    try reader.expectEnd()
  }

  @inline(__always)
  private static func read<Namespace>(
    _ reader: inout ByteReader, _ table: SymbolTable<Namespace>,
    _ known: inout KnownNames<Namespace>, _ symbols: inout [Symbol<Namespace>]
  ) throws(BlockError) {
    let count = try reader.readCount(upTo: TraceLimits.namesInList, of: "names")
    guard count <= reader.remaining else { throw .malformed("block's names end early") }
    symbols.removeAll(keepingCapacity: true)
    for _ in 0..<count { symbols.append(try known.readName(&reader, table)) }
    if count > 0 { try TraceLimits.check(table) }
  }
}

/// Symbols of names that were met of late, found by their bytes: without making a string of them, and
/// without the lock of a ``SymbolTable``.
struct KnownNames<Namespace> {
  private struct Slot {
    /// Of the name's bytes.
    var hash: UInt64 = 0
    /// Where the bytes stand in ``bytes``.
    var start = 0
    /// -1 where there is no name.
    var length = -1
    var index: UInt32 = 0
  }

  private static var slotBits: UInt64 { 10 }
  /// In how many slots, from the one that its hash says on, a name may be.
  private static var probes: Int { 8 }
  /// When there are more bytes, all is forgotten.
  private static var mostBytes: Int { 1 << 18 }

  /// Where many names have hashes near each other, later ones take the places of earlier ones.
  private var slots: [Slot] = []
  private var bytes: [UInt8] = []

  /// Reads a name.
  @inline(__always)
  mutating func readName(
    _ reader: inout ByteReader, _ table: SymbolTable<Namespace>
  ) throws(BlockError) -> Symbol<Namespace> {
    let range = try reader.readTextRange(upTo: TraceLimits.nameBytes)
    let hash = reader.hash(range)
    let first = Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) >> (64 - Self.slotBits))
    // The first free one, or where all are taken the first one.
    var slot = first
    if !slots.isEmpty {
      for place in first..<first + Self.probes {
        let known = slots[place]
        guard known.length >= 0 else {
          slot = place
          break
        }
        if known.hash == hash, known.length == range.count,
          reader.has(bytes.span.extracting(known.start..<known.start + known.length), at: range)
        {
          return Symbol(index: known.index)
        }
      }
    }
    let symbol = table.intern(try reader.text(range))
    if slots.isEmpty || bytes.count + range.count > Self.mostBytes {
      slots = [Slot](repeating: Slot(), count: 1 << Self.slotBits + Self.probes - 1)
      bytes.removeAll(keepingCapacity: true)
      slot = first
    }
    slots[slot] = Slot(hash: hash, start: bytes.count, length: range.count, index: symbol.index)
    reader.append(range, to: &bytes)
    return symbol
  }
}

extension Array {
  /// The element at a place that a block names.
  @inline(__always)
  func at(_ place: UInt64, _ what: String) throws(BlockError) -> Element {
    guard place < UInt64(count) else { throw .malformed("block names a \(what) it does not list") }
    return self[Int(place)]
  }
}
