import WakeEvents

/// The blocks of a file, of which a query decodes those that it wants.
struct QueriedBlocks {
  private let file: TraceFile
  private var scan: BlockScan
  private let decoder: BlockDecoder
  private(set) var statistics = QueryStatistics()
  /// Events of the blocks so far.
  private(set) var eventsPassed = 0

  init(_ file: TraceFile, symbols: Symbols) {
    self.file = file
    scan = BlockScan(file)
    decoder = BlockDecoder(symbols: symbols)
  }

  /// Calls `body` with each change that passes a filter, in the trace's order.
  ///
  /// - Parameters:
  ///   - first: The position of the first event to look at.
  ///   - savesOnly: Whether deletes are left out.
  ///   - limit: The most changes; 0 or less is no limit.
  ///   - isWanted: Takes the header of a block and the position of its first event; false skips the block.
  /// - Returns: The position of the last change if the limit was reached.
  @discardableResult
  mutating func forEachMatch(
    _ filter: ResolvedFilter, from first: Int = 0, savesOnly: Bool = false, limit: Int = 0,
    where isWanted: (BlockHeader, Int) -> Bool, _ body: (SampleChange) throws -> Void
  ) throws -> Int? {
    while let block = try scan.next() {
      if block.hasObservationsOnly { continue }
      let position = eventsPassed
      eventsPassed += block.header.events
      guard isWanted(block.header, position) else {
        statistics.blocksSkipped += 1
        continue
      }
      statistics.blocksRead += 1
      try decoder.decode(block, of: file, details: true)
      let columns = decoder.columns
      var last: Int?
      try filter.forEachRow(
        of: columns, runs: decoder.runs, from: max(0, first - position)
      ) { row, device in
        guard !savesOnly || columns.kinds[row] == InputKind.save.rawValue else { return true }
        let change = columns.change(at: row, device: device, position: position + row)
        if case .saved(let saved) = change, let predicate = filter.predicate,
          !predicate.matches(saved.sample, writtenAt: saved.savedAt)
        {
          return true
        }
        statistics.returned += 1
        try body(change)
        guard statistics.returned == limit else { return true }
        last = change.position
        return false
      }
      if let last { return last }
    }
    return nil
  }
}

extension InputColumns {
  /// The change of a row that is a save or delete.
  fileprivate func change(at row: Int, device: Device, position: Int) -> SampleChange {
    let time = Timestamp(nanoseconds: times[row])
    guard kinds[row] == InputKind.delete.rawValue else {
      return .saved(
        SavedSample(sample: sample(at: row), device: device, savedAt: time, position: position))
    }
    return .deleted(
      DeletedSample(
        type: SampleType(index: types[row]), source: Source(index: sources[row]), device: device,
        deletedAt: time, position: position))
  }
}
