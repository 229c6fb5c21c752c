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
    /// Empty if there are no observations, or nothing else: they are then in ``scheduling``.
    package var observations: [UInt8] = []

    /// Bytes of all members.
    package var bytes: Int { scheduling.count + details.count + observations.count }
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
    var block = Block(
      stream: 0, devices: runs.map { symbols.devices.name(of: $0.device) }, scheduling: [])
    var observed: (header: BlockHeader, payload: Payload)?
    var inputs: (header: BlockHeader, payload: Payload, details: Payload?)?
    if columns.others.contains(where: { $0.kind == .observed }) {
      let split = SplitObservations(columns, runs: runs)
      let (rows, runs) = (split.inputs.columns, split.inputs.runs)
      if rows.count > 0 { inputs = try described(rows, runs: runs) }
      observed = try described(split.observations, distances: split.distances)
    } else {
      inputs = try described(columns, runs: runs)
    }
    block.stream =
      stream ?? (inputs?.payload.hash ?? 0) ^ (inputs?.details?.hash ?? 0)
      ^ (observed?.payload.hash ?? 0)

    func member(_ header: inout BlockHeader, _ payload: Payload) throws(BlockError) -> [UInt8] {
      header.stream = block.stream
      header.sequence = sequence
      header.lostBefore = lostBefore
      return try GzipMember.encode(header: &header, payload: payload, with: deflater)
    }
    if let (described, payload, details) = inputs {
      var header = described
      if details != nil { header.flags.insert(.hasDetails) }
      if observed != nil { header.flags.insert(.hasObservations) }
      block.scheduling = try member(&header, payload)
      if let details {
        header.role = .details
        header.flags = []
        header.deletes = 0
        header.runs = []
        header.types = []
        block.details = try member(&header, details)
      }
    }
    if let (described, payload) = observed {
      var header = described
      if inputs == nil { header.flags.insert(.standsAlone) }
      let bytes = try member(&header, payload)
      if inputs == nil { block.scheduling = bytes } else { block.observations = bytes }
    }
    return block
  }

  private func described(
    _ columns: borrowing InputColumns, runs: [DeviceRun]
  ) throws(BlockError) -> (header: BlockHeader, payload: Payload, details: Payload?) {
    var names = BlockNames()
    let header = describer.header(of: columns, runs: runs, names: &names, symbols: symbols)
    guard Timestamp.validRange.contains(header.earliest),
      Timestamp.validRange.contains(header.latest)
    else { throw .invalidEvent("an event has a time beyond ±4 × 10^18 nanoseconds") }
    let payload = try schedulingPayload(columns, runs: runs, names: &names)
    return (header, payload, try DetailColumns.encode(columns, with: &integers))
  }

  private func described(
    _ observations: RowsOfDevices, distances: [Int64]
  ) throws(BlockError) -> (header: BlockHeader, payload: Payload) {
    var (header, payload, _) = try described(observations.columns, runs: observations.runs)
    header.role = .observations
    payload.add(.places, integers.encode(distances))
    return (header, payload)
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
    let (runColumn, runSections) = RunColumns.encode(
      runs, homeSources: keys.homeSources, times: columns.times, names: &names, with: &integers)
    var others = ByteWriter()
    for input in columns.others {
      try names.append(input, to: &others)
      guard others.count <= TraceLimits.payloadBytes else { throw Self.tooLarge }
    }

    var payload = Payload()
    payload.add(.names, [Section(kind: .plain, bytes: try names.encode(symbols))])
    payload.add(runColumn, runSections)
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
