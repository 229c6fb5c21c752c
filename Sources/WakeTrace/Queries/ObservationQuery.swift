public import WakeEvents

/// Finds the observations of a trace (page Rules, 11), in the trace's order.
///
///     let query = ObservationQuery(filter: filter)
///     let statistics = try query.run(on: file, symbols: symbols) { print($0.input) }
public struct ObservationQuery: Sendable {
  /// Which observations: by types, of which one must be among an observation's, devices and time. A predicate has no
  /// meaning.
  public var filter: SampleFilter
  /// The most observations; 0 is no limit.
  public var limit: Int

  /// Makes a query.
  public init(filter: SampleFilter = SampleFilter(), limit: Int = 0) {
    self.filter = filter
    self.limit = limit
  }

  /// Runs the query; calls `body` with each observation.
  ///
  /// - Throws: ``TraceError`` for damage in a block that is read, and what `body` throws.
  /// - Complexity: O(blocks), and O(events) of the blocks with observations.
  public func run(
    on file: TraceFile, symbols: Symbols, _ body: (Event) throws -> Void
  ) throws -> QueryStatistics {
    var statistics = QueryStatistics()
    let types = filter.types.map { Set($0.map(symbols.types.intern)) }
    let devices = filter.devices.map { Set($0.map(symbols.devices.intern)) }
    let decoder = BlockDecoder(symbols: symbols)
    var scan = BlockScan(file)
    while let block = try scan.next() {
      guard block.observationCount > 0 else {
        statistics.blocksSkipped += 1
        continue
      }
      statistics.blocksRead += 1
      try decoder.decode(block, of: file, observations: true)
      for run in decoder.runs where devices?.contains(run.device) ?? true {
        for row in run.rows where decoder.columns.kinds[row] == InputKind.observed.rawValue {
          let time = Timestamp(nanoseconds: decoder.columns.times[row])
          let input = decoder.columns[row]
          guard filter.from.map({ time >= $0 }) ?? true, filter.to.map({ time < $0 }) ?? true,
            case .observed(_, let observation) = input,
            types.map({ !$0.isDisjoint(with: observation.types) }) ?? true
          else { continue }
          statistics.returned += 1
          try body(Event(time: time, device: run.device, input: input))
          if statistics.returned == limit { return statistics }
        }
      }
    }
    return statistics
  }
}
