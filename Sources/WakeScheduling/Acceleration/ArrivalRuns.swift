import WakeEvents

// Acceleration `arrivalRuns`.
//
// Rule: 10.2, what arrives.
// Plain: `deliver` in `Rules/Samples.swift` notes each save and delete before the rules take it, so that they must see
// each one.
// Here: the arrivals of a run of saves and deletes are noted together, in a loop over rows that does nothing else. Then the
// run is taken as if nobody wanted to know, so that accelerations which hide arrivals apply.
// Condition: nobody but ``SchedulerCore/bounds`` wants to know of arrivals, and the rows are in time order, none of them
// late. What bounds make of an arrival depends on arrivals and on inputs of other kinds (rules, 10.2 to 10.5), not on
// wakes: whether its app is in the foreground, what its queries ask for, and whether wakes are forbidden. Since when
// something is owed (rule 10.1) is asked for when a wake begins (``SchedulerCore/noteOwed(_:)``).
// Tests: BoundsTests, BoundsReplayTests.
// Gain: 1,034 to 410 instructions an event of fitbit with `--bounds` (page Performance).
extension SchedulerCore {
  /// Takes a run of inputs as ``take(_:rows:orderliness:_:_:)`` does, where arrivals are noted by runs.
  @inline(never)
  mutating func takeArrivalRuns(
    _ columns: borrowing RowColumns, rows: Range<Int>, orderliness: Orderliness?,
    _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    let known = unsafe columns.times[rows.lowerBound] >= present ? orderliness : nil
    let most = known == nil ? Self.rowsChecked : TypeCount.mostRows
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
        takeArrivals(columns, rows: part, orderliness, &hasher, listener)
      case .mixed: takeMixedArrivals(columns, rows: part, &hasher, listener)
      case .none: takeRows(columns, rows: part, &hasher, listener)
      }
      start = part.upperBound
    }
  }

  /// Takes inputs of all kinds in time order, none of them late.
  private mutating func takeMixedArrivals(
    _ columns: borrowing RowColumns, rows: Range<Int>, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    var row = rows.lowerBound
    while row < rows.upperBound {
      let end = Self.firstOther(of: columns, in: row..<rows.upperBound)
      if end &- row >= Self.fewRows,
        unsafe Self.areAll(
          columns.types.span.extracting(row..<end), below: UInt32(coalescer.typeCounts.count))
      {
        let orderliness = Orderliness(typeEnd: coalescer.knownTypes, hasDeletes: true)
        takeArrivals(columns, rows: row..<end, orderliness, &hasher, listener)
        row = end
      } else {
        // The other input too, if there is one.
        let next = min(end &+ 1, rows.upperBound)
        takeRows(columns, rows: row..<next, &hasher, listener)
        row = next
      }
    }
  }

  /// Notes the arrivals of saves and deletes in time order, none of them late, and takes them.
  @inline(never)
  private mutating func takeArrivals(
    _ columns: borrowing RowColumns, rows: Range<Int>, _ orderliness: Orderliness,
    _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    noteArrivals(columns, rows: rows)
    notesArrivals = false
    countOrdered(columns, rows: rows, orderliness, &hasher, listener)
    notesArrivals = true
  }

  /// Notes which apps take saves and deletes in time order outside the foreground (rules 5.1, 10.2).
  private mutating func noteArrivals(_ columns: borrowing RowColumns, rows: Range<Int>) {
    guard let bounds else { return }
    var tracked = bounds.takeApps()
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
    let time = unsafe Timestamp(nanoseconds: columns.times[row])
    return matches(columns.sample(at: row), writtenAt: time, slot)
  }
}
