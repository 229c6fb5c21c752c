package import Kernels
public import WakeEvents

/// Decodes blocks into columns. Reuses its buffers from block to block, so each thread needs its own.
public final class BlockDecoder {
  private var symbols: Symbols
  private let inflater = Inflater()
  private var member: [UInt8] = []
  private var payload: [UInt8] = []
  private var names = DecodedNames()
  private var keys = DecodedEventKeys()
  private var runReader = RunReader()
  private var words: FusedWordReader
  private var rows: SplitRows
  /// Of the last observations read, as in ``SplitObservations``.
  private var distances: [Int64] = []

  /// The events of the last block read.
  public private(set) var columns = InputColumns()
  /// The runs of rows, one device each.
  public private(set) var runs: [DeviceRun] = []
  /// What holds for all rows of each run; nil if nothing is known.
  package private(set) var orderliness: Orderliness?

  /// Makes a decoder that interns names into `symbols`.
  public convenience init(symbols: Symbols) {
    self.init(symbols: symbols, path: .standard)
  }

  /// - Parameter path: What the processor may use.
  package init(symbols: Symbols, path: ProcessorPath) {
    self.symbols = symbols
    words = FusedWordReader(path: path)
    rows = SplitRows(path: path)
  }

  /// Reads a block into ``columns`` and ``runs``.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - file: Its file.
  ///   - details: Whether to read starts, ends and values.
  ///   - sources: Whether to read sources; if not, and no observations are read, their column is empty.
  ///   - observations: Whether to read observations, which then stand among the inputs.
  /// - Throws: ``TraceError`` with the block's offset; the content of ``columns`` is then unspecified.
  /// - Complexity: O(events + bytes). Allocates nothing once its buffers have grown.
  public func decode(
    _ block: BlockEntry, of file: TraceFile, details: Bool = false, sources: Bool = true,
    observations: Bool = false
  ) throws(TraceError) {
    try decode(
      block, of: file, details: details, sources: sources,
      observations: observations ? .inPlace : .none)
  }

  /// Which observations are read.
  package enum Observations {
    case none
    /// All, where they stand among the inputs.
    case inPlace
    /// All, with one run for each device, as ``BlockEntry/joinedHeader`` lists them.
    case byDevice
  }

  /// How much is read of inputs other than saves and deletes.
  package enum OtherInputs {
    /// All. Observations are always whole.
    case whole
    /// What a scheduler looks at: ``columns`` then have no `others`.
    case brief
    /// What a scheduler looks at, and the ids of pushes, which a wake log names.
    case briefWithPushIDs
  }

  /// ``decode(_:of:details:sources:observations:)`` with a choice of runs and fields.
  package func decode(
    _ block: BlockEntry, of file: TraceFile, details: Bool = false, sources: Bool = true,
    observations: Observations, others: OtherInputs = .whole
  ) throws(TraceError) {
    precondition(others == .whole || observations == .none, "observations are whole inputs")
    if block.hasObservationsOnly {
      columns.resize(to: 0)
      runs = []
      orderliness = nil
    } else {
      // Observations have sources.
      try decodeScheduling(
        block, of: file, sources: sources || observations != .none, others: others)
      if details { try decodeDetails(block, of: file) }
    }
    if observations != .none { try join(block, of: file, byDevice: observations == .byDevice) }
  }

  /// Puts a block's observations among its inputs, which were read.
  private func join(_ block: BlockEntry, of file: TraceFile, byDevice: Bool) throws(TraceError) {
    guard block.observationCount > 0 else { return }
    let inputs = RowsOfDevices(columns: takeColumns(), runs: runs)
    try decodeObservations(block, of: file, inputs: inputs.columns.count)
    let joined = RowsOfDevices.joining(
      inputs, RowsOfDevices(columns: takeColumns(), runs: runs), distances: distances,
      byDevice: byDevice)
    columns = joined.columns
    runs = joined.runs
    orderliness = nil
  }

  /// Reads a block's observations alone.
  ///
  /// - Parameter inputs: The inputs among which they stand.
  func decodeObservations(
    _ block: BlockEntry, of file: TraceFile, inputs: Int
  ) throws(TraceError) {
    let member = block.observations ?? block.scheduling
    try read(member, of: file)
    do throws(BlockError) {
      try decodeObservations(member.header, inputs: inputs)
    } catch let error {
      throw error.located(file: file.name, offset: member.offset)
    }
  }

