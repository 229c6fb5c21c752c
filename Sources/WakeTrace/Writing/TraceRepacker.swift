import WakeEvents

/// Recompresses a trace's blocks at another zlib level.
///
///     let repacker = try TraceRepacker(to: output, level: 9)
///     let statistics = try repacker.repack(try TraceFile(path: "capture.wtrace"))
///     try output.commit()
///
/// Each block keeps its events, runs, stream, sequence number and count of lost events. Its header gets all fields of
/// this version, even if an older one wrote it; unknown optional columns are dropped.
public final class TraceRepacker {
  private let output: any BlockOutput
  private let encoder: BlockEncoder

  /// Starts an output.
  ///
  /// - Parameters:
  ///   - output: The file, which the caller commits.
  ///   - level: zlib's level, from 0 to 9.
  /// - Throws: ``TraceError`` if zlib cannot be started.
  public convenience init(to output: FileOutput, level: Int = 6) throws(TraceError) {
    try self.init(output: output, level: level)
  }

  init(output: any BlockOutput, level: Int) throws(TraceError) {
    self.output = output
    encoder = try BlockEncoder(symbols: Symbols(), level: level, file: output.name)
  }

  /// Adds the blocks of a trace; returns what was written.
  ///
  /// - Parameters:
  ///   - file: The trace to read.
  ///   - progress: Called now and then with the bytes read.
  /// - Throws: ``TraceError`` for any damage, or if the output cannot be written.
  /// - Complexity: O(bytes and events of the trace); memory does not grow with them.
  public func repack(
    _ file: TraceFile, progress: ((Int64) -> Void)? = nil
  ) throws(TraceError) -> TraceWriter.Statistics {
    var statistics = TraceWriter.Statistics()
    var scan = BlockScan(file)
    let decoder = BlockDecoder(symbols: Symbols())
    while let entry = try scan.next() {
      // New tables for each block, so that the names of a long trace do not pile up.
      let symbols = Symbols()
      decoder.use(symbols)
      encoder.use(symbols)
      try decoder.decode(entry, of: file, details: true, observations: true)
      let block: BlockEncoder.Block
      do throws(BlockError) {
        block = try encoder.encode(
          decoder.columns, runs: decoder.runs, stream: entry.header.stream,
          sequence: entry.header.sequence, lostBefore: entry.header.lostBefore)
      } catch let error {
        throw error.located(file: file.name, offset: entry.offset)
      }
      try output.write(block)
      statistics.add(block, events: entry.eventCount)
      progress?(entry.offset + Int64(entry.length))
    }
    return statistics
  }
}
