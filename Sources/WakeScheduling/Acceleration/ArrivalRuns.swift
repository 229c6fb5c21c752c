import WakeEvents

// Acceleration `arrivalRuns`.
//
// Rule: 10.2, what arrives.
// Plain: `deliver` in `Rules/Samples.swift` notes each save and delete before the rules take it, so that they must see
// each one.
// Here: the arrivals of a run of saves and deletes are noted together, in a loop over rows that does nothing else. Then the
// run is taken as if no arrivals were noted, so that accelerations which hide arrivals apply.
// Condition: `rowBatches` is on, nobody listens (``SchedulerCore/listeners``), and the rows are in time order, none of them
// late. What bounds make of an arrival depends on arrivals and on inputs of other kinds (rules, 10.2 to 10.5), not on wakes:
// whether its app is in the foreground, what its queries ask for, and whether wakes are forbidden. So inputs of other kinds
// end a run. Since when something is owed (rule 10.1) is asked for when a wake begins
// (``SchedulerCore/noteCarrying(_:oldest:)``), and at a disable, a launch and the end (``SchedulerCore/noteOwed(_:)``).
// Tests: BoundsTests, BoundsReplayTests.
// Gain: 1,034 to 410 instructions an event of fitbit with `--bounds` (page Performance).
extension SchedulerCore {
  /// Takes inputs as ``take(_:rows:orderliness:_:_:)`` does, where arrivals are noted by runs.
  @inline(never)
  mutating func takeArrivalRuns(
    _ columns: borrowing RowColumns, rows: Range<Int>, orderliness: Orderliness?,
    _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    let known = unsafe columns.times[rows.lowerBound] >= present ? orderliness : nil
    let most = known == nil ? Self.rowsChecked : rows.count
    var start = rows.lowerBound
    while start < rows.upperBound {
      let part = start..<min(start + most, rows.upperBound)
      coalescer.prepareToCount(part.count)
      let order =
        if let known { RowOrder.samples(known) } else {
          checkOrder(columns, rows: part, hasher.path)
        }
      switch order {
      case .samples(let orderliness):
        noteArrivals(columns, rows: part)
        notesArrivals = false
        var early = EarlyRows(of: part)
        countOrdered(columns, rows: part, orderliness, &early, &hasher, listener)
        notesArrivals = true
      case .mixed: takeMixedArrivals(columns, rows: part, &hasher, listener)
      case .none: takeRows(columns, rows: part, &hasher, listener)
      }
      start = part.upperBound
    }
  }

  /// Takes inputs of all kinds in time order, none of them late: a run of saves and deletes and the input behind it, and so
  /// on.
  private mutating func takeMixedArrivals(
    _ columns: borrowing RowColumns, rows: Range<Int>, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    notesArrivals = false
    let isSparse = takesSparseRows
    var row = rows.lowerBound
    while row < rows.upperBound {
      let end = Self.firstOther(of: columns, in: row..<rows.upperBound)
      let next = min(end &+ 1, rows.upperBound)
      if end > row { noteArrivals(columns, rows: row..<end) }
      if isSparse {
        takeMixed(columns, rows: row..<next, &hasher, listener)
      } else {
        takeRows(columns, rows: row..<next, &hasher, listener)
      }
      row = next
    }
    notesArrivals = true
  }

  /// Notes which apps take saves and deletes in time order outside the foreground (rules 5.1, 10.2).
  @inline(never)
  private mutating func noteArrivals(_ columns: borrowing RowColumns, rows: Range<Int>) {
    guard let bounds else { return }
    var tracked = bounds.takeApps()
    precondition(tracked.count >= apps.count, "each app has bounds")
    for row in rows {
      // Unchecked: no row is beyond the columns.
      let type = Int(unsafe columns.types.span[unchecked: row])
      guard type < coalescer.rosters.count else { continue }
      let time = unsafe columns.times.span[unchecked: row]
      var subscribers = Coalescer.AllSlots(ofType: type, &coalescer)
      while let (slot, app) = subscribers.next(in: &coalescer) {
        if apps[app].activity != .foreground, takes(columns, row: row, slot) {
          tracked[app].arrive(at: time)
        }
      }
    }
    bounds.putBack(tracked)
  }

  /// Whether a subscription takes the save or delete of a row (rule 5.1).
  @inline(__always)
  private mutating func takes(_ columns: borrowing RowColumns, row: Int, _ slot: Int) -> Bool {
    guard coalescer.subscriptions[slot].isFiltered, !columns.isDelete(at: row) else { return true }
    return matches(columns, row: row, slot)
  }
}
