import WakeEvents

/// Finds and numbers the marks of a block that is written; keeps its tables from block to block.
struct MarkNumbering {
  private var list = MarkList()
  private var dense = DenseMarks()
  private var sparse = SparseMarks()
  private var sourceCounts: [UInt32] = []

  /// The place of each event's mark, by first occurrence.
  private(set) var places: [UInt16] = []
  /// How often each mark occurs, at its place; longer than there are marks.
  private var placeCounts: [UInt32] = []
  /// The number of each mark by falling frequency, at its place.
  private(set) var ranks: [UInt32] = []
  /// How often each mark occurs, at its number: so they fall.
  private(set) var counts: [UInt32] = []
  /// For each run the place of its most frequent source in the block's names, 0 if it has no samples;
  /// runs of one device each then need no marks of their own.
  private(set) var homeSources: [Int] = []

  /// Takes the events of a block.
  ///
  /// - Parameters:
  ///   - names: Gets the names of types and sources that marks have.
  ///   - symbols: The tables that the events' symbols come from.
  /// - Complexity: O(events).
  mutating func take(
    _ columns: borrowing InputColumns, runs: [DeviceRun], names: inout BlockNames, symbols: Symbols
  ) {
    let (typeCount, sourceCount) = (symbols.types.count, symbols.sources.count)
    list.removeAll()
    homeSources.removeAll(keepingCapacity: true)
    // As many as there may be marks, and none of them counted yet.
    if placeCounts.isEmpty {
      placeCounts = [UInt32](repeating: 0, count: TraceLimits.eventsPerBlock)
    }
    for place in ranks.indices { placeCounts[place] = 0 }
    if places.count != columns.count { places = [UInt16](repeating: 0, count: columns.count) }
    if sourceCounts.count < sourceCount {
      sourceCounts = [UInt32](repeating: 0, count: sourceCount + sourceCount / 2)
    }
    let isDense = dense.begin(types: typeCount, sources: sourceCount)
    sparse.removeAll()
    for run in runs {
      let home = homeSource(columns, run.rows)
      homeSources.append(home.map { names.sources.place(of: $0) } ?? 0)
      let homeIndex = home?.index ?? MarkList.noSource
      if isDense {
        dense.number(columns, run.rows, home: homeIndex, &list, &names, &places, &placeCounts)
      } else {
        sparse.number(columns, run.rows, home: homeIndex, &list, &names, &places, &placeCounts)
      }
    }
    rank()
  }

  /// The most frequent source of the samples in rows, the first to be so; nil if there are none.
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
    // For the next run, in whichever way is shorter.
    if kinds.count > counts.count {
      counts.update(repeating: 0)
    } else {
      for row in kinds.indices where kinds[row] <= InputKind.delete.rawValue {
        counts[Int(sources[row])] = 0
      }
    }
    return best.count > 0 ? Source(index: best.source) : nil
  }

  /// Numbers the marks by falling frequency, those of one frequency by their first occurrence.
  private mutating func rank() {
    let marks = list.marks.count
    let most = Int(placeCounts[..<marks].max() ?? 0)
    // Where the marks of each count begin, the highest counts first.
    var starts = [UInt32](repeating: 0, count: most + 2)
    for count in placeCounts[..<marks] { starts[most - Int(count) + 1] += 1 }
    for count in 1..<starts.count { starts[count] += starts[count - 1] }
    ranks = [UInt32](repeating: 0, count: marks)
    counts = [UInt32](repeating: 0, count: marks)
    for place in 0..<marks {
      let count = placeCounts[place]
      let rank = starts[most - Int(count)]
      starts[most - Int(count)] += 1
      ranks[place] = rank
      counts[Int(rank)] = count
    }
  }

  /// The saves and deletes of each type, by its place in the block's names.
  func typeCounts(_ names: BlockNames) -> [Int] {
    var typeCounts = [Int](repeating: 0, count: names.types.symbols.count)
    for (place, mark) in list.marks.enumerated() where mark.kind <= InputKind.delete.rawValue {
      typeCounts[mark.type] += Int(placeCounts[place])
    }
    return typeCounts
  }

  /// The deletes.
  var deletes: Int {
    zip(list.marks, placeCounts).reduce(0) { sum, next in
      next.0.kind == InputKind.delete.rawValue ? sum + Int(next.1) : sum
    }
  }

  /// The column: a count, then the kinds, the types, the sources.
  func encodeMarks() -> [UInt8] {
    var marks = list.marks
    for (place, mark) in list.marks.enumerated() { marks[Int(ranks[place])] = mark }
    var writer = ByteWriter()
    writer.appendVarint(marks.count)
    for mark in marks { writer.append(mark.kind) }
    for mark in marks { writer.appendVarint(mark.type) }
    for mark in marks { writer.appendVarint(mark.source) }
    return writer.bytes
  }
}

