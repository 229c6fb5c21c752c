import WakeEvents

/// What an event is beside its time, as it recurs in a block: kind, type and source.
struct Mark: Hashable {
  var kind: UInt8
  /// The type's place in the block's names; 0 for inputs that are neither save nor delete.
  var type: Int
  /// 0 for the home source of the event's run, and for inputs that are neither save nor delete; else
  /// the source's place in the block's names plus 1.
  var source: Int
}

/// The marks of a block that is written, numbered by falling frequency.
struct MarkedRows {
  private var marks: [Mark] = []
  /// The number of each event's mark.
  private(set) var ranks: [Int64] = []
  /// For each run the place of its most frequent source in the block's names, 0 if it has no samples;
  /// runs of one device each then need no marks of their own.
  private(set) var homeSources: [Int] = []

  init(_ columns: borrowing InputColumns, runs: [DeviceRun], names: inout BlockNames) {
    var places: [Mark: Int] = [:]
    var counts: [Int] = []
    var rowPlaces: [Int] = []
    rowPlaces.reserveCapacity(columns.count)
    // Few marks make up nearly all events: those seen of late are found without hashing.
    var recent = [(key: MarkKey, place: Int)?](repeating: nil, count: 256)
    for run in runs {
      let home = Self.homeSource(columns, run.rows)
      homeSources.append(home.map { names.sources.place(of: $0) } ?? 0)
      for row in run.rows {
        let key = MarkKey(
          kind: columns.kinds[row], type: columns.types[row], source: columns.sources[row],
          home: home?.index ?? 0)
        let slot = Int((key.type &* 31 &+ key.source &* 7 &+ UInt32(key.kind)) & 255)
        if let found = recent[slot], found.key == key {
          counts[found.place] += 1
          rowPlaces.append(found.place)
          continue
        }
        var mark = Mark(kind: key.kind, type: 0, source: 0)
        if key.kind <= InputKind.delete.rawValue {
          mark.type = names.types.place(of: SampleType(index: key.type))
          if key.source != key.home {
            mark.source = names.sources.place(of: Source(index: key.source)) + 1
          }
        }
        let place = places[mark] ?? marks.count
        if place == marks.count {
          places[mark] = place
          marks.append(mark)
          counts.append(0)
        }
        counts[place] += 1
        rowPlaces.append(place)
        if key.kind <= InputKind.delete.rawValue { recent[slot] = (key, place) }
      }
    }

    let order = marks.indices.sorted {
      counts[$0] != counts[$1] ? counts[$0] > counts[$1] : $0 < $1
    }
    var rankOfPlace = [Int64](repeating: 0, count: order.count)
    for (rank, place) in order.enumerated() { rankOfPlace[place] = Int64(rank) }
    ranks = rowPlaces.map { rankOfPlace[$0] }
    marks = order.map { marks[$0] }
  }

  private struct MarkKey: Equatable {
    var kind: UInt8
    var type: UInt32
    var source: UInt32
    var home: UInt32
  }

  /// The most frequent source of the samples in rows, the first to be so; nil if there are none.
  private static func homeSource(
    _ columns: borrowing InputColumns, _ rows: Range<Int>
  ) -> Source? {
    var counts: [UInt32: Int] = [:]
    // Sources with small numbers, which are most, are counted without hashing.
    var smallCounts = [Int](repeating: 0, count: 256)
    var best: (source: UInt32, count: Int) = (0, 0)
    for row in rows where columns.kinds[row] <= InputKind.delete.rawValue {
      let source = columns.sources[row]
      let count: Int
      if source < 256 {
        smallCounts[Int(source)] += 1
        count = smallCounts[Int(source)]
      } else {
        count = counts[source, default: 0] + 1
        counts[source] = count
      }
      if count > best.count { best = (source, count) }
    }
    return best.count > 0 ? Source(index: best.source) : nil
  }

  /// The column: a count, then the kinds, the types, the sources.
  func encodeMarks() -> [UInt8] {
    var writer = ByteWriter()
    writer.appendVarint(marks.count)
    for mark in marks { writer.append(mark.kind) }
    for mark in marks { writer.appendVarint(mark.type) }
    for mark in marks { writer.appendVarint(mark.source) }
    return writer.bytes
  }
}

/// The marks of a block that is read, with symbols of the run in place of the block's own.
struct DecodedMarks {
  /// What a save or delete is of; zeros for other inputs.
  struct Subject {
    /// Stands for the home source of a run.
    static let home = UInt32.max

    /// ``SampleType/index``.
    var type: UInt32 = 0
    /// ``Source/index``, or ``home``.
    var source: UInt32 = 0
  }

  private(set) var kinds: [UInt8] = []
  private(set) var subjects: [Subject] = []
  /// Whether all are saves and deletes.
  private(set) var areSamples = true

  var count: Int { kinds.count }

  /// The kind of all of them, if they have one.
  var onlyKind: UInt8? {
    guard let first = kinds.first, kinds.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  init() {}

  init(_ reader: inout ByteReader, names: DecodedNames) throws(BlockError) {
    let count = try reader.readCount(upTo: TraceLimits.eventsPerBlock, of: "marks")
    for _ in 0..<count {
      let kind = try reader.readByte()
      guard InputKind(rawValue: kind) != nil else {
        throw BlockError(.unknownVersion, "block has an event of the unknown kind \(kind)")
      }
      kinds.append(kind)
      if kind > InputKind.delete.rawValue { areSamples = false }
    }
    subjects = [Subject](repeating: Subject(), count: count)
    for index in 0..<count {
      let type = try reader.readVarint()
      guard kinds[index] <= InputKind.delete.rawValue else { continue }
      subjects[index].type = try names.types.at(type, "type").index
    }
    for index in 0..<count {
      let source = try reader.readVarint()
      guard kinds[index] <= InputKind.delete.rawValue else { continue }
      subjects[index].source =
        source == 0 ? Subject.home : try names.sources.at(source - 1, "source").index
    }
    try reader.expectEnd()
  }
}
