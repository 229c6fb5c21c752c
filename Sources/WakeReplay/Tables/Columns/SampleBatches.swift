import WakeEvents
package import WakeTrace

/// Reads the table of samples in batches, in the order of `rouse export csv --table samples`.
package final class SampleBatches {
  private let index: TraceIndex
  private let selection: BlockSelection
  private let keepsGoing: Bool
  private let symbols = Symbols()
  private let builder: TableBuilder
  private var filter: RowFilter
  private let decoder: BlockDecoder
  private lazy var cache = BlockCache(index, symbols: symbols) {
    [index, keepsGoing] block, decoder throws(TraceError) in
    try Self.decode(block, decoder, index, keepsGoing: keepsGoing)
  }
  /// The next block; where streams are merged, the next device.
  private var next = 0
  private var cursor: DeviceCursor?
  private let merges: Bool

  /// - Parameters:
  ///   - index: Of the traces, made with the selection.
  ///   - keepsGoing: Whether damaged blocks are left out.
  package init(_ index: TraceIndex, selection: BlockSelection, keepsGoing: Bool) {
    self.index = index
    self.selection = selection
    self.keepsGoing = keepsGoing
    let symbols = symbols
    builder = TableBuilder(ReplayTable.samples.fields ?? []) {
      ReplayTable.samples.names(of: $0, symbols)
    }
    filter = RowFilter(selection, symbols: symbols)
    decoder = BlockDecoder(symbols: symbols)
    merges = index.devices.indices.contains(where: index.needsMerge)
  }

  /// The next rows; nil at the end.
  ///
  /// - Complexity: O(rows). Memory does not grow with the events of the traces.
  package func nextBatch() throws(TraceError) -> TableBatch? {
    while builder.columns[0].count < TableBuilder.rowsOfBatch, try step() {}
    return builder.columns[0].count > 0 ? builder.takeBatch() : nil
  }

  /// Adds some rows; false at the end.
  private func step() throws(TraceError) -> Bool {
    if merges {
      if cursor == nil {
        guard next < index.devices.count else { return false }
        cursor = try DeviceCursor(device: next, from: cache)
        next += 1
      }
      guard let batch = try cursor?.next() else {
        cursor = nil
        return true
      }
      add(batch.columns, rows: batch.rows, device: batch.device)
      return true
    }
    guard next < index.blocks.count else { return false }
    let block = index.blocks[next]
    next += 1
    guard try Self.decode(block, decoder, index, keepsGoing: keepsGoing) else { return true }
    for (run, device) in zip(decoder.runs, block.devices) where device >= 0 {
      add(decoder.columns, rows: run.rows, device: run.device)
    }
    return true
  }

  private static func decode(
    _ block: TraceIndex.Block, _ decoder: BlockDecoder, _ index: TraceIndex, keepsGoing: Bool
  ) throws(TraceError) -> Bool {
    do throws(TraceError) {
      try decoder.decode(block.entry, of: index.files[block.file], details: true)
      return true
    } catch let error {
      guard keepsGoing else { throw error }
      return false
    }
  }

  private func add(_ columns: borrowing InputColumns, rows: Range<Int>, device: Device) {
    if selection.hasRowFilter {
      let kept = filter.pick(columns, rows: rows, numbers: EventNumbers(first: 0)).columns
      addSamples(kept, rows: 0..<kept.count, device: device)
    } else {
      addSamples(columns, rows: rows, device: device)
    }
  }

  /// Adds the saves and deletes among rows, in runs without other inputs.
  private func addSamples(_ columns: borrowing InputColumns, rows: Range<Int>, device: Device) {
    guard !columns.others.isEmpty else { return append(columns, rows, device) }
    var start = rows.lowerBound
    for row in rows where columns.kinds[row] > InputKind.delete.rawValue {
      append(columns, start..<row, device)
      start = row + 1
    }
    append(columns, start..<rows.upperBound, device)
  }

  private func append(_ columns: borrowing InputColumns, _ rows: Range<Int>, _ device: Device) {
    guard !rows.isEmpty else { return }
    let out = builder.columns
    let hasName = symbols.devices.name(of: device) != ""
    out[0].append(place: hasName ? device.index : nil, times: rows.count)
    out[1].append(numbers: columns.times[rows])
    out[2].append(places: columns.kinds[rows])
    out[3].append(places: columns.types[rows])
    out[4].append(places: columns.sources[rows])
    let known = rows.clamped(to: 0..<max(rows.lowerBound, columns.details.fields.count))
    append(columns.details, known)
    for column in out[5...] { column.appendNull(times: rows.count - known.count) }
  }

  private func append(_ details: borrowing SampleDetails, _ rows: Range<Int>) {
    let out = builder.columns
    for row in rows {
      let has = details.fields[row]
      out[5].append(has.contains(.start) ? details.starts[row] : nil)
      out[6].append(has.contains(.end) ? details.ends[row] : nil)
      out[7].append(has.contains(.value) ? details.values[row] : nil)
    }
  }
}