  private func decodeObservations(_ header: BlockHeader, inputs: Int) throws(BlockError) {
    try decodeScheduling(header, sources: true)
    let directory = try PayloadDirectory(
      payload, length: header.payloadLength, role: .observations)
    var reader = try directory.mandatoryReader(of: .places, in: payload)
    var column = IntegerColumnReader()
    distances = try IntegerColumn.decode(
      &reader, with: &column, payload: payload, count: header.events)
    try reader.expectEnd()
    var left = Int64(inputs)
    for distance in distances {
      guard 0...left ~= distance else {
        throw .malformed("block has an observation at a place beyond its inputs")
      }
      left -= distance
    }
  }

  /// Swaps the last block read with `other`, whose memory the next block reuses.
  package func exchange(for other: inout DecodedBlock) {
    swap(&columns, &other.columns)
    swap(&runs, &other.runs)
    swap(&orderliness, &other.orderliness)
  }

  func decodeScheduling(
    _ block: BlockEntry, of file: TraceFile, sources: Bool = true, others: OtherInputs = .whole
  ) throws(TraceError) {
    try read(block.scheduling, of: file)
    do throws(BlockError) {
      try decodeScheduling(block.header, sources: sources, others: others)
    } catch let error {
      throw error.located(file: file.name, offset: block.offset)
    }
  }

  func decodeDetails(_ block: BlockEntry, of file: TraceFile) throws(TraceError) {
    guard let member = block.details else { return }
    try read(member, of: file)
    do throws(BlockError) {
      try DetailColumns.decode(payload, length: member.header.payloadLength, into: &columns)
    } catch let error {
      throw error.located(file: file.name, offset: member.offset)
    }
  }

  /// Inflates the details of a block that could not be read itself.
  func inflateDetails(_ block: BlockEntry, of file: TraceFile) throws(TraceError) {
    if let member = block.details { try read(member, of: file) }
  }

  /// Interns the names of the following blocks into `symbols`.
  func use(_ symbols: Symbols) {
    self.symbols = symbols
    names = DecodedNames()
  }

  /// Moves the events of the last block out of the decoder.
  package func takeColumns() -> InputColumns {
    var taken = InputColumns()
    swap(&taken, &columns)
    return taken
  }

  /// Decodes a block that ``BlockEncoder`` made.
  package func decode(
    scheduling: [UInt8], details: [UInt8], sources: Bool = true
  ) throws(BlockError) {
    try decodeScheduling(try inflate(scheduling), sources: sources)
    guard !details.isEmpty else { return }
    let length = try inflate(details).payloadLength
    try DetailColumns.decode(payload, length: length, into: &columns)
  }

  /// Decodes the observations of a block of which ``decode(scheduling:details:sources:)`` was given the rest, and puts
  /// them among its inputs.
  package func join(observations: [UInt8]) throws(BlockError) {
    let inputs = RowsOfDevices(columns: takeColumns(), runs: runs)
    try decodeObservations(try inflate(observations), inputs: inputs.columns.count)
    let joined = RowsOfDevices.joining(
      inputs, RowsOfDevices(columns: takeColumns(), runs: runs), distances: distances,
      byDevice: false)
    columns = joined.columns
    runs = joined.runs
  }

  private func inflate(_ bytes: [UInt8]) throws(BlockError) -> BlockHeader {
    let (header, payloadStart) = try GzipMember.decodeHeader(bytes, count: bytes.count)
    guard header.memberLength == bytes.count else { throw .malformed("block has another length") }
    try GzipMember.decodePayload(
      bytes, header: header, payloadStart: payloadStart, with: inflater, into: &payload)
    return header
  }

  private func read(_ entry: BlockEntry.Member, of file: TraceFile) throws(TraceError) {
    let count = try file.read(entry.header.memberLength, at: entry.offset, into: &member)
    do throws(BlockError) {
      guard count == entry.header.memberLength else {
        throw BlockError(.truncated, "the file was cut while it was read")
      }
      try GzipMember.decodePayload(
        member, header: entry.header, payloadStart: entry.payloadStart, with: inflater,
        into: &payload)
    } catch let error {
      throw error.located(file: file.name, offset: entry.offset)
    }
  }

