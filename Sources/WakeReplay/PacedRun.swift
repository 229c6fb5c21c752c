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

  /// Events that all devices together keep at hand, and the fewest that each does.
  private static let eventsAtHand = 1 << 20
  private static let fewestAtHand = 64

  private struct Feed {
    var lane: DeviceLane
    var cursor: DeviceCursor
    /// Events to come; those fed are no longer among its rows.
    var ahead: DeviceCursor.Batch?
    /// The latest time fed: late events take place then.
    var present = Int64.min

    /// When something is to happen next: the next event, or before it what the scheduler has due. After
    /// its last event a device does nothing more (SPEC 4.3).
    var next: (time: Int64, isEvent: Bool)? {
      guard let ahead else { return nil }
      let time = max(present, ahead.columns.times[ahead.rows.lowerBound])
      let due = lane.nextDue ?? .max
      return due <= time ? (due, false) : (time, true)
    }
  }

  func feedAll(tally: inout ReplayTally) throws(TraceError) -> Pacing {
    var pacing = Pacing(factor: factor)
    var filter = RowFilter(run.shared.options.selection, symbols: run.shared.symbols)
    var feeds = try makeFeeds(&filter)
    var order = EarliestFirst(feeds.map { $0.next?.time })
    let begin = MonotonicClock.now()
    var origin: Int64?
    /// The clock's time that belongs to one of the trace, the first of which is now.
    func intended(_ time: Int64) -> UInt64 {
      let start = origin ?? time
      origin = start
      return begin + UInt64(min(max(0, Double(time - start) / factor), Self.endOfTime))
    }
    while let place = order.first {
      guard let (time, isEvent) = feeds[place].next else { break }
      if isEvent {
        try feed(&feeds[place], at: time, intended: intended(time), &tally, &pacing)
        if feeds[place].ahead?.rows.isEmpty ?? true {
          feeds[place].ahead = nil
          feeds[place].ahead = try run.nextBatch(of: feeds[place].cursor, &filter)
        }
      } else {
        wait(until: intended(time))
        feeds[place].lane.advance(to: time, tally: &tally)
      }
      order.moveFirst(to: feeds[place].next?.time)
    }
    for feed in feeds {
      try feed.lane.finish(tally: &tally)
    }
    return pacing
  }

  /// Nanoseconds beyond which nobody waits: 146 years.
  private static let endOfTime = 0x1p62

  private func makeFeeds(_ filter: inout RowFilter) throws(TraceError) -> [Feed] {
    let blocks = run.makeCache()
    let devices = run.index.devices.indices
    let window = max(Self.eventsAtHand / max(1, devices.count), Self.fewestAtHand)
    var feeds: [Feed] = []
    for place in devices {
      let cursor = try DeviceCursor(device: place, from: blocks, window: window)
      let first = try run.nextBatch(of: cursor, &filter)
      feeds.append(Feed(lane: run.makeLane(place), cursor: cursor, ahead: first))
    }
    return feeds
  }

  /// Feeds a device's next event.
  private func feed(
    _ feed: inout Feed, at time: Int64, intended: UInt64, _ tally: inout ReplayTally,
    _ pacing: inout Pacing
  ) throws(TraceError) {
    guard let batch = feed.ahead else { return }
    let row = batch.rows.lowerBound
    feed.ahead?.rows = row + 1..<batch.rows.upperBound
    feed.present = time
    wait(until: intended)
    var noSampler: LatencySampler?
    try feed.lane.feed(
      batch.columns, rows: row..<row + 1, device: batch.device, numbers: batch.numbers,
      tally: &tally, sampler: &noSampler)
    let latency = Int64(MonotonicClock.now() - intended)
    tally.latency.record(latency, position: batch.numbers.number(ofRow: row))
    if latency > Self.tolerance { pacing.lateEvents += 1 }
    pacing.furthestBehind = max(pacing.furthestBehind, latency)
    run.count(1)
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
