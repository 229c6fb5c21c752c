import WakeEvents
import WakeTrace

// A name is stored as u8 sort, u32 length (little-endian) and its UTF-8 bytes.
extension RingFile {
  /// Appends a name.
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
      try Self.allocate(descriptor, path, start..<start + RingLayout.nameStep)
      reservedNameBytes += RingLayout.nameStep
    }
    let count = UInt32(text.count)
    let lengthBytes = (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    front.write([sort.rawValue] + lengthBytes + text, at: RingLayout.pageBytes + length)
    words.release(UInt64(end), at: RingLayout.File.namesLength)
    let counter = RingLayout.File.nameCounts + Int(sort.rawValue)
    words.release(words.load(counter) + 1, at: counter)
  }

  /// Interns the names from a byte on; returns the byte after them.
  func readNames(from start: Int, into symbols: Symbols) throws(TraceError) -> Int {
    let end = Int(clamping: words.acquire(RingLayout.File.namesLength))
    guard end <= RingLayout.nameBytes, start <= end else { throw damagedNames }
    let bytes = front.bytes(RingLayout.pageBytes + start..<RingLayout.pageBytes + end)
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let (name, sort) = Self.takeName(&rest) else { throw damagedNames }
      let known = symbols.count(of: sort)
      guard symbols.intern(name, sort) == known else { throw damagedNames }
    }
    return end
  }

  /// Interns the names of a file that nobody writes any more, up to the first damage.
  ///
  /// Names have no checksum, so a damaged length shows only at the next name: the last name before the damage is
  /// dropped too. Names are numbered in order, so the numbers of those before it are right.
  ///
  /// - Returns: What is wrong with them; nil if nothing is.
  /// - Throws: ``TraceError`` with `malformed` if all are damaged.
  func readTrustedNames(into symbols: Symbols) throws(TraceError) -> TraceError? {
    let end = Int(clamping: words.acquire(RingLayout.File.namesLength))
    guard end <= RingLayout.nameBytes else { throw damagedNames }
    let bytes = front.bytes(RingLayout.pageBytes..<RingLayout.pageBytes + end)
    var names: [(name: String, sort: NameSort)] = []
    // Finds repeated names.
    let read = Symbols()
    var rest = bytes[...]
    var isDamaged = false
    while !rest.isEmpty {
      guard let (name, sort) = Self.takeName(&rest),
        read.index(of: name, sort) == nil
      else {
        isDamaged = true
        if !names.isEmpty { names.removeLast() }
        break
      }
      _ = read.intern(name, sort)
      names.append((name, sort))
    }
    if !isDamaged, !counts(read) { throw damagedNames }
    for (name, sort) in names { _ = symbols.intern(name, sort) }
    guard isDamaged else { return nil }
    guard !names.isEmpty else { throw damagedNames }
    return TraceError(
      code: .malformed, file: path,
      message: "ring file's names are damaged behind the first \(names.count); events that need "
        + "later ones are left out")
  }

  /// Whether the header counts these names; a kill may come before the last one is counted.
  private func counts(_ names: Symbols) -> Bool {
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
  /// The number of a name, which is new if the name is.
  func intern(_ name: String, _ sort: NameSort) -> UInt32 {
    switch sort {
    case .type: types.intern(name).index
    case .source: sources.intern(name).index
    case .app: apps.intern(name).index
    case .query: queries.intern(name).index
    case .device: devices.intern(name).index
    }
  }

  /// The number of a name, if it was interned.
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
