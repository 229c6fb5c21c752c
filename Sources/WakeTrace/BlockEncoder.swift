package import WakeEvents

/// Turns a batch of events into a block.
///
/// A class, as it keeps zlib's state and its tables from block to block.
package final class BlockEncoder {
  /// A block's members as they stand in a file.
  package struct Block {
    var stream: UInt64
    package var scheduling: [UInt8]
    /// Empty if no sample has a start, an end or a value.
    package var details: [UInt8]
  }

  private var symbols: Symbols
  private let deflater: Deflater
  private var integers = IntegerColumn.Encoder()
  private var marks = MarkNumbering()
  private var times = TimeSteps()

  package init(symbols: Symbols, level: Int) throws(BlockError) {
    self.symbols = symbols
    deflater = try Deflater(level: level)
  }

  /// Takes the names of the blocks from here on from `symbols`.
  func use(_ symbols: Symbols) { self.symbols = symbols }

  /// Encodes rows 0 ..< count, which the runs divide among devices.
  ///
  /// - Parameters:
  ///   - stream: The stream's id; nil derives it from this block.
  ///   - lostBefore: Events of the stream that were lost before this block.
  /// - Throws: `tooLarge` if names and texts do not fit a block, `invalidEvent` for an event that no
  ///   reader would take.
  package func encode(
    _ columns: borrowing InputColumns, runs: [DeviceRun], stream: UInt64?, sequence: UInt32,
    lostBefore: UInt64 = 0
  ) throws(BlockError) -> Block {
    var header = BlockHeader()
    header.sequence = sequence
    header.lostBefore = lostBefore
    header.runs = runs.map {
      BlockHeader.Run(
        deviceHash: NameHash.device(symbols.devices.name(of: $0.device)), events: $0.rows.count)
    }
    header.events = columns.count
    header.describe(others: columns.others)
    times.take(columns.times, runs: runs)
    header.earliest = times.earliest
    header.latest = times.latest
    if times.areSorted { header.flags.insert(.timesSorted) }
    guard Timestamp.validRange.contains(header.earliest),
      Timestamp.validRange.contains(header.latest)
    else { throw .invalidEvent("an event has a time beyond ±4 × 10^18 nanoseconds") }

    var names = BlockNames()
    marks.take(columns, runs: runs, names: &names, symbols: symbols)
    header.tell(deletes: marks.deletes)
    header.list(
      zip(names.types.symbols, marks.typeCounts(names)).filter { $0.1 > 0 }, symbols: symbols)

    let scheduling = try schedulingPayload(columns, runs: runs, names: &names)
    let details = try DetailColumns.encode(columns, with: &integers)
    if details != nil { header.flags.insert(.hasDetails) }
    header.stream = stream ?? scheduling.hash ^ (details?.hash ?? 0)

    var block = Block(stream: header.stream, scheduling: [], details: [])
    block.scheduling = try GzipMember.encode(
      header: &header, payload: scheduling, with: deflater)
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

  /// What scheduling needs of the rows, before it is deflated.
  func sections(
    _ columns: borrowing InputColumns, runs: [DeviceRun]
  ) throws(BlockError) -> [Section] {
    times.take(columns.times, runs: runs)
    var names = BlockNames()
    marks.take(columns, runs: runs, names: &names, symbols: symbols)
    return try schedulingPayload(columns, runs: runs, names: &names).sections
  }

  private func schedulingPayload(
    _ columns: borrowing InputColumns, runs: [DeviceRun], names: inout BlockNames
  ) throws(BlockError) -> Payload {
    var runBytes = ByteWriter()
    runBytes.appendVarint(runs.count)
    var previousOrigin: Int64 = 0
    for (index, run) in runs.enumerated() {
      runBytes.appendVarint(names.devices.place(of: run.device))
      runBytes.appendVarint(marks.homeSources[index])
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
    payload.add(.marks, [Section(kind: .plain, bytes: marks.encodeMarks())])
    if let words = FusedWords(steps: times.steps, places: marks.places) {
      payload.add(.words, words.encode(unit: times.unit, ranks: marks.ranks))
    } else {
      var unitBytes = ByteWriter()
      unitBytes.appendVarint(UInt64(times.unit))
      payload.add(
        .steps,
        [Section(kind: .plain, bytes: unitBytes.bytes)]
          + integers.encode(times.steps, groups: true))
      payload.add(
        .subjects,
        integers.encode(places: marks.places, ranks: marks.ranks, counts: marks.counts))
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
