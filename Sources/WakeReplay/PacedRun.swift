import Glibc
import Measurement
import WakeEvents
import WakeTrace

/// How well a paced replay kept up.
struct Pacing {
  /// Times as fast as the trace's own times passed.
  var factor: Double
  /// Events that were fed more than a millisecond after their intended time.
  var lateEvents = 0
  /// The longest that an event came after its intended time, in nanoseconds.
  var furthestBehind: Int64 = 0
}

/// Feeds all devices by the trace's own times, as a live daemon would be fed.
///
/// Open loop: each event has an intended time, whatever happened to those before it, and its latency
/// counts from there. Where the scheduler wants to be called between events, it is.
struct PacedRun {
  let run: ReplayRun
  let factor: Double

  /// Later than this, an event counts as late.
  private static let tolerance: Int64 = 1_000_000

  private struct Feed {
    let lane: DeviceLane
    let cursor: DeviceCursor
    /// The events that come next; `rows` are those not fed yet.
    var batch: DeviceCursor.Batch?
    /// The time of the first of them; nil behind the last.
    var nextTime: Int64?
    /// The latest time fed: late events take place then.
    var present = Int64.min
  }

  func feedAll(tally: inout ReplayTally) throws(TraceError) -> Pacing {
    var pacing = Pacing(factor: factor)
    var filter = RowFilter(run.shared.options.selection, symbols: run.shared.symbols)
    var feeds: [Feed] = []
    for place in run.index.devices.indices {
      let cursor = try DeviceCursor(
        run.index, device: place, symbols: run.shared.symbols, decode: run.decode)
      feeds.append(Feed(lane: run.makeLane(place), cursor: cursor))
      try findNext(&feeds[place], &filter)
    }
    let begin = MonotonicClock.now()
    var origin: Int64?
    /// The clock's time that belongs to one of the trace, the first of which is now.
    func intended(_ time: Int64) -> UInt64 {
      let start = origin ?? time
      origin = start
      return begin + UInt64(max(0, Double(time - start) / factor))
    }
    while let due = earliest(feeds) {
      let lane = feeds[due.feed].lane
      guard due.isEvent, let batch = feeds[due.feed].batch else {
        wait(until: intended(due.time))
        lane.advance(to: due.time, tally: &tally)
        continue
      }
      let row = batch.rows.lowerBound
      let intended = intended(due.time)
      wait(until: intended)
      var noSampler: LatencySampler?
      try lane.feed(
        batch.columns, rows: row..<row + 1, device: batch.device, firstEvent: batch.firstEvent,
        isSorted: false, tally: &tally, sampler: &noSampler)
      let latency = Int64(MonotonicClock.now() - intended)
      tally.latency.record(latency, position: batch.firstEvent + row)
      if latency > Self.tolerance { pacing.lateEvents += 1 }
      pacing.furthestBehind = max(pacing.furthestBehind, latency)
      run.count(1)
      feeds[due.feed].present = due.time
      feeds[due.feed].batch?.rows.removeFirst()
      try findNext(&feeds[due.feed], &filter)
    }
    for feed in feeds {
      try feed.lane.finish(tally: &tally)
      run.note(feed.lane)
    }
    return pacing
  }

  /// Sees to it that a device's batch begins with an event that is to be fed.
  ///
  /// Events that are left out must not let time pass: after a device's last input nothing happens.
  private func findNext(_ feed: inout Feed, _ filter: inout RowFilter) throws(TraceError) {
    while feed.batch?.rows.isEmpty ?? true {
      guard var batch = try feed.cursor.next() else {
        (feed.batch, feed.nextTime) = (nil, nil)
        return
      }
      if run.shared.options.selection.hasRowFilter {
        let all = batch.rows.count
        batch.columns = filter.pick(batch.columns, rows: batch.rows)
        batch.rows = 0..<batch.columns.count
        run.count(all - batch.rows.count)
      }
      feed.batch = batch
    }
    feed.nextTime = feed.batch.map { $0.columns.times[$0.rows.lowerBound] }
  }

  /// What is to happen next, on any device: an event, or what its scheduler has due before its next
  /// event. After its last event a device does nothing more (SPEC 4.3).
  ///
  /// - Complexity: O(devices).
  private func earliest(_ feeds: [Feed]) -> (feed: Int, isEvent: Bool, time: Int64)? {
    var best: (feed: Int, isEvent: Bool, time: Int64)?
    for (place, feed) in feeds.enumerated() {
      guard let next = feed.nextTime else { continue }
      let time = max(feed.present, next)
      let due = feed.lane.nextDue ?? .max
      if best.map({ min(due, time) < $0.time }) ?? true {
        best = (place, due > time, min(due, time))
      }
    }
    return best
  }

  private func wait(until time: UInt64) {
    while true {
      let now = MonotonicClock.now()
      guard now < time else { return }
      let left = time - now
      // Sleeping wakes late by some ten microseconds, so the last bit is spent waiting.
      if left > 200_000 { usleep(UInt32(min(left - 100_000, 500_000_000) / 1_000)) }
    }
  }
}