/// The marks met so far, in the order of their first occurrence.
private struct MarkList {
  /// Stands for no source.
  static let noSource = UInt32.max

  private(set) var marks: [Mark] = []
  /// Places plus 1 of those of inputs that are neither save nor delete, by kind.
  private var others = [UInt32](repeating: 0, count: 256)

  mutating func removeAll() {
    for mark in marks { others[Int(mark.kind)] = 0 }
    marks.removeAll(keepingCapacity: true)
  }

  /// Adds a mark that occurs for the first time.
  mutating func add(_ mark: Mark) -> Int {
    marks.append(mark)
    return marks.count - 1
  }

  /// Adds the mark of a save or delete.
  mutating func add(
    kind: UInt8, type: UInt32, source: UInt32, home: UInt32, _ names: inout BlockNames
  ) -> Int {
    let type = names.types.place(of: SampleType(index: type))
    return add(
      Mark(
        kind: kind, type: type,
        source: source == home ? 0 : names.sources.place(of: Source(index: source)) + 1))
  }

  /// The place of the mark of an input that is neither save nor delete.
  mutating func other(kind: UInt8) -> Int {
    if others[Int(kind)] == 0 {
      others[Int(kind)] = UInt32(add(Mark(kind: kind, type: 0, source: 0)) + 1)
    }
    return Int(others[Int(kind)]) - 1
  }
}

/// Finds marks in a table with a place for each kind, type and source, where there are few of them.
private struct DenseMarks {
  /// What fits the processor's near caches.
  private static let most = 1 << 16

  /// Places plus 1; 0 is not met yet.
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
    _ columns: borrowing InputColumns, _ rows: Range<Int>, home: UInt32, _ list: inout MarkList,
    _ names: inout BlockNames, _ places: inout [UInt16], _ counts: inout [UInt32]
  ) {
    let kinds = columns.kinds.span.extracting(rows)
    let types = columns.types.span.extracting(rows)
    let sources = columns.sources.span.extracting(rows)
    var allPlaces = places.mutableSpan
    var places = allPlaces._mutatingExtracting(rows)
    var counts = counts.mutableSpan
    let (typeCount, sourceCount) = (typeCount, sourceCount)
    var table = table.mutableSpan
    for row in kinds.indices {
      let kind = kinds[row]
      guard kind <= InputKind.delete.rawValue else {
        let place = list.other(kind: kind)
        counts[place] &+= 1
        places[row] = UInt16(place)
        continue
      }
      let (type, source) = (types[row], sources[row])
      precondition(type < typeCount && source < sourceCount, "a symbol is of another table")
      let column = source == home ? 0 : Int(source) &+ 1
      let key = (Int(kind) &* typeCount &+ Int(type)) &* (sourceCount &+ 1) &+ column
      var place = Int(table[key])
      if place == 0 {
        place = list.add(kind: kind, type: type, source: source, home: home, &names) + 1
        table[key] = UInt32(place)
      }
      counts[place &- 1] &+= 1
      places[row] = UInt16(truncatingIfNeeded: place &- 1)
    }
  }
}

/// Finds marks by a hash, where there are many types and sources.
private struct SparseMarks {
  /// Of those that were met of late, found without asking the dictionary.
  private struct Recent {
    var key: UInt64 = .max
    var place = 0
  }

  private static let recentBits: UInt64 = 10
  private var places: [UInt64: Int] = [:]
  private var recent: [Recent] = []

  mutating func removeAll() {
    places.removeAll(keepingCapacity: true)
    recent.removeAll(keepingCapacity: true)
  }

  mutating func number(
    _ columns: borrowing InputColumns, _ rows: Range<Int>, home: UInt32, _ list: inout MarkList,
    _ names: inout BlockNames, _ outPlaces: inout [UInt16], _ counts: inout [UInt32]
  ) {
    if recent.isEmpty { recent = [Recent](repeating: Recent(), count: 1 << Self.recentBits) }
    for row in rows {
      let kind = columns.kinds[row]
      guard kind <= InputKind.delete.rawValue else {
        let place = list.other(kind: kind)
        counts[place] += 1
        outPlaces[row] = UInt16(place)
        continue
      }
      let (type, source) = (columns.types[row], columns.sources[row])
      // A type takes less than 31 bits, as the names of all may take no more than 2^28 bytes.
      let subject = UInt64(type | UInt32(kind) << 31) << 32
      let key = subject | UInt64(source == home ? MarkList.noSource : source)
      let slot = Int((key &* 0x9E37_79B9_7F4A_7C15) >> (64 - Self.recentBits))
      if recent[slot].key != key {
        let place =
          places[key] ?? list.add(kind: kind, type: type, source: source, home: home, &names)
        places[key] = place
        recent[slot] = Recent(key: key, place: place)
      }
      let place = recent[slot].place
      counts[place] += 1
      outPlaces[row] = UInt16(place)
    }
  }
}
