import WakeEvents

/// Numbers the distinct event keys of a block being written; reuses its tables from block to block.
struct EventKeyNumbering {
  private var list = EventKeyList()
  private var dense = DenseKeyTable()
  private var sparse = SparseKeyTable()
  private var sourceCounts: [UInt32] = []

  /// The index of each event's key, in order of first occurrence.
  private(set) var places: [UInt16] = []
  /// The count of each key, by its index.
  private var placeCounts: [UInt32] = []
  /// Scratch memory of ``countKeys()``.
  private var parts: [UInt32] = []
  /// The rank of each key by descending count, by its index.
  private(set) var ranks: [UInt32] = []
  /// The count of each key, by its rank: descending.
  private(set) var counts: [UInt32] = []
  /// The most frequent source of each run, as an index in the block's names; 0 without samples. Keys refer to it as
  /// home, so that devices that differ only in their source share keys.
  private(set) var homeSources: [Int] = []

  /// Numbers the events of a block; `names` receives the types and sources of the keys.
  mutating func take(
    _ columns: borrowing InputColumns, runs: [DeviceRun], names: inout BlockNames, symbols: Symbols
  ) {
    let (typeCount, sourceCount) = (symbols.types.count, symbols.sources.count)
    list.removeAll()
    homeSources.removeAll(keepingCapacity: true)
    if places.count != columns.count { places = [UInt16](repeating: 0, count: columns.count) }
    if sourceCounts.count < sourceCount {
      sourceCounts = [UInt32](repeating: 0, count: sourceCount + sourceCount / 2)
    }
    let isDense = dense.begin(types: typeCount, sources: sourceCount)
    if !isDense { sparse.begin(types: typeCount, sources: sourceCount) }
    for run in runs {
      let home = homeSource(columns, run.rows)
      homeSources.append(home.map { names.sources.place(of: $0) } ?? 0)
      let homeIndex = home?.index ?? EventKeyList.noSource
      if isDense {
        dense.number(columns, run.rows, home: homeIndex, &list, &names, &places)
      } else {
        sparse.number(columns, run.rows, home: homeIndex, &list, &names, &places)
      }
    }
    countKeys()
    rank()
  }

  /// Counts the events of each key.
  private mutating func countKeys() {
    // Four counts of a key, for rows in turn: consecutive additions to one address would wait for each other.
    let keys = list.keys.count
    parts.removeAll(keepingCapacity: true)
    parts.append(contentsOf: repeatElement(0, count: 4 * keys))
    do {
      // A span of the property would keep the whole structure from being changed.
      let allPlaces = places
      let places = allPlaces.span
      var parts = parts.mutableSpan
      var row = 0
      // Unchecked: a place is that of a key.
      while row &+ 4 <= places.count {
        for part in 0..<4 {
          let place = unsafe Int(places[unchecked: row &+ part])
          unsafe parts[unchecked: part &* keys &+ place] &+= 1
        }
        row &+= 4
      }
      while row < places.count {
        parts[Int(places[row])] += 1
        row += 1
      }
    }
    placeCounts.removeAll(keepingCapacity: true)
    for place in 0..<keys {
      placeCounts.append(
        parts[place] + parts[keys + place] + parts[2 * keys + place] + parts[3 * keys + place])
    }
  }

  /// The most frequent source of the samples in rows, the first of several; nil without samples.
  private mutating func homeSource(
    _ columns: borrowing InputColumns, _ rows: Range<Int>
  ) -> Source? {
    let kinds = columns.kinds.span.extracting(rows)
    let sources = columns.sources.span.extracting(rows)
    var counts = sourceCounts.mutableSpan
    var best: (source: UInt32, count: UInt32) = (0, 0)
    for row in kinds.indices where kinds[row] <= InputKind.delete.rawValue {
      let source = sources[row]
      let count = counts[Int(source)] &+ 1
      counts[Int(source)] = count
      if count > best.count { best = (source, count) }
    }
    // Clear for the next run, the cheaper way.
    if kinds.count > counts.count {
      counts.update(repeating: 0)
    } else {
      for row in kinds.indices where kinds[row] <= InputKind.delete.rawValue {
        counts[Int(sources[row])] = 0
      }
    }
    return best.count > 0 ? Source(index: best.source) : nil
  }

