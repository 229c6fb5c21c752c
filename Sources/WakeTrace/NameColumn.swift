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
  /// The ``NameHash/device(_:)`` of each device's name.
  private(set) var deviceHashes: [UInt64] = []
  private(set) var types: [SampleType] = []
  private(set) var sources: [Source] = []
  private(set) var apps: [App] = []
  private(set) var queries: [Query] = []

  private var knownDevices = KnownNames<NameOf.Device>()
  private var knownTypes = KnownNames<NameOf.SampleType>()
  private var knownSources = KnownNames<NameOf.Source>()
  private var knownApps = KnownNames<NameOf.App>()
  private var knownQueries = KnownNames<NameOf.Query>()
  private var unknown: [ListedName] = []

  /// Reads the column in place of the one before, all from blocks of one run over traces.
  ///
  /// - Complexity: O(bytes).
  mutating func read(_ reader: inout ByteReader, symbols: Symbols) throws(BlockError) {
    try knownDevices.readList(&reader, symbols.devices, &unknown, into: &devices)
    symbols.deviceHashes(of: devices, into: &deviceHashes)
    try knownTypes.readList(&reader, symbols.types, &unknown, into: &types)
    try knownSources.readList(&reader, symbols.sources, &unknown, into: &sources)
    try knownApps.readList(&reader, symbols.apps, &unknown, into: &apps)
    try knownQueries.readList(&reader, symbols.queries, &unknown, into: &queries)
    try reader.expectEnd()
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
