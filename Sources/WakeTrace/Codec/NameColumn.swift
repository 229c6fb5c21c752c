import WakeEvents

/// The symbol table of a block being written: maps symbols to indices in the block.
struct LocalSymbols<Namespace> {
  /// Symbols below this number are found without hashing.
  private static var smallSymbols: Int { 4_096 }

  /// Indices plus 1, by symbol; 0 is free.
  private var smallPlaces: [UInt32] = []
  private var places: [UInt32: Int] = [:]
  private(set) var symbols: [Symbol<Namespace>] = []
  /// Whether a symbol's place is its number, for inputs outside of a block.
  var keepsNumbers = false

  /// The index of a symbol in the block's table; adds it if it is new.
  mutating func place(of symbol: Symbol<Namespace>) -> Int {
    let number = Int(symbol.index)
    if keepsNumbers { return number }
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

struct BlockNames {
  var devices = LocalSymbols<NameOf.Device>()
  var types = LocalSymbols<NameOf.SampleType>()
  var sources = LocalSymbols<NameOf.Source>()
  var apps = LocalSymbols<NameOf.App>()
  var queries = LocalSymbols<NameOf.Query>()

  /// The column: a count, then the names, of each sort. Throws `tooLarge` if they do not fit a block.
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
    // Only observations name so many.
    guard local.symbols.count <= TraceLimits.namesInList else { throw BlockEncoder.tooLarge }
    writer.appendVarint(local.symbols.count)
    for symbol in local.symbols {
      try writer.append(text: table.name(of: symbol), upTo: TraceLimits.nameBytes)
      guard writer.count <= TraceLimits.payloadBytes else { throw BlockEncoder.tooLarge }
    }
  }
}

/// The symbol tables of a block being read: maps indices in the block to symbols of the reader. Reused from block to
/// block, since names recur.
struct DecodedNames {
  private(set) var devices: [Device] = []
  private(set) var deviceHashes: [UInt64] = []
  private(set) var types: [SampleType] = []
  private(set) var sources: [Source] = []
  private(set) var apps: [App] = []
  private(set) var queries: [Query] = []

  private var deviceReader = NameListReader<NameOf.Device>()
  private var typeReader = NameListReader<NameOf.SampleType>()
  private var sourceReader = NameListReader<NameOf.Source>()
  private var appReader = NameListReader<NameOf.App>()
  private var queryReader = NameListReader<NameOf.Query>()
  private var unknown: [UnknownName] = []

  /// Reads the column and replaces the previous one.
  mutating func read(_ reader: inout ByteReader, symbols: Symbols) throws(BlockError) {
    try deviceReader.read(&reader, symbols.devices, &unknown, into: &devices)
    symbols.deviceHashes(of: devices, into: &deviceHashes)
    try typeReader.read(&reader, symbols.types, &unknown, into: &types)
    try sourceReader.read(&reader, symbols.sources, &unknown, into: &sources)
    try appReader.read(&reader, symbols.apps, &unknown, into: &apps)
    try queryReader.read(&reader, symbols.queries, &unknown, into: &queries)
    try reader.expectEnd()
  }
}

extension Array {
  /// The element at an index that a block gives.
  @inline(__always)
  func at(_ place: UInt64, _ what: String) throws(BlockError) -> Element {
    guard place < UInt64(count) else {
      throw .malformed("block refers to a \(what) beyond its list")
    }
    return self[Int(place)]
  }
}

extension BlockNames {
  /// Names whose places are the symbols' numbers.
  static var keepingNumbers: BlockNames {
    var names = BlockNames()
    (names.types.keepsNumbers, names.sources.keepsNumbers) = (true, true)
    (names.apps.keepsNumbers, names.queries.keepsNumbers) = (true, true)
    return names
  }
}

extension DecodedNames {
  /// Names whose places are the symbols' numbers, by how many there are of each.
  init(types: UInt32, sources: UInt32, apps: UInt32, queries: UInt32) {
    self.init()
    self.types = (0..<types).map { SampleType(index: $0) }
    self.sources = (0..<sources).map { Source(index: $0) }
    self.apps = (0..<apps).map { App(index: $0) }
    self.queries = (0..<queries).map { Query(index: $0) }
  }
}
