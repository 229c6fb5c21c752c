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
struct DecodedNames {
  var devices: [Device] = []
  var types: [SampleType] = []
  var sources: [Source] = []
  var apps: [App] = []
  var queries: [Query] = []

  init() {}

  init(_ reader: inout ByteReader, symbols: Symbols) throws(BlockError) {
    devices = try Self.read(&reader, symbols.devices)
    types = try Self.read(&reader, symbols.types)
    sources = try Self.read(&reader, symbols.sources)
    apps = try Self.read(&reader, symbols.apps)
    queries = try Self.read(&reader, symbols.queries)
    try reader.expectEnd()
  }

  private static func read<Namespace>(
    _ reader: inout ByteReader, _ table: SymbolTable<Namespace>
  ) throws(BlockError) -> [Symbol<Namespace>] {
    let count = try reader.readCount(upTo: TraceLimits.namesInList, of: "names")
    guard count <= reader.remaining else { throw .malformed("block's names end early") }
    var symbols: [Symbol<Namespace>] = []
    symbols.reserveCapacity(count)
    for _ in 0..<count {
      symbols.append(table.intern(try reader.readText(upTo: TraceLimits.nameBytes)))
    }
    try TraceLimits.check(table)
    return symbols
  }
}

extension Array {
  /// The element at a place that a block names.
  func at(_ place: UInt64, _ what: String) throws(BlockError) -> Element {
    guard place < UInt64(count) else { throw .malformed("block names a \(what) it does not list") }
    return self[Int(place)]
  }
}
