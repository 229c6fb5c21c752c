import Measurement
import WakeEvents
import WakeScheduling
import WakeTrace

// The replay of a device on a scheduler under test.
extension DeviceReplay {
  /// Schedules rows on a scheduler under test.
  func schedule(
    on tested: any DeviceUnderTest, _ columns: borrowing InputColumns, rows: Range<Int>,
    numbers: EventNumbers, orderliness: Orderliness?, tally: inout ReplayTally,
    sampler: inout LatencySampler?
  ) throws(TraceError) {
    let (before, late) = (latest ?? columns.times[rows.lowerBound], tested.lateInputs)
    var row = rows.lowerBound
    while row < rows.upperBound {
      let sampled = sampler?.next(from: row, to: rows.upperBound) ?? rows.upperBound
      if row < sampled {
        try take(
          columns, rows: row..<sampled, on: tested, numbers: numbers, orderliness: orderliness)
      }
      if sampled < rows.upperBound {
        let begin = MonotonicClock.now()
        try take(
          columns, rows: sampled..<sampled + 1, on: tested, numbers: numbers,
          orderliness: orderliness)
        let end = MonotonicClock.now()
        tally.latency.record(Int64(end - begin), position: numbers.number(ofRow: sampled))
      }
      note(tested, &tally.wakes)
      row = sampled + 1
    }
    latest = tested.present
    if tested.present - before > TimeAnomaly.jump
      || tested.lateInputs > late
        && shared.anomalies.mayBeFirst(late: numbers.number(ofRow: rows.lowerBound))
    {
      findAnomalies(
        columns.times.span.extracting(rows), first: rows.lowerBound, numbers: numbers, from: before,
        areOrdered: tested.lateInputs == late)
    }
    try handOverLogs(isLast: false)
  }

  /// Gives rows to a scheduler under test; where bounds are asked for, one by one, and ``scheduler`` follows.
  private func take(
    _ columns: borrowing InputColumns, rows: Range<Int>, on tested: any DeviceUnderTest,
    numbers: EventNumbers, orderliness: Orderliness?
  ) throws(TraceError) {
    guard shared.options.bounds != nil else {
      return try tested.take(columns, rows: rows, numbers: numbers, orderliness: orderliness)
    }
    try scheduler.follow(tested, columns, rows: rows, numbers: numbers)
  }

  /// Counts and logs what a scheduler under test has told of.
  func note(_ tested: any DeviceUnderTest, _ tally: inout WakeTally) {
    tested.handOver {
      tally.count($0)
    } ended: {
      log?.append($0)
    }
  }

  func close(
    _ tested: any DeviceUnderTest, _ tally: inout ReplayTally
  ) throws(TraceError) {
    tally.summary.addInAnyOrder(try tested.finish())
    if shared.options.bounds != nil {
      scheduler.take(tested.takeChanges())
      scheduler.close(&tally.hasher) { _, _ in }
      if let found = scheduler.foundBounds { tally.bounds.add(found, ofDevice: place) }
    }
    tested.forEachApp {
      tally.apps.add($0)
      // It does not tell of subscriptions.
      tally.hadSubscriptions = true
    }
    note(tested, &tally.wakes)
  }
}