  /// Ranks the keys by descending count, then by first occurrence (counting sort).
  private mutating func rank() {
    let keys = list.keys.count
    let most = Int(placeCounts.max() ?? 0)
    // The first rank of each count, the highest count first.
    var starts = [UInt32](repeating: 0, count: most + 2)
    for count in placeCounts { starts[most - Int(count) + 1] += 1 }
    for count in 1..<starts.count { starts[count] += starts[count - 1] }
    ranks = [UInt32](repeating: 0, count: keys)
    counts = [UInt32](repeating: 0, count: keys)
    for place in 0..<keys {
      let count = placeCounts[place]
      let rank = starts[most - Int(count)]
      starts[most - Int(count)] += 1
      ranks[place] = rank
      counts[Int(rank)] = count
    }
  }

  /// The saves and deletes of each type, by its index in the block's names.
  func typeCounts(_ names: BlockNames) -> [Int] {
    var typeCounts = [Int](repeating: 0, count: names.types.symbols.count)
    for (place, key) in list.keys.enumerated() where key.kind <= InputKind.delete.rawValue {
      typeCounts[key.type] += Int(placeCounts[place])
    }
    return typeCounts
  }

  var deletes: Int {
    zip(list.keys, placeCounts).reduce(0) { sum, next in
      next.0.kind == InputKind.delete.rawValue ? sum + Int(next.1) : sum
    }
  }

  /// The column: a count, then the kinds, the types, the sources.
  func encodeKeys() -> [UInt8] {
    var keys = list.keys
    for (place, key) in list.keys.enumerated() { keys[Int(ranks[place])] = key }
    var writer = ByteWriter()
    writer.appendVarint(keys.count)
    for key in keys { writer.append(key.kind) }
    for key in keys { writer.appendVarint(key.type) }
    for key in keys { writer.appendVarint(key.source) }
    return writer.bytes
  }
}

/// The distinct keys in order of first occurrence.
private struct EventKeyList {
  static let noSource = UInt32.max

  private(set) var keys: [EventKey] = []
  /// The index plus 1 of the key of each kind that is neither save nor delete.
  private var others = [UInt32](repeating: 0, count: 256)

  mutating func removeAll() {
    for key in keys { others[Int(key.kind)] = 0 }
    keys.removeAll(keepingCapacity: true)
  }

  mutating func add(_ key: EventKey) -> Int {
    keys.append(key)
    return keys.count - 1
  }

  /// Appends the key of a save or delete; returns its index.
  mutating func add(
    kind: UInt8, type: UInt32, source: UInt32, home: UInt32, _ names: inout BlockNames
  ) -> Int {
    let type = names.types.place(of: SampleType(index: type))
    return add(
      EventKey(
        kind: kind, type: type,
        source: source == home ? 0 : names.sources.place(of: Source(index: source)) + 1))
  }

  /// The index of the key of an input that is neither save nor delete.
  mutating func other(kind: UInt8) -> Int {
    if others[Int(kind)] == 0 {
      others[Int(kind)] = UInt32(add(EventKey(kind: kind, type: 0, source: 0)) + 1)
    }
    return Int(others[Int(kind)]) - 1
  }
}

/// Finds keys by direct addressing, for few types and sources.
private struct DenseKeyTable {
  /// The largest table: it fits the L2 cache.
  private static let most = 1 << 16

  /// Indices plus 1; 0 is free.
  private var table: [UInt32] = []
  private var typeCount = 0
  private var sourceCount = 0

