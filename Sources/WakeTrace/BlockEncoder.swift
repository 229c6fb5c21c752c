import WakeEvents

/// Turns a batch of events into a block.
///
/// A class, as it keeps zlib's state and its tables from block to block.
final class BlockEncoder {
  /// A block's members as they stand in a file.
  struct Block {
    var stream: UInt64
    var scheduling: [UInt8]
    /// Empty if no sample has a start, an end or a value.
    var details: [UInt8]
  }

  private let symbols: Symbols
  private let deflater: Deflater
  private var integers = IntegerColumn.Encoder()

  init(symbols: Symbols, level: Int) throws(BlockError) {
    self.symbols = symbols
    deflater = try Deflater(level: level)
  }

  /// Encodes rows 0 ..< count, which the runs divide among devices.
  ///
  /// - Parameter stream: The stream's id; nil derives it from this block.
  /// - Throws: `tooLarge` if names and texts do not fit a block, `invalidEvent` for an event that no
  ///   reader would take.
  func encode(
    _ columns: borrowing InputColumns, runs: [DeviceRun], stream: UInt64?, sequence: UInt32
  ) throws(BlockError) -> Block {
    var header = BlockHeader()
    header.sequence = sequence
    header.runs = runs.map {
      BlockHeader.Run(
        deviceHash: NameHash.device(symbols.devices.name(of: $0.device)), events: $0.rows.count)
    }
    header.describe(columns, runs: runs, symbols: symbols)
    guard Timestamp.validRange.contains(header.earliest),
      Timestamp.validRange.contains(header.latest)
    else { throw .invalidEvent("an event has a time beyond ±4 × 10^18 nanoseconds") }

    let scheduling = try schedulingPayload(columns, runs: runs)
    let details = try DetailColumns.encode(columns, with: &integers)
    if details != nil { header.flags.insert(.hasDetails) }
    header.stream = stream ?? scheduling.hash ^ (details?.hash ?? 0)

    var block = Block(stream: header.stream, scheduling: [], details: [])
    block.scheduling = try GzipMember.encode(
      header: &header, payload: scheduling, with: deflater)
    if let details {
      header.role = .details
      header.flags = []
      header.runs = []
      header.types = []
      block.details = try GzipMember.encode(header: &header, payload: details, with: deflater)
    }
    return block
  }

  func schedulingPayload(
    _ columns: borrowing InputColumns, runs: [DeviceRun]
  ) throws(BlockError) -> Payload {
    var names = BlockNames()
    let marked = MarkedRows(columns, runs: runs, names: &names)

    var runBytes = ByteWriter()
    runBytes.appendVarint(runs.count)
    var previousOrigin: Int64 = 0
    for (index, run) in runs.enumerated() {
      runBytes.appendVarint(names.devices.place(of: run.device))
      runBytes.appendVarint(marked.homeSources[index])
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
    payload.add(.marks, [Section(kind: .plain, bytes: marked.encodeMarks())])
    let (unit, steps) = TimeSteps.steps(of: columns.times, runs: runs)
    if let words = FusedWords(steps: steps, ranks: marked.ranks) {
      payload.add(.words, words.encode(unit: unit))
    } else {
      var unitBytes = ByteWriter()
      unitBytes.appendVarint(UInt64(unit))
      payload.add(
        .steps, [Section(kind: .plain, bytes: unitBytes.bytes)] + integers.encode(steps))
      payload.add(.subjects, integers.encode(marked.ranks))
    }
    // It is there even if it is empty, as the fields of lock, unlock and reboot are.
    if !columns.others.isEmpty {
      payload.add(.others, [Section(kind: .plain, bytes: others.bytes)])
    }
    return payload
  }

  static let tooLarge = BlockError(
    .tooLarge, "names and texts of an event are longer than a block may be")
}
