import Measurement
import WakeEvents
import WakeTrace

// Devices whose streams overlap in time are fed one by one, by cursors that merge the streams.
extension ReplayRun {
  /// Feeds a device whose streams overlap in time.
  func feedMerged(
    _ place: Int, from blocks: BlockCache, tally: inout ReplayTally
  ) throws(TraceError) {
    let lane = makeLane(place)
    var filter = RowFilter(shared.options.selection, symbols: shared.symbols)
    var sampler = sampler(seed: UInt64(place))
    let cursor = try DeviceCursor(device: place, from: blocks)
    while true {
      let begin = MonotonicClock.now()
      guard let batch = try nextBatch(of: cursor, &filter) else { break }
      let now = MonotonicClock.now()
      tally.decodeTime += now - begin
      try lane.feed(
        batch.columns, rows: batch.rows, device: batch.device, numbers: batch.numbers,
        tally: &tally, sampler: &sampler)
      tally.scheduleTime += MonotonicClock.now() - now
      count(batch.rows.count)
    }
    try lane.finish(tally: &tally)
  }

  /// Where cursors over devices take blocks from.
  func makeCache() -> BlockCache {
    BlockCache(index, symbols: shared.symbols, decode: decode)
  }

  /// The next events that a device is to be fed; nil behind the last.
  ///
  /// Streams are merged before anything is left out, so that what is left out moves nothing else.
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
