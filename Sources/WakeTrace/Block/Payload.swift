enum Column: UInt8, CaseIterable {
  /// The symbol table: names of devices, types, sources, apps and queries.
  case names = 1
  /// The runs: which device, its home source, how many events, the first time.
  case runs = 2
  /// The distinct event keys: kind, type and source.
  case keys = 3
  /// Time step and key of each event in one byte; replaces steps and subjects.
  case words = 4
  /// The time steps.
  case steps = 5
  /// The key of each event.
  case subjects = 6
  /// The inputs that are neither save nor delete.
  case others = 7
  /// The runs, a column for each field; replaces ``runs`` where there are many.
  case manyRuns = 8
  /// The presence of start, end and value of each event (details).
  case fields = 16
  /// Starts of samples (details).
  case starts = 17
  /// Ends of samples (details).
  case ends = 18
  /// Values of samples (details).
  case values = 19
  /// Where observations stand among the inputs (observations).
  case places = 32

  /// Readers skip unknown columns from this number on.
  static let firstOptional: UInt8 = 128

  /// The name in messages. Written out, as reflection takes a third of a millisecond of each command.
  var subject: String {
    switch self {
    case .names: "column names"
    case .runs: "column runs"
    case .keys: "column keys"
    case .words: "column words"
    case .steps: "column steps"
    case .subjects: "column subjects"
    case .others: "column others"
    case .manyRuns: "column manyRuns"
    case .fields: "column fields"
    case .starts: "column starts"
    case .ends: "column ends"
    case .values: "column values"
    case .places: "column places"
    }
  }

  func belongs(to role: BlockHeader.Role) -> Bool {
    switch role {
    case .scheduling: rawValue < Column.fields.rawValue
    case .details: (Column.fields.rawValue..<Column.places.rawValue).contains(rawValue)
    case .observations: rawValue < Column.fields.rawValue || self == .places
    }
  }
}

/// A part of a payload with one compression strategy.
package struct Section {
  /// The kind of content, which decides the strategy.
  enum Kind {
    /// Names and lists: LZ77 matches and Huffman codes.
    case plain
    /// One or two symbols a byte: Huffman codes, with matches where symbols repeat.
    case symbols
    /// Packed bits, mostly random: often stored.
    case mantissas
  }

  var kind: Kind
  package var bytes: [UInt8]
}

/// A payload under construction: a directory, then each column's bytes.
///
///     count (1)
///     id (1)  length (4)      for each column
///     bytes                   of each column, in the directory's order
struct Payload {
  private var columns: [(id: UInt8, sections: [Section])] = []

  mutating func add(_ column: Column, _ sections: [Section]) {
    columns.append((column.rawValue, sections))
  }

  var sections: [Section] {
    var directory = ByteWriter()
    directory.append(UInt8(columns.count))
    for (id, sections) in columns {
      directory.append(id)
      directory.append(UInt32(Self.length(of: sections)))
    }
    return [Section(kind: .plain, bytes: directory.bytes)] + columns.flatMap(\.sections)
  }

  static func length(of sections: [Section]) -> Int {
    sections.reduce(0) { $0 + $1.bytes.count }
  }

  /// FNV-1a over all bytes.
  var hash: UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for section in sections {
      for byte in section.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return hash
  }
}

/// The directory of a payload being read.
struct PayloadDirectory {
  /// By id, of those that are known; empty where there is none.
  private var ranges = InlineArray<33, Range<Int>>(repeating: 0..<0)
  /// A bit for each id that was met.
  private var ids = InlineArray<4, UInt64>(repeating: 0)

  init(_ payload: [UInt8], length: Int, role: BlockHeader.Role) throws(BlockError) {
    var reader = ByteReader(payload, in: 0..<length, subject: "block's directory")
    let count = Int(try reader.readByte())
    var start = 1 + 5 * count
    for _ in 0..<count {
      let id = try reader.readByte()
      let columnLength = Int(try reader.read(UInt32.self))
      guard start <= length, columnLength <= length - start else {
        throw .malformed("block's directory exceeds the block")
      }
      let isKnown = Column(rawValue: id)?.belongs(to: role) ?? false
      guard isKnown || id >= Column.firstOptional else {
        throw BlockError(
          .unknownVersion, "block has the mandatory column \(id), which this version does not know")
      }
      guard !has(id) else { throw .malformed("block has the column \(id) twice") }
      ids[Int(id >> 6)] |= 1 << UInt64(id & 63)
      if isKnown { ranges[Int(id)] = start..<start + columnLength }
      start += columnLength
    }
    guard start == length else { throw .malformed("block's columns do not fill it") }
  }

  private func has(_ id: UInt8) -> Bool { ids[Int(id >> 6)] >> UInt64(id & 63) & 1 > 0 }

  func has(_ column: Column) -> Bool { has(column.rawValue) }

  func reader(of column: Column, in payload: [UInt8]) -> ByteReader? {
    guard has(column) else { return nil }
    return ByteReader(payload, in: ranges[Int(column.rawValue)], subject: column.subject)
  }

  func mandatoryReader(
    of column: Column, in payload: [UInt8]
  ) throws(BlockError) -> ByteReader {
    guard let reader = reader(of: column, in: payload) else {
      throw .malformed("block has no column \(column)")
    }
    return reader
  }
}
