/// The columns of a block's payload: a directory, then each column's bytes.
///
///     count (1)
///     id (1)  length (4)      for each column
///     bytes                   of each column, in the directory's order
enum Column: UInt8, CaseIterable {
  /// The symbol table: names of devices, types, sources, apps and queries.
  case names = 1
  /// The runs: which device, how many events.
  case runs = 2
  /// The times.
  case times = 3
  /// Kind, type and source of each event.
  case subjects = 4
  /// The inputs that are neither save nor delete.
  case others = 5
  /// Starts of samples (details).
  case starts = 16
  /// Ends of samples (details).
  case ends = 17
  /// Values of samples (details).
  case values = 18

  /// A reader that does not know a column from this number on may skip it.
  static let firstOptional: UInt8 = 128

  /// Whether it belongs to the member of the role.
  func belongs(to role: BlockHeader.Role) -> Bool {
    (rawValue >= Column.starts.rawValue) == (role == .details)
  }
}

/// Finds the columns of a payload.
struct PayloadDirectory {
  private var ranges: [UInt8: Range<Int>] = [:]

  init(_ payload: [UInt8], length: Int, role: BlockHeader.Role) throws(BlockError) {
    var reader = ByteReader(payload, in: 0..<length, subject: "block's directory")
    let count = Int(try reader.readByte())
    var start = 1 + 5 * count
    for _ in 0..<count {
      let id = try reader.readByte()
      let columnLength = Int(try reader.read(UInt32.self))
      guard start <= length, columnLength <= length - start else {
        throw .malformed("block's directory says more than the block holds")
      }
      let isKnown = Column(rawValue: id)?.belongs(to: role) ?? false
      guard isKnown || id >= Column.firstOptional else {
        throw BlockError(.unknownVersion, "block has the mandatory column \(id), unknown here")
      }
      guard ranges[id] == nil else { throw .malformed("block has the column \(id) twice") }
      ranges[id] = start..<start + columnLength
      start += columnLength
    }
    guard start == length else { throw .malformed("block's columns do not fill it") }
  }

  /// A reader of a column, if the block has it.
  func reader(of column: Column, in payload: [UInt8]) -> ByteReader? {
    ranges[column.rawValue].map { ByteReader(payload, in: $0, subject: "column \(column)") }
  }

  /// A reader of a column that every block of its role has.
  func mandatoryReader(
    of column: Column, in payload: [UInt8]
  ) throws(BlockError) -> ByteReader {
    guard let reader = reader(of: column, in: payload) else {
      throw .malformed("block has no column \(column)")
    }
    return reader
  }
}

/// Puts the columns of a payload together.
struct PayloadBuilder {
  private var columns: [(id: UInt8, bytes: [UInt8])] = []
  private var stored: [(id: UInt8, bytes: [UInt8])] = []

  mutating func add(_ column: Column, _ bytes: [UInt8]) {
    columns.append((column.rawValue, bytes))
  }

  /// Adds the first bytes of a column to be deflated and the rest to be stored. The column comes last,
  /// and no other may have stored bytes.
  mutating func add(_ column: Column, _ bytes: [UInt8], thenStored tail: [UInt8]) {
    stored.append((column.rawValue, tail))
    columns.append((column.rawValue, bytes))
  }

  /// The payload, and the place from which on it is to be stored.
  func build() -> (payload: [UInt8], storedFrom: Int) {
    var writer = ByteWriter()
    writer.append(UInt8(columns.count))
    for (id, bytes) in columns {
      let tail = stored.first { $0.id == id }?.bytes.count ?? 0
      writer.append(id)
      writer.append(UInt32(bytes.count + tail))
    }
    for (_, bytes) in columns { writer.append(bytes: bytes) }
    let storedFrom = writer.count
    for (_, bytes) in stored { writer.append(bytes: bytes) }
    return (writer.bytes, storedFrom)
  }
}