  /// Begins a block; false if there are too many types and sources.
  mutating func begin(types: Int, sources: Int) -> Bool {
    let (size, overflows) = (2 * types).multipliedReportingOverflow(by: sources + 1)
    guard !overflows, size <= Self.most else { return false }
    (typeCount, sourceCount) = (types, sources)
    table.removeAll(keepingCapacity: true)
    table.append(contentsOf: repeatElement(0, count: size))
    return true
  }

  mutating func number(
    _ columns: borrowing InputColumns, _ rows: Range<Int>, home: UInt32, _ list: inout EventKeyList,
    _ names: inout BlockNames, _ places: inout [UInt16]
  ) {
    // Unchecked below: all are of these rows, and symbols below their counts have an entry.
    let kinds = columns.kinds.span.extracting(rows)
    let types = columns.types.span.extracting(rows)
    let sources = columns.sources.span.extracting(rows)
    var allPlaces = places.mutableSpan
    var places = allPlaces._mutatingExtracting(rows)
    let (typeCount, sourceCount) = (typeCount, sourceCount)
    var table = table.mutableSpan
    for row in kinds.indices {
      let kind = unsafe kinds[unchecked: row]
      guard kind <= InputKind.delete.rawValue else {
        places[row] = UInt16(list.other(kind: kind))
        continue
      }
      let type = unsafe types[unchecked: row]
      let source = unsafe sources[unchecked: row]
      precondition(type < typeCount && source < sourceCount, "a symbol is of another table")
      let column = source == home ? 0 : Int(source) &+ 1
      let key = (Int(kind) &* typeCount &+ Int(type)) &* (sourceCount &+ 1) &+ column
      var place = unsafe Int(table[unchecked: key])
      if place == 0 {
        place = list.add(kind: kind, type: type, source: source, home: home, &names) + 1
        table[key] = UInt32(place)
      }
      unsafe places[unchecked: row] = UInt16(truncatingIfNeeded: place &- 1)
    }
  }
}

/// Finds keys by hashing, for many types and sources.
private struct SparseKeyTable {
  /// A direct-mapped cache before the dictionary.
  private struct Recent {
    var key: UInt64 = .max
    var place = 0
  }

  private static let recentBits: UInt64 = 10
  private var places: [UInt64: Int] = [:]
  private var recent: [Recent] = []
  private var typeCount = 0
  private var sourceCount = 0

  mutating func begin(types: Int, sources: Int) {
    (typeCount, sourceCount) = (types, sources)
    places.removeAll(keepingCapacity: true)
    recent.removeAll(keepingCapacity: true)
  }

  mutating func number(
    _ columns: borrowing InputColumns, _ rows: Range<Int>, home: UInt32, _ list: inout EventKeyList,
    _ names: inout BlockNames, _ outPlaces: inout [UInt16]
  ) {
    if recent.isEmpty { recent = [Recent](repeating: Recent(), count: 1 << Self.recentBits) }
    for row in rows {
      let kind = columns.kinds[row]
      guard kind <= InputKind.delete.rawValue else {
        outPlaces[row] = UInt16(list.other(kind: kind))
        continue
      }
      let (type, source) = (columns.types[row], columns.sources[row])
      precondition(type < typeCount && source < sourceCount, "a symbol is of another table")
      // A type takes less than 31 bits, as the names of all may take no more than 2^28 bytes.
      let subject = UInt64(type | UInt32(kind) << 31) << 32
      let key = subject | UInt64(source == home ? EventKeyList.noSource : source)
      let slot = Int((key &* 0x9E37_79B9_7F4A_7C15) >> (64 - Self.recentBits))
      if recent[slot].key != key {
        let place =
          places[key] ?? list.add(kind: kind, type: type, source: source, home: home, &names)
        places[key] = place
        recent[slot] = Recent(key: key, place: place)
      }
      outPlaces[row] = UInt16(recent[slot].place)
    }
  }
}
