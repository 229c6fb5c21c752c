package import WakeEvents

/// The stages of writing and reading a block by themselves, for benchmarks.
package final class CodecParts {
  private let columns: InputColumns
  private let runs: [DeviceRun]
  private let encoder: BlockEncoder
  private let deflater: Deflater
  private let decoder: BlockDecoder
  private let inflater = Inflater()
  private let sections: [Section]
  private let plainLength: Int
  /// A block as it stands in a file.
  private let deflated: [UInt8]
  private let deflatedHeader: BlockHeader
  private let deflatedStart: Int
  /// The same block with everything stored, so that inflating it is a copy.
  private let stored: [UInt8]
  private var payload: [UInt8] = []
  /// What ``deflate()`` made last.
  private var made: [UInt8] = []

  /// Prepares all stages for the events of one device, at most a block of them.
  package init(_ columns: InputColumns, of device: Device, symbols: Symbols) throws {
    self.columns = columns
    runs = [DeviceRun(device: device, rows: 0..<columns.count)]
    encoder = try BlockEncoder(symbols: symbols, level: 0)
    deflater = try Deflater(level: 6)
    decoder = BlockDecoder(symbols: symbols)
    stored = try encoder.encode(columns, runs: runs, stream: 1, sequence: 0).scheduling
    deflated = try BlockEncoder(symbols: symbols, level: 6)
      .encode(columns, runs: runs, stream: 1, sequence: 0).scheduling
    (deflatedHeader, deflatedStart) = try GzipMember.decodeHeader(deflated, count: deflated.count)
    sections = try encoder.sections(columns, runs: runs)
    plainLength = sections.reduce(0) { $0 + $1.bytes.count }
  }

  /// Bytes of the block.
  package var memberLength: Int { deflated.count }

  /// Turns columns into a block that is not deflated; returns a hash of it.
  package func encode() throws -> UInt64 {
    hash(try encoder.encode(columns, runs: runs, stream: 1, sequence: 0).scheduling)
  }

  /// Deflates what was encoded; returns a hash of it.
  package func deflate() throws -> UInt64 {
    var output: [UInt8] = []
    try deflater.deflate(sections, to: &output)
    made = output
    return hash(output)
  }

  /// A hash of what ``deflate()`` made comes to when it is inflated: other compressors make other bytes of
  /// the same.
  package func inflatedAgain() throws -> UInt64 {
    try inflater.inflate(made, in: 0..<made.count, length: plainLength, into: &payload)
    return hash(payload[..<plainLength])
  }

  /// Inflates a block and checks its sum; returns a hash of what came out.
  package func inflate() throws -> UInt64 {
    try GzipMember.decodePayload(
      deflated, header: deflatedHeader, payloadStart: deflatedStart, with: inflater, into: &payload)
    return hash(payload[..<deflatedHeader.payloadLength])
  }

  /// Turns a block that is not deflated into columns; returns a sum that tells little of them, see
  /// ``decoded``.
  package func decode() throws -> UInt64 {
    try decoder.decode(scheduling: stored, details: [])
    return Self.sum(decoder.columns)
  }

  /// What ``decode()`` made, row by row.
  package var decoded: InputColumns { decoder.columns }

  /// The sum of all times and types: it tells no order, but costs next to nothing beside decoding.
  private static func sum(_ columns: borrowing InputColumns) -> UInt64 {
    let (times, types) = (columns.times.span, columns.types.span)
    var sum: UInt64 = 0
    for row in times.indices { sum &+= UInt64(bitPattern: times[row]) &+ UInt64(types[row]) }
    return sum
  }

  private func hash(_ bytes: some Collection<UInt8>) -> UInt64 {
    UInt64(Checksum.crc32(Array(bytes), in: 0..<bytes.count)) | UInt64(bytes.count) << 32
  }
}