  private func decodeScheduling(
    _ header: BlockHeader, sources: Bool, others: OtherInputs = .whole
  ) throws(BlockError) {
    orderliness = nil
    let length = header.payloadLength
    let directory = try PayloadDirectory(payload, length: length, role: header.role)
    var nameReader = try directory.mandatoryReader(of: .names, in: payload)
    try names.read(&nameReader, symbols: symbols)
    var keyReader = try directory.mandatoryReader(of: .keys, in: payload)
    try keys.read(&keyReader, names: names, role: header.role)
    try runReader.read(directory, payload, header: header, names: names, into: &runs)

    let runs = LocatedRuns(runs: runs, origins: runReader.origins)
    columns.resize(to: header.events, sources: sources)
    let stepBounds: ClosedRange<Int64>?
    if var reader = directory.reader(of: .words, in: payload) {
      guard !directory.has(.steps), !directory.has(.subjects) else {
        throw .malformed("block has the column words and also steps or subjects")
      }
      try words.read(&reader, keys: keys, count: header.events)
      try words.expand(payload, runs: runs, into: &columns)
      stepBounds = words.stepBounds
    } else {
      var stepReader = try directory.mandatoryReader(of: .steps, in: payload)
      var rankReader = try directory.mandatoryReader(of: .subjects, in: payload)
      try rows.read(
        steps: &stepReader, subjects: &rankReader, payload: payload, count: header.events)
      try rows.expand(payload, keys, runs: runs, into: &columns)
      stepBounds = rows.stepBounds
    }
    let onlyRise = try checkTimes(header, stepBounds)
    orderliness =
      onlyRise && keys.areSamples
      ? Orderliness(
        typeEnd: symbols.types.count, hasDeletes: keys.onlyKind != InputKind.save.rawValue)
      : nil
    guard directory.has(.others) != keys.areSamples else {
      throw .malformed("block's keys and its column others contradict each other")
    }
    if var reader = directory.reader(of: .others, in: payload) {
      try readOthers(&reader, header, others)
    }
  }

  /// Checks the header's times, by which readers select blocks, against the events. Returns whether the steps
  /// prove that times never fall within a run.
  private func checkTimes(
    _ header: BlockHeader, _ stepBounds: ClosedRange<Int64>?
  ) throws(BlockError) -> Bool {
    var earliest = Int64.max
    var latest = Int64.min
    var onlyRise = true
    // Once for all runs, as a division takes longer than all else here.
    let stepsInClimb = TimeSteps.stepsInClimb(stepBounds)
    for run in runs {
      let times = columns.times.span.extracting(run.rows)
      let extremes = TimeSteps.extremes(of: times, stepsInClimb: stepsInClimb)
      earliest = min(earliest, extremes.earliest)
      latest = max(latest, extremes.latest)
      if !extremes.onlyRise { onlyRise = false }
    }
    guard earliest == header.earliest, latest == header.latest else {
      throw .malformed("block's times differ from those in its header")
    }
    guard Timestamp.validRange.contains(earliest), Timestamp.validRange.contains(latest) else {
      throw .malformed("block has a time beyond ±4 × 10^18")
    }
    return onlyRise
  }

  private func readOthers(
    _ reader: inout ByteReader, _ header: BlockHeader, _ others: OtherInputs
  ) throws(BlockError) {
    // One copy: each call on the property would copy, and each access to a property of an object is checked.
    let names = names
    var columns = InputColumns()
    swap(&columns, &self.columns)
    defer { swap(&columns, &self.columns) }
    var startsPredicate = false
    // Most take four bytes or more.
    columns.reserveOthers(min(columns.count, reader.remaining / 4), briefsAlone: others != .whole)
    for row in 0..<columns.count where columns.kinds[row] > InputKind.delete.rawValue {
      guard let kind = InputKind(rawValue: columns.kinds[row]) else { continue }
      if others == .briefWithPushIDs, kind == .push {
        let (push, id) = try names.readPush(&reader)
        columns.types[row] = columns.addBrief(push, id: reader.bytes.span.extracting(id))
      } else if others != .whole, kind != .execute, kind != .observed {
        columns.types[row] = columns.addBrief(try names.readForm(kind, &reader) as BriefInput)
      } else {
        let input = try names.readInput(kind, &reader)
        if input.isExecuteWithPredicate { startsPredicate = true }
        columns.types[row] =
          others == .whole ? columns.addOther(input) : columns.addBrief(of: input)
      }
    }
    try reader.expectEnd()
    // By this flag readers decide whether to read details.
    guard !startsPredicate || header.flags.contains(.startsPredicate) else {
      throw .malformed("block starts a query with a predicate, but its header lacks that flag")
    }
  }
}

/// The content of a block, from a ``BlockDecoder``.
package struct DecodedBlock {
  package fileprivate(set) var columns = InputColumns()
  /// The runs of rows, one device each.
  package fileprivate(set) var runs: [DeviceRun] = []
  /// What holds for all rows of each run; nil if nothing is known.
  package fileprivate(set) var orderliness: Orderliness?

  package init() {}
}
