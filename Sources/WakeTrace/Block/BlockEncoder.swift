package import WakeEvents

/// Encodes a batch of events as a block.
///
/// A class, since it reuses zlib's state and its tables from block to block.
package final class BlockEncoder {
  /// A block's gzip members, as in a file.
  package struct Block {
    var stream: UInt64
    /// The names of the devices of its runs.
    package var devices: [String]
    package var scheduling: [UInt8]
    /// Empty if no sample has a start, an end or a value.
    package var details: [UInt8] = []
  }

  private var symbols: Symbols
  private let deflater: Deflater
  private var integers = IntegerColumn.Encoder()
  private var describer = BlockDescriber()

  /// - Parameter file: The file that the blocks go to, for the error if zlib cannot be started.
  package init(symbols: Symbols, level: Int, file: String = "trace") throws(TraceError) {
    self.symbols = symbols
    do throws(BlockError) {
      deflater = try Deflater(level: level)
    } catch let error {
      throw error.located(file: file, offset: 0)
    }
  }

  /// Takes the names of the following blocks from `symbols`.
  func use(_ symbols: Symbols) { self.symbols = symbols }

  /// Encodes all rows, which `runs` divide among devices.
  ///
  /// - Parameters:
  ///   - stream: The stream's id; nil derives it from this block.
  ///   - lostBefore: Events of the stream that were lost before this block.
  /// - Throws: `tooLarge` if names and texts do not fit a block, `invalidEvent` for an event that readers
  ///   reject.
  package func encode(
    _ columns: borrowing InputColumns, runs: [DeviceRun], stream: UInt64?, sequence: UInt32,
    lostBefore: UInt64 = 0
  ) throws(BlockError) -> Block {
    var names = BlockNames()
    var header = describer.header(of: columns, runs: runs, names: &names, symbols: symbols)
    guard Timestamp.validRange.contains(header.earliest),
      Timestamp.validRange.contains(header.latest)
    else { throw .invalidEvent("an event has a time beyond ±4 × 10^18 nanoseconds") }
    let scheduling = try schedulingPayload(columns, runs: runs, names: &names)
    let details = try DetailColumns.encode(columns, with: &integers)
    if details != nil { header.flags.insert(.hasDetails) }
    header.stream = stream ?? scheduling.hash ^ (details?.hash ?? 0)
    header.sequence = sequence
    header.lostBefore = lostBefore

    var block = Block(
      stream: header.stream, devices: runs.map { symbols.devices.name(of: $0.device) },
      scheduling: try GzipMember.encode(header: &header, payload: scheduling, with: deflater))
    if let details {
      header.role = .details
      header.flags = []
      header.deletes = 0
      header.runs = []
      header.types = []
      block.details = try GzipMember.encode(header: &header, payload: details, with: deflater)
    }
    return block
  }

  package func sections(
    _ columns: borrowing InputColumns, runs: [DeviceRun]
  ) throws(BlockError) -> [Section] {
    var names = BlockNames()
    _ = describer.header(of: columns, runs: runs, names: &names, symbols: symbols)
    return try schedulingPayload(columns, runs: runs, names: &names).sections
  }

  /// - Precondition: The describer was just given the events.
  private func schedulingPayload(
    _ columns: borrowing InputColumns, runs: [DeviceRun], names: inout BlockNames
  ) throws(BlockError) -> Payload {
    let (keys, times) = (describer.keys, describer.times)
    var runBytes = ByteWriter()
    runBytes.appendVarint(runs.count)
    var previousOrigin: Int64 = 0
    for (run, homeSource) in zip(runs, keys.homeSources) {
      runBytes.appendVarint(names.devices.place(of: run.device))
      runBytes.appendVarint(homeSource)
      runBytes.appendVarint(run.rows.count)
      let origin = columns.times[run.rows.lowerBound]
      runBytes.appendZigzag(origin &- previousOrigin)
      previousOrigin = origin
    }
    var others = ByteWriter()
    for input in columns.others {
      try names.append(input, to: &others)
      guard others.count <= TraceLimits.payloadBytes else { throw Self.tooLarge }
    }

    var payload = Payload()
    payload.add(.names, [Section(kind: .plain, bytes: try names.encode(symbols))])
    payload.add(.runs, [Section(kind: .plain, bytes: runBytes.bytes)])
    payload.add(.keys, [Section(kind: .plain, bytes: keys.encodeKeys())])
    if let words = FusedWords(steps: times.steps, places: keys.places) {
      payload.add(.words, words.encode(unit: times.unit, ranks: keys.ranks))
    } else {
      var unitBytes = ByteWriter()
      unitBytes.appendVarint(UInt64(times.unit))
      payload.add(
        .steps,
        [Section(kind: .plain, bytes: unitBytes.bytes)]
          + integers.encode(times.steps, groups: true))
      payload.add(
        .subjects,
        integers.encode(places: keys.places, ranks: keys.ranks, counts: keys.counts))
    }
    // Written even if it is empty: lock, unlock and reboot have no fields.
    if !columns.others.isEmpty {
      payload.add(.others, [Section(kind: .plain, bytes: others.bytes)])
    }
    return payload
  }

  static let tooLarge = BlockError(
    .tooLarge, "the names and texts of an event exceed the size of a block")
}
