import WakeEvents

// Names: u8 sort, u32 bytes, the bytes; one behind the other.
extension RingFile {
  /// Adds a name behind all others of its sort.
  func append(name: String, sort: NameSort) throws(TraceError) {
    let text = Array(name.utf8)
    let length = Int(words.load(RingLayout.File.namesLength))
    let end = length + 5 + text.count
    guard end <= RingLayout.nameBytes else {
      throw TraceError(
        code: .tooLarge, file: path,
        message: "the names take more than \(RingLayout.nameBytes) bytes")
    }
    while end > reservedNameBytes {
      let start = RingLayout.pageBytes + reservedNameBytes
      try Self.takeMemory(descriptor, path, start..<start + RingLayout.nameStep)
      reservedNameBytes += RingLayout.nameStep
    }
    var entry = ByteWriter()
    entry.append(sort.rawValue)
    entry.append(UInt32(text.count))
    entry.append(bytes: text)
    front.write(entry.bytes, at: RingLayout.pageBytes + length)
    words.release(UInt64(end), at: RingLayout.File.namesLength)
    let count = RingLayout.File.nameCounts + Int(sort.rawValue)
    words.release(words.load(count) + 1, at: count)
  }

  /// Interns the names from a byte on; returns where the next ones will be.
  func readNames(from start: Int, into symbols: Symbols) throws(TraceError) -> Int {
    let end = Int(clamping: words.acquire(RingLayout.File.namesLength))
    guard end <= RingLayout.nameBytes, start <= end else { throw damagedNames }
    let bytes = front.bytes(RingLayout.pageBytes + start..<RingLayout.pageBytes + end)
    var reader = ByteReader(bytes, in: bytes.indices, subject: "names")
    do throws(BlockError) {
      while reader.remaining > 0 {
        let (name, sort) = try Self.readName(&reader)
        let known = symbols.count(of: sort)
        guard symbols.intern(name, sort) == known else { throw .malformed("a name") }
      }
    } catch {
      throw damagedNames
    }
    return end
  }

  /// Interns the names of a file that nobody writes to any more, as far as they can be trusted.
  ///
  /// Names have no checksum, so a length that is damaged shows only where the next name is read: the
  /// last one before the damage is not trusted either. As later names have later numbers, those of the
  /// names before hold.
  ///
  /// - Returns: What is wrong with them; nil if nothing is.
  /// - Throws: ``TraceError`` with `malformed` if none can be trusted.
  func readTrustedNames(into symbols: Symbols) throws(TraceError) -> TraceError? {
    let end = Int(clamping: words.acquire(RingLayout.File.namesLength))
    guard end <= RingLayout.nameBytes else { throw damagedNames }
    let bytes = front.bytes(RingLayout.pageBytes..<RingLayout.pageBytes + end)
    var reader = ByteReader(bytes, in: bytes.indices, subject: "names")
    var names: [(name: String, sort: NameSort)] = []
    // To find names that are there twice.
    let read = Symbols()
    var isDamaged = false
    do throws(BlockError) {
      while reader.remaining > 0 {
        let (name, sort) = try Self.readName(&reader)
        let known = read.count(of: sort)
        guard read.intern(name, sort) == known else { throw .malformed("a name") }
        names.append((name, sort))
      }
    } catch {
      isDamaged = true
      if !names.isEmpty { names.removeLast() }
    }
    if !isDamaged, !hasNoted(read) { throw damagedNames }
    for (name, sort) in names { _ = symbols.intern(name, sort) }
    guard isDamaged else { return nil }
    guard !names.isEmpty else { throw damagedNames }
    return TraceError(
      code: .malformed, file: path,
      message: "ring file's names are damaged behind the first \(names.count); events that need "
        + "later ones are left out")
  }

  /// Whether names are as many as the header says; a kill may come before the last one is counted.
  private func hasNoted(_ names: Symbols) -> Bool {
    var uncounted: UInt64 = 0
    for sort in NameSort.allCases {
      let noted = words.load(RingLayout.File.nameCounts + Int(sort.rawValue))
      guard noted <= names.count(of: sort) else { return false }
      uncounted += UInt64(names.count(of: sort)) - noted
    }
    return uncounted <= 1
  }

  private var damagedNames: TraceError {
    TraceError(code: .malformed, file: path, message: "ring file's names are damaged")
  }

  private static func readName(
    _ reader: inout ByteReader
  ) throws(BlockError) -> (name: String, sort: NameSort) {
    let sort = NameSort(rawValue: try reader.readByte())
    let count = Int(try reader.read(UInt32.self))
    guard let sort, count <= reader.remaining else { throw .malformed("a name") }
    var text: [UInt8] = []
    for _ in 0..<count { text.append(try reader.readByte()) }
    guard let name = String(validating: text, as: UTF8.self) else { throw .malformed("a name") }
    return (name, sort)
  }
}

extension Symbols {
  /// The number of a name of a sort, which is new if the name is.
  func intern(_ name: String, _ sort: NameSort) -> UInt32 {
    switch sort {
    case .type: types.intern(name).index
    case .source: sources.intern(name).index
    case .app: apps.intern(name).index
    case .query: queries.intern(name).index
    case .device: devices.intern(name).index
    }
  }

  /// The number of a name of a sort, if it was interned.
  func index(of name: String, _ sort: NameSort) -> UInt32? {
    switch sort {
    case .type: types.symbol(for: name)?.index
    case .source: sources.symbol(for: name)?.index
    case .app: apps.symbol(for: name)?.index
    case .query: queries.symbol(for: name)?.index
    case .device: devices.symbol(for: name)?.index
    }
  }

  /// How many names of a sort there are.
  func count(of sort: NameSort) -> UInt32 {
    switch sort {
    case .type: UInt32(types.count)
    case .source: UInt32(sources.count)
    case .app: UInt32(apps.count)
    case .query: UInt32(queries.count)
    case .device: UInt32(devices.count)
    }
  }
}
