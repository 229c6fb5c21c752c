import WakeEvents
import WakeTrace

// A name is stored as u8 sort, u32 length (little-endian) and its UTF-8 bytes.
extension RingFile {
  func append(name: String, sort: NameSort) throws(TraceError) {
    let text = Array(name.utf8)
    let end = nameBytes + 5 + text.count
    guard end <= RingLayout.nameBytes else {
      throw error(.tooLarge, "the names take more than \(RingLayout.nameBytes) bytes")
    }
    while end > reservedNameBytes {
      let start = RingLayout.pageBytes + reservedNameBytes
      try Self.allocate(descriptor, path, start..<start + RingLayout.nameStep)
      reservedNameBytes += RingLayout.nameStep
    }
    let count = UInt32(text.count)
    let lengthBytes = (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    front.write([sort.rawValue] + lengthBytes + text, at: RingLayout.pageBytes + nameBytes)
    nameBytes = end
    words.release(UInt64(end), at: RingLayout.File.namesLength)
    let counter = RingLayout.File.nameCounts + Int(sort.rawValue)
    words.release(words.load(counter) &+ 1, at: counter)
  }

  /// Interns the names from a byte on; returns the byte after them.
  func readNames(from start: Int, into symbols: Symbols) throws(TraceError) -> Int {
    let found = try parseNames(from: start, after: symbols)
    guard found.areWhole else { throw damagedNames }
    for (name, sort) in found.names { _ = symbols.table(of: sort).intern(name) }
    return found.end
  }

  /// Interns the names of a file that nobody writes any more, up to the first damage.
  ///
  /// Names have no checksum, so a damaged length shows only at the next name: the last name before the damage is
  /// dropped too. Names are numbered in order, so the numbers of those before it are right.
  ///
  /// - Parameter symbols: Empty tables.
  /// - Returns: What is wrong with them; nil if nothing is.
  /// - Throws: ``TraceError`` with `malformed` if all are damaged.
  func readTrustedNames(into symbols: Symbols) throws(TraceError) -> TraceError? {
    let found = try parseNames(from: 0, after: symbols)
    let names = found.areWhole ? found.names[...] : found.names.dropLast()
    for (name, sort) in names { _ = symbols.table(of: sort).intern(name) }
    guard found.areWhole ? counts(symbols) : !names.isEmpty else { throw damagedNames }
    if found.areWhole { return nil }
    return error(
      .malformed,
      "ring file's names are damaged behind the first \(names.count); events that need later ones "
        + "are left out")
  }

  /// The names from a byte on, up to the first that is damaged or known.
  private func parseNames(
    from start: Int, after symbols: Symbols
  ) throws(TraceError) -> (names: [(name: String, sort: NameSort)], end: Int, areWhole: Bool) {
    let end = Int(clamping: words.acquire(RingLayout.File.namesLength))
    let isPossible = start <= end && end <= RingLayout.nameBytes
    let range = RingLayout.pageBytes + start..<RingLayout.pageBytes + (isPossible ? end : start)
    var rest = front.bytes(range)[...]
    try front.checkWhole()
    guard isPossible else { throw damagedNames }
    var names: [(name: String, sort: NameSort)] = []
    let read = Symbols()
    while !rest.isEmpty {
      guard let (name, sort) = Self.takeName(&rest),
        symbols.table(of: sort).index(of: name) == nil, read.table(of: sort).index(of: name) == nil
      else { return (names, end, false) }
      _ = read.table(of: sort).intern(name)
      names.append((name, sort))
    }
    return (names, end, true)
  }

  /// Whether the header counts these names; a kill may come before the last one is counted.
  private func counts(_ names: Symbols) -> Bool {
    var uncounted: UInt64 = 0
    for sort in NameSort.allCases {
      let noted = words.load(RingLayout.File.nameCounts + Int(sort.rawValue))
      let count = UInt64(names.table(of: sort).count)
      guard noted <= count else { return false }
      uncounted += count - noted
    }
    return uncounted <= 1
  }

  private var damagedNames: TraceError { error(.malformed, "ring file's names are damaged") }

  /// Removes the first name from the bytes; nil if it is damaged.
  private static func takeName(
    _ bytes: inout ArraySlice<UInt8>
  ) -> (name: String, sort: NameSort)? {
    guard bytes.count >= 5, let sort = bytes.popFirst().flatMap(NameSort.init) else { return nil }
    let count = Int(UInt64(littleEndianBytes: bytes.prefix(4)))
    bytes = bytes.dropFirst(4)
    guard count <= bytes.count,
      let name = String(validating: bytes.prefix(count), as: UTF8.self)
    else { return nil }
    bytes = bytes.dropFirst(count)
    return (name, sort)
  }
}

extension Symbols {
  func table(of sort: NameSort) -> NameTable {
    switch sort {
    case .type: types.table
    case .source: sources.table
    case .app: apps.table
    case .query: queries.table
    case .device: devices.table
    }
  }
}

/// How many names of each sort there were at a time, so that damaged numbers are refused.
final class NameCounts {
  private let counts: [UInt32]
  /// Decodes the inputs that have these names.
  private(set) lazy var codec = InputCodec(
    types: self[.type], sources: self[.source], apps: self[.app], queries: self[.query])

  init(_ symbols: Symbols) {
    counts = NameSort.allCases.map { UInt32(symbols.table(of: $0).count) }
  }

  subscript(sort: NameSort) -> UInt32 { counts[Int(sort.rawValue)] }
}

extension UInt64 {
  /// The number whose bytes are given, the lowest first; missing ones are 0.
  init(littleEndianBytes bytes: some BidirectionalCollection<UInt8>) {
    self = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
