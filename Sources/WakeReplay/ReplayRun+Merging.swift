import Measurement
import WakeEvents
import WakeTrace

// A device whose streams overlap in time is replayed by one thread, through a cursor that merges the
// streams.
extension ReplayRun {
  /// Replays a device whose streams overlap in time.
  func replayMerged(
    _ place: Int, from blocks: BlockCache, tally: inout ReplayTally
  ) throws(TraceError) {
    let device = makeDevice(place)
    var filter = RowFilter(shared.options.selection, symbols: shared.symbols)
    var sampler = makeSampler(seed: UInt64(place))
    let cursor = try DeviceCursor(device: place, from: blocks)
    while true {
      let begin = MonotonicClock.now()
      guard let batch = try nextBatch(of: cursor, &filter) else { break }
      let now = MonotonicClock.now()
      tally.decodeTime += now - begin
      try device.scheduleAll(
        batch.columns, rows: batch.rows, device: batch.device, numbers: batch.numbers,
        tally: &tally, others: otherTallies, sampler: &sampler)
      tally.scheduleTime += MonotonicClock.now() - now
      reportDone(batch.rows.count)
    }
    try device.finishAll(tally: &tally, others: otherTallies)
  }

  /// The cache from which device cursors take blocks.
  func makeCache() -> BlockCache {
    BlockCache(index, symbols: shared.symbols, decode: decode)
  }

  /// The next selected events of a device; nil at its end.
  ///
  /// Streams are merged first, then filtered: a filter must not change the order of what it keeps.
  func nextBatch(
    of cursor: DeviceCursor, _ filter: inout RowFilter
  ) throws(TraceError) -> DeviceCursor.Batch? {
    while var batch = try cursor.next() {
      guard shared.options.selection.hasRowFilter else { return batch }
      (batch.columns, batch.numbers) = filter.pick(
        batch.columns, rows: batch.rows, numbers: batch.numbers)
      batch.rows = 0..<batch.columns.count
      if !batch.rows.isEmpty { return batch }
    }
    return nil
  }
}
