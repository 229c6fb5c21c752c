public import WakeEvents

/// Writes a trace from interleaved events of many devices in bounded memory (external merge sort).
///
/// Groups events by device, devices in the order of first appearance. Within a device, events keep their order or are
/// sorted stably by time. Sorted runs that exceed memory go to temporary files and are merged at the end.
public final class TraceAssembler {
  /// Events that are held in memory: about 30 MB with details.
  private static let eventsInMemory = 1 << 19
  /// Sorted runs that are merged at once.
  private static let runsMerged = 64
  /// Bytes of text in pushes that are held in memory.
  private static let textInMemory = 64 << 20

  private let writer: TraceWriter
  private let symbols: Symbols
  private let sorted: Bool
  private let temporaryFolder: String
  private let eventsInMemory: Int

  private var buffer = DeviceBuffer()
  /// In order; a level is the number of merges, and levels never rise along the list.
  private var spills: [(spill: Spill, level: Int)] = []

  /// Starts a trace.
  ///
  /// - Parameters:
  ///   - output: The file, which the caller commits after ``finish()``.
  ///   - symbols: The tables that the events' symbols come from.
  ///   - sorted: Whether the events of each device are sorted by time.
  ///   - level: zlib's level, from 0 to 9.
  ///   - temporaryFolder: Where temporary files go; nil is the system's folder.
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
  public func append(_ event: Event) throws(TraceError) {
    let place = buffer.place(of: event.device)
    // The first device's events are first in the trace, so they need no buffer.
    if place == 0, !sorted {
      try writer.append(event)
      return
    }
    buffer.append(event, place: place)
    if buffer.count >= eventsInMemory || buffer.textBytes > Self.textInMemory { try spill() }
  }

  /// Writes the trace, and returns what was written.
  public func finish() throws(TraceError) -> TraceWriter.Statistics {
    let remaining = buffer.take(sorted: sorted)
    if spills.isEmpty {
      for run in remaining.runs {
        try writer.append(remaining.columns, rows: run.rows, of: run.device)
      }
    } else {
      var cursors = try cursors(over: spills[...])
      cursors.append(MemoryCursor(remaining.columns, remaining.runs))
      try merge(&cursors, to: writer)
    }
    spills.removeAll()
    try writer.finish()
    return writer.statistics
  }

  private func spill() throws(TraceError) {
    let full = buffer.take(sorted: sorted)
    let spill = try Spill(folder: temporaryFolder)
    let spillWriter = try spill.writer(symbols: symbols)
    for run in full.runs {
      try spillWriter.append(full.columns, rows: run.rows, of: run.device)
    }
    try spillWriter.finish()
    spills.append((spill, 0))
    // Merges neighbours, so that ties keep their order, of equal level, so that each event is merged O(log) times.
    while let level = spills.last?.level,
      case let equals = spills.suffix(Self.runsMerged), equals.count == Self.runsMerged,
      equals.first?.level == level
    {
      let merged = try Spill(folder: temporaryFolder)
      let mergedWriter = try merged.writer(symbols: symbols)
      var cursors = try cursors(over: equals)
      try merge(&cursors, to: mergedWriter)
      try mergedWriter.finish()
      spills.removeLast(Self.runsMerged)
      spills.append((merged, level + 1))
    }
  }

  private func cursors(
    over spills: ArraySlice<(spill: Spill, level: Int)>
  ) throws(TraceError) -> [any RunCursor] {
    var cursors: [any RunCursor] = []
    for (spill, _) in spills { cursors.append(try SpillCursor(spill, symbols: symbols)) }
    return cursors
  }

  /// Merges runs by device, then by time if the trace is sorted, then in the order of the runs.
  private func merge(
    _ cursors: inout [any RunCursor], to writer: TraceWriter
  ) throws(TraceError) {
    for device in buffer.devices {
      var active = cursors.indices.filter { cursors[$0].device == device }
      while let first = active.first {
        guard sorted, active.count > 1 else {
          // The first run's events of the device precede those of the next run.
          try cursors[first].write(upTo: nil, to: writer)
          if cursors[first].device != device { active.removeFirst() }
          continue
        }
        var best = first
        var limit: (time: Int64, run: Int)?
        for run in active.dropFirst() {
          if cursors[run].time < cursors[best].time {
            (limit, best) = ((cursors[best].time, best), run)
          } else if limit.map({ cursors[run].time < $0.time }) ?? true {
            limit = (cursors[run].time, run)
          }
        }
        try cursors[best].write(
          upTo: limit.map { (time: $0.time, inclusive: best < $0.run) }, to: writer)
        if cursors[best].device != device { active.removeAll { $0 == best } }
      }
    }
  }
}
