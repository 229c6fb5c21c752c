package import WakeEvents
package import WakeJSON
public import WakeTrace

/// Turns traces into JSON Lines, in an order from which an import makes the same trace again.
public struct TraceExport {
  private let index: TraceIndex
  /// The names in the events.
  package let symbols = Symbols()

  /// Makes an export of traces; several are merged by time within each device.
  ///
  /// - Throws: `TraceError` for damage.
  public init(_ files: [TraceFile]) throws(TraceError) {
    index = try TraceIndex(files: files, observations: true)
  }

  /// The events of the traces.
  public var eventCount: Int { index.eventCount }

  /// Writes the lines; the caller commits the output.
  ///
  /// - Parameters:
  ///   - output: The file.
  ///   - progress: Called now and then with the events written.
  /// - Throws: `TraceError` for damage, or if the output cannot be written.
  /// - Complexity: O(events); memory does not grow with them.
  public func run(
    to output: FileOutput, progress: ((_ events: Int) -> Void)? = nil
  ) throws(TraceError) {
    try run(to: output, times: .nanoseconds, progress: progress)
  }

  /// Writes the lines with points in time in this form. Those of nanoseconds alone can be imported.
  package func run(
    to output: FileOutput, times: JSONTimeForm, progress: ((_ events: Int) -> Void)? = nil
  ) throws(TraceError) {
    var writer = JSONLinesWriter(symbols: symbols, times: times)
    var lines: [UInt8] = []
    try forEachEvent(progress: progress) { event throws(TraceError) in
      writer.append(event, to: &lines)
      if lines.count >= 1 << 18 {
        try output.write(lines)
        lines.removeAll(keepingCapacity: true)
      }
    }
    try output.write(lines)
  }

  /// Calls `body` with each event, in the order of the lines.
  ///
  /// - Parameter progress: Called now and then with the events done.
  package func forEachEvent(
    progress: ((_ events: Int) -> Void)? = nil, _ body: (Event) throws(TraceError) -> Void
  ) throws(TraceError) {
    var done = 0
    func pass(
      _ columns: borrowing InputColumns, _ rows: Range<Int>, _ device: Device
    ) throws(TraceError) {
      for row in rows {
        try body(
          Event(
            time: Timestamp(nanoseconds: columns.times[row]), device: device, input: columns[row]))
      }
      done += rows.count
      progress?(done)
    }

    if index.devices.indices.contains(where: index.needsMerge) {
      let blocks = BlockCache(index, symbols: symbols) { block, decoder throws(TraceError) in
        try decoder.decode(
          block.entry, of: index.files[block.file], details: true, observations: .byDevice)
        return true
      }
      for device in index.devices.indices {
        let cursor = try DeviceCursor(device: device, from: blocks)
        while let batch = try cursor.next() { try pass(batch.columns, batch.rows, batch.device) }
      }
    } else {
      let decoder = BlockDecoder(symbols: symbols)
      for block in index.blocks {
        try decoder.decode(
          block.entry, of: index.files[block.file], details: true, observations: .inPlace)
        for run in decoder.runs { try pass(decoder.columns, run.rows, run.device) }
      }
    }
  }
}
