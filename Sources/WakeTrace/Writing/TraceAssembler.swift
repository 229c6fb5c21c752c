public import WakeEvents

/// Writes a trace from interleaved events of many devices in bounded memory (external merge sort).
///
/// Groups events by device, devices in the order of first appearance. Within a device, events keep their order or are
/// sorted stably by time. Sorted runs that exceed memory go to temporary files and are merged at the end.
public final class TraceAssembler {
  /// Events that are held in memory: about 30 MB with details.
  private static let eventsInMemory = 1 << 19
  /// Spills that are merged at once.
  private static let runsMerged = 64
  /// Smaller than in other traces, since a merge holds a block of each spill.
  private static let eventsPerSpilledBlock = 4_096
  /// Bytes of text in pushes that are held in memory.
  private static let textInMemory = 64 << 20

  private let writer: TraceWriter
  private let symbols: Symbols
  private let sorted: Bool
  private let temporaryFolder: String
  private let eventsInMemory: Int

  private var buffer = DeviceBuffer()
  /// Temporary traces, in order; a level is the number of merges, and levels never rise along
  /// the list.
  private var spills: [(trace: TraceFile, level: Int)] = []

  /// Starts a trace.
  ///
  /// - Parameters:
  ///   - output: The file, which the caller commits after ``finish()``.
  ///   - symbols: The tables that the events' symbols come from.
  ///   - sorted: Whether the events of each device are sorted by time.
  ///   - level: zlib's level, from 0 to 9.
  ///   - temporaryFolder: Where temporary files go; nil is the system's folder.
  /// - Throws: ``TraceError`` if zlib cannot be started.
  public convenience init(
    to output: FileOutput, symbols: Symbols, sorted: Bool, level: Int = 6,
    temporaryFolder: String? = nil
  ) throws(TraceError) {
    try self.init(
      writer: TraceWriter(to: output, symbols: symbols, level: level), symbols: symbols,
      sorted: sorted, temporaryFolder: temporaryFolder ?? TemporaryFile.systemFolder,
      eventsInMemory: Self.eventsInMemory)
  }

  package init(
    writer: TraceWriter, symbols: Symbols, sorted: Bool, temporaryFolder: String,
    eventsInMemory: Int
  ) {
    self.writer = writer
    self.symbols = symbols
    self.sorted = sorted
    self.temporaryFolder = temporaryFolder
    self.eventsInMemory = eventsInMemory
  }

  /// Adds an event.
  ///
  /// - Complexity: O(log events), amortised.
  /// - Throws: As ``TraceWriter/append(_:)``, and `inputOutput` if a temporary file cannot be written.
  public func append(_ event: Event) throws(TraceError) {
    let place = buffer.place(of: event.device)
    // The first device's events are first in the trace, so they need no buffer.
    if place == 0, !sorted {
      try writer.append(event)
      return
    }
    buffer.append(event, place: place)
    if buffer.count >= eventsInMemory || buffer.textBytes > Self.textInMemory {
      try spillBuffer()
    }
  }

  /// Writes the trace, and returns what was written.
  ///
  /// - Throws: ``TraceError``, with `sameDeviceHash` if the names of two devices have the same `NameHash`.
  public func finish() throws(TraceError) -> TraceWriter.Statistics {
    var hashes = DeviceHashes()
    for device in buffer.devices {
      if let fault = hashes.insert(symbols.devices.name(of: device)) {
        throw TraceError(fault.code, writer.output.name, fault.message)
      }
    }
    if spills.isEmpty {
      try emptyBuffer(to: writer)
    } else {
      try merge(spills[...], buffer.take(sorted: sorted), to: writer)
      spills.removeAll()
    }
    try writer.finish()
    return writer.statistics
  }

  private func emptyBuffer(to writer: TraceWriter) throws(TraceError) {
    let (columns, runs) = buffer.take(sorted: sorted)
    for run in runs { try writer.append(columns, rows: run.rows, of: run.device) }
  }

  private func spillBuffer() throws(TraceError) {
    spills.append((try spill(emptyBuffer), 0))
    // Merges neighbours, so that ties keep their order, of equal level, so that each event is merged O(log) times.
    while let level = spills.last?.level,
      case let equals = spills.suffix(Self.runsMerged), equals.count == Self.runsMerged,
      equals.first?.level == level
    {
      let merged = try spill { writer throws(TraceError) in try merge(equals, to: writer) }
      spills.removeLast(Self.runsMerged)
      spills.append((merged, level + 1))
    }
  }

  /// A temporary trace of what `write` writes.
  private func spill(
    _ write: (TraceWriter) throws(TraceError) -> Void
  ) throws(TraceError) -> TraceFile {
    let file = try TemporaryFile(folder: temporaryFolder)
    let writer = try TraceWriter(
      output: file, symbols: symbols, level: 1, eventsPerBlock: Self.eventsPerSpilledBlock)
    try write(writer)
    try writer.finish()
    return TraceFile(file)
  }

  /// Merges traces and what follows them by device, then by time if the trace is sorted, then in their order.
  private func merge(
    _ spills: ArraySlice<(trace: TraceFile, level: Int)>,
    _ rest: (columns: InputColumns, runs: [DeviceRun]) = (InputColumns(), []),
    to writer: TraceWriter
  ) throws(TraceError) {
    let index = try TraceIndex(files: spills.map(\.trace), observations: true)
    let blocks = BlockCache(index, symbols: symbols, mostHeld: .max) {
      block, decoder throws(TraceError) in
      try decoder.decode(
        block.entry, of: index.files[block.file], details: true, observations: .byDevice)
      return true
    }
    let restPlaces = Dictionary(
      rest.runs.enumerated().map { (NameHash.device(symbols.devices.name(of: $1.device)), $0) },
      uniquingKeysWith: { first, _ in first })
    var newRuns = Set(rest.runs.indices)
    for (device, entry) in index.devices.enumerated() {
      let last = restPlaces[entry.hash].map { place in
        newRuns.remove(place)
        let run = rest.runs[place]
        return DeviceCursor.Batch(columns: rest.columns, rows: run.rows, device: run.device)
      }
      let cursor = try DeviceCursor(device: device, from: blocks, byTime: sorted, last: last)
      while let batch = try cursor.next() {
        try writer.append(batch.columns, rows: batch.rows, of: batch.device)
      }
    }
    for place in newRuns.sorted() {
      let run = rest.runs[place]
      try writer.append(rest.columns, rows: run.rows, of: run.device)
    }
  }
}
