import WakeEvents
import WakeTrace

/// The stages of writing and reading a block, separately, for benchmarks.
final class CodecParts {
  private let columns: InputColumns
  private let runs: [DeviceRun]
  private let encoder: BlockEncoder
  private let deflater: Deflater
  private let decoder: BlockDecoder
  private let inflater = Inflater()
  private let sections: [Section]
  private let plainLength: Int
  /// A block as in a file.
  private let deflated: [UInt8]
  private let deflatedHeader: BlockHeader
  private let deflatedStart: Int
  /// The same block without compression, so that inflating is a copy.
  private let stored: [UInt8]
  private var payload: [UInt8] = []
  /// The last output of ``deflate()``.
  private var made: [UInt8] = []

  /// Prepares all stages for the events of one device, at most a block of them.
  init(_ columns: InputColumns, of device: Device, symbols: Symbols) throws {
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

  /// The size of the block in bytes.
  var memberLength: Int { deflated.count }

  /// Encodes the columns as a block without compression; returns its hash.
  func encode() throws -> UInt64 {
    hash(try encoder.encode(columns, runs: runs, stream: 1, sequence: 0).scheduling)
  }

  /// Compresses the encoded sections; returns a hash of the output.
  func deflate() throws -> UInt64 {
    var output: [UInt8] = []
    try deflater.deflate(sections, to: &output)
    made = output
    return hash(output)
  }

  /// A hash of the inflated output of ``deflate()``, which does not depend on the compressor.
  func inflatedAgain() throws -> UInt64 {
    try inflater.inflate(made, in: 0..<made.count, length: plainLength, into: &payload)
    return hash(payload[..<plainLength])
  }

  /// Inflates a block and checks its CRC; returns a hash of the payload.
  func inflate() throws -> UInt64 {
    try GzipMember.decodePayload(
      deflated, header: deflatedHeader, payloadStart: deflatedStart, with: inflater, into: &payload)
    return hash(payload[..<deflatedHeader.payloadLength])
  }

  /// Decodes the block without compression; returns a weak checksum. ``decoded`` has the columns.
  func decode() throws -> UInt64 {
    try decoder.decode(scheduling: stored, details: [])
    return Self.sum(decoder.columns)
  }

  /// The columns of the last ``decode()``.
  var decoded: InputColumns { decoder.columns }

  /// The sum of times and types: independent of their order, but cheap beside decoding.
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
