public import WakeEvents

/// Puts a trace together from events of any number of devices in any interleaving, in bounded memory.
///
/// A trace holds a device's events together, devices in the order of their first appearance. Events
/// keep their order within a device; or are sorted by time, stably. What does not fit memory goes to
/// nameless temporary files, as sorted runs that are merged in the end.
public final class TraceAssembler {
  /// Events that are held in memory: about 30 MB with details.
  private static let eventsInMemory = 1 << 19
  /// Sorted runs that are merged at once; more are first merged to fewer.
  private static let runsMerged = 64
  /// Bytes of pushes' texts that are held in memory beside the events.
  private static let textInMemory = 64 << 20

  private let writer: TraceWriter
  private let symbols: Symbols
  private let sorted: Bool
  private let temporaryFolder: String
  private let eventsInMemory: Int

  /// Places of devices in the order of their first appearance, by ``Device/index``.
  private var places: [Int] = []
  private var devices: [Device] = []
  private var buffer = InputColumns()
  private var bufferPlaces: [UInt32] = []
  private var bufferText = 0
  /// In their order; how often its events were merged is each one's level, which never rises.
  private var spills: [(spill: Spill, level: Int)] = []

  /// Starts a trace.
  ///
  /// - Parameters:
  ///   - output: The file, which the caller commits after ``finish()``.
  ///   - symbols: The tables that the events' symbols come from.
  ///   - sorted: Whether the events of each device are sorted by time.
  ///   - level: zlib's level, from 0 to 9.
  ///   - temporaryFolder: Where temporary files go; nil is where the system wants them.
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
    let place = place(of: event.device)
    // The first device's events come first anyway, so they need not wait.
    if place == 0, !sorted {
      try writer.append(event)
      return
    }
    buffer.append(event.input, at: event.time)
    bufferPlaces.append(UInt32(place))
    bufferText += TraceWriter.textBytes(event.input)
    if buffer.count >= eventsInMemory || bufferText > Self.textInMemory { try spill() }
  }

  /// Writes the trace, and returns what was written.
  public func finish() throws(TraceError) -> TraceWriter.Statistics {
    let remaining = takeSortedBuffer()
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

  private func place(of device: Device) -> Int {
    while places.count <= Int(device.index) { places.append(-1) }
    if places[Int(device.index)] < 0 {
      places[Int(device.index)] = devices.count
      devices.append(device)
    }
    return places[Int(device.index)]
  }

  /// Empties the buffer: by device, and by time if the trace is to be sorted, stably.
  private func takeSortedBuffer() -> (columns: InputColumns, runs: [DeviceRun]) {
    // Counting sort by device keeps the order of each device's events.
    var starts = [Int](repeating: 0, count: devices.count + 1)
    for place in bufferPlaces { starts[Int(place) + 1] += 1 }
    for place in devices.indices { starts[place + 1] += starts[place] }
    var next = starts
    var order = [Int](repeating: 0, count: buffer.count)
    for (row, place) in bufferPlaces.enumerated() {
      order[next[Int(place)]] = row
      next[Int(place)] += 1
    }
    var runs: [DeviceRun] = []
    for place in devices.indices where starts[place] < starts[place + 1] {
      let rows = starts[place]..<starts[place + 1]
      if sorted {
        // `sort` is not promised to be stable, so ties are broken by the order of rows.
        order[rows].sort {
          let (first, second) = (buffer.times[$0], buffer.times[$1])
          return first != second ? first < second : $0 < $1
        }
      }
      runs.append(DeviceRun(device: devices[place], rows: rows))
    }
    let columns = buffer.permuted(order)
    buffer.removeAll()
    bufferPlaces.removeAll(keepingCapacity: true)
    bufferText = 0
    return (columns, runs)
  }

  private func spill() throws(TraceError) {
    let full = takeSortedBuffer()
    let spill = try Spill(folder: temporaryFolder)
    let spillWriter = try spill.writer(symbols: symbols)
    for run in full.runs {
      try spillWriter.append(full.columns, rows: run.rows, of: run.device)
    }
    try spillWriter.finish()
    spills.append((spill, 0))
    // Only neighbours are merged, so ties stay in order; and only equals, so no event is merged often.
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

  /// Merges runs that are sorted alike: by device, then by time if the trace is to be sorted, then in
  /// the order of the runs.
  private func merge(
    _ cursors: inout [any RunCursor], to writer: TraceWriter
  ) throws(TraceError) {
    for device in devices {
      var active = cursors.indices.filter { cursors[$0].device == device }
      while let first = active.first {
        guard sorted, active.count > 1 else {
          // All that the first run has of the device comes before what the next one has.
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
