public import WakeEvents

/// The saved samples of a trace by type and predicate, sorted, up to a limit (page Rules, 8.2).
///
///     var query = SampleQuery(filter: SampleFilter(types: [heartRate]))
///     query.order = .endDescending
///     query.limit = 1
///     try query.run(on: TraceFile(path: "day.wtrace"), symbols: symbols) { latest = $0 }
///
/// A `delete` names a type and a source but no particular sample, so samples are returned whether or not they were
/// deleted later.
public struct SampleQuery: Hashable, Sendable {
  /// The order of samples; ties are in the trace's order.
  public enum Order: String, CaseIterable, Sendable {
    /// As in the file.
    case trace
    /// By start, earliest first. A sample without a start starts when it was saved.
    case startAscending
    /// By start, latest first.
    case startDescending
    /// By end, earliest first. A sample without an end ends at its start.
    case endAscending
    /// By end, latest first.
    case endDescending
  }

  /// The samples to return.
  public var filter: SampleFilter
  /// Their order.
  public var order: Order
  /// The most samples to return, the first in the order; 0 or less is no limit.
  public var limit: Int

  /// Makes a query; by default of all samples, in the trace's order.
  public init(filter: SampleFilter = SampleFilter(), order: Order = .trace, limit: Int = 0) {
    self.filter = filter
    self.order = order
    self.limit = limit
  }

  /// Calls `body` with each sample of the result, in order.
  ///
  /// In the trace's order, samples are returned as they are read, and reading stops at the limit. In other orders all
  /// candidate blocks are read first; ``limit`` samples are held in memory, or all matches without a limit.
  ///
  /// - Parameters:
  ///   - file: The trace.
  ///   - symbols: The tables that names are interned into; the results' symbols are theirs.
  ///   - body: Takes the results; what it throws ends the query.
  /// - Returns: How many blocks were read and skipped.
  /// - Throws: ``TraceError`` at the first damage: no later sample is returned, and none at all if sorted.
  /// - Complexity: O(blocks + events of the blocks read), and O(log limit) for each sample that
  ///   is kept. Blocks whose headers rule out type, device or time are not inflated.
  @discardableResult
  public func run(
    on file: TraceFile, symbols: Symbols, _ body: (SavedSample) throws -> Void
  ) throws -> QueryStatistics {
    let filter = ResolvedFilter(filter, symbols: symbols)
    var blocks = QueriedBlocks(file, symbols: symbols)
    func mayMatch(_ header: BlockHeader) -> Bool {
      filter.mayPass(header) && filter.mayMatchSave(header)
    }
    guard order != .trace else {
      try blocks.forEachMatch(
        filter, savesOnly: true, limit: limit, where: { header, _ in mayMatch(header) }
      ) { change in
        if case .saved(let sample) = change { try body(sample) }
      }
      return blocks.statistics
    }
    var first = FirstSamples(order: order, limit: limit > 0 ? limit : nil)
    try blocks.forEachMatch(
      filter, savesOnly: true,
      where: { header, _ in mayMatch(header) && first.mayTakeOne(of: header) }
    ) { change in
      if case .saved(let sample) = change { first.take(sample) }
    }
    let samples = first.sorted()
    for sample in samples { try body(sample) }
    var statistics = blocks.statistics
    statistics.returned = samples.count
    return statistics
  }
}
