public import WakeEvents

/// The saves and deletes after an anchor, and the new anchor (page Rules, 8.3).
///
///     let outcome = try AnchoredQuery(anchor: anchor).run(on: file, symbols: symbols) { change in
///       …
///     }
///     anchor = outcome.anchor
///
/// A query from the anchor that the last one returned continues where that ended, even if the file has grown since.
public struct AnchoredQuery: Hashable, Sendable {
  /// The saves and deletes to return. A delete matches every predicate (page Rules, 5.1), but not every type, device and
  /// time.
  public var filter: SampleFilter
  /// Where to start.
  public var anchor: TraceAnchor
  /// The most changes to return; 0 or less is no limit.
  public var limit: Int

  /// The result of a query, besides the changes.
  public struct Outcome: Hashable, Sendable {
    /// Where to continue: after the last change returned if the limit was reached, else at the end.
    public var anchor: TraceAnchor
    /// Blocks read and skipped, and changes returned.
    public var statistics: QueryStatistics
  }

  /// Makes a query; by default of all saves and deletes from the beginning.
  public init(
    filter: SampleFilter = SampleFilter(), anchor: TraceAnchor = .beginning, limit: Int = 0
  ) {
    self.filter = filter
    self.anchor = anchor
    self.limit = limit
  }

  /// Calls `body` with each change, in the trace's order.
  ///
  /// - Parameters:
  ///   - file: The trace.
  ///   - symbols: The tables that names are interned into; the results' symbols are theirs.
  ///   - body: Takes the changes as they are read; what it throws ends the query.
  /// - Throws: ``TraceError``: `anchorBeyondEnd` if the anchor is beyond the end, or an error for damage, after the
  ///   changes before it.
  /// - Complexity: O(blocks + events of the blocks read), in constant memory. Blocks before the
  ///   anchor and blocks whose headers rule out type, device or time are not inflated.
  @discardableResult
  public func run(
    on file: TraceFile, symbols: Symbols, _ body: (SampleChange) throws -> Void
  ) throws -> Outcome {
    let filter = ResolvedFilter(filter, symbols: symbols)
    var blocks = QueriedBlocks(file, symbols: symbols)
    let begin = anchor.eventsBefore
    let last = try blocks.forEachMatch(
      filter, from: begin, limit: limit,
      where: { header, position in position + header.events > begin && filter.mayPass(header) },
      body)
    guard last != nil || begin <= blocks.eventsPassed else {
      throw TraceError(
        code: .anchorBeyondEnd, file: file.name,
        message: "anchor \(anchor) is beyond the end of the trace, "
          + "which has \(blocks.eventsPassed) events")
    }
    return Outcome(
      anchor: TraceAnchor(eventsBefore: last.map { $0 + 1 } ?? blocks.eventsPassed),
      statistics: blocks.statistics)
  }
}
