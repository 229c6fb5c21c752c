import Kernels
package import WakeEvents

// Acceleration `rowBatches`.
//
// Rule: 4.1, 4.2 and 5.1 for saves and deletes given as columns.
// Plain: `takeRows` hands each row to the rules as an input.
// Here: rows that are only counted (``Attention/isNone``) are counted in a loop, and the present and the summary are
// updated once for all. Where the decoder has found that a batch holds saves and deletes in time order
// (``Orderliness``), or a look at 1,024 rows together, the first row that is not before the next timer is searched for,
// and up to it four rows are taken at a time, of which only types are looked at. Where devices take turns, runs are short:
// their rows are taken one by one as in `sparseRows`.
// Condition: the row is a save or delete of a known type, its effective time is before the next timer, and nobody
// observes the type.
// Tests: DifferentialTests, LongRowsTests.
// Gain: 4.5 to 14 times on wearable, fitbit hourly and watch budget, scheduling alone (page Performance).
extension SchedulerCore {
  /// Takes a run of inputs given as columns, as if one by one.
  ///
  /// - Parameters:
  ///   - rows: Which of them, in order.
  ///   - orderliness: What the decoder found out about the rows, if anything.
  package mutating func take(
    _ columns: borrowing InputColumns, rows: Range<Int>, orderliness: Orderliness? = nil,
    _ hasher: inout WakeHasher, _ listener: (WakePhase, borrowing WakeView) -> Void
  ) {
    var early = EarlyRows(of: rows)
    columns.withRowColumns {
      take($0, rows: rows, orderliness: orderliness, &early, &hasher, listener)
    }
  }

  /// ``take(_:rows:orderliness:_:_:)`` for columns in any memory, whose rows may be taken in parts.
  ///
  /// - Parameter early: Of the rows of which `rows` are a part.
  /// - Parameter tellsAll: Whether the listener learns of all wakes that began; else the hasher keeps
  ///   some of them for ``WakeHasher/tellBegan(_:)``, so that wakes of short runs are told together.
  @inline(__always)
  package mutating func take(
    _ columns: borrowing RowColumns, rows: Range<Int>, orderliness: Orderliness? = nil,
    tellsAll: Bool = true, _ early: inout EarlyRows, _ hasher: inout WakeHasher,
    _ listener: (WakePhase, borrowing WakeView) -> Void
  ) {
    guard !rows.isEmpty else { return }
    defer { if tellsAll { hasher.tellBegan(listener) } }
    let length = unsafe min(columns.times.count, columns.kinds.count, columns.types.count)
    precondition(
      early.rows.lowerBound >= 0 && rows.lowerBound >= early.rows.lowerBound
        && rows.upperBound <= early.rows.upperBound && early.rows.upperBound <= length,
      "rows \(rows) of \(early.rows) in columns of \(length)")
    // Another input follows each but the last, which is taken apart if that matters.
    let last = answersWithoutDelay ? Self.lastInput(of: columns, in: rows) : rows.lowerBound
    var start = rows.lowerBound
    while start < rows.upperBound {
      setFollowed(start < last)
      let end = start < last ? last : rows.upperBound
      takePart(columns, rows: start..<end, orderliness: orderliness, &early, &hasher, listener)
      start = end
    }
  }

  /// ``take(_:rows:orderliness:tellsAll:_:_:_:)`` for rows that are not empty, and in the columns.
  @inline(__always)
  private mutating func takePart(
    _ columns: borrowing RowColumns, rows: Range<Int>, orderliness: Orderliness?,
    _ early: inout EarlyRows, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    guard accelerations.contains(.rowBatches) else {
      takeRows(columns, rows: rows, &hasher, listener)
      return heldPushIDs.keepLent(of: apps)
    }
    if notesArrivals {
      if accelerations.contains(.arrivalRuns), listeners == nil {
        takeArrivalRuns(columns, rows: rows, orderliness: orderliness, &hasher, listener)
        return heldPushIDs.keepLent(of: apps)
      }
      // Those who listen and those who make bounds are checked when they begin.
      assert(accelerations.isDisjoint(with: .hidingArrivals), "arrivals could be hidden")
    }
    if let orderliness, unsafe columns.times[rows.lowerBound] >= present {
      coalescer.prepareToCount(rows.count)
      countOrdered(columns, rows: rows, orderliness, &early, &hasher, listener)
      // There are no pushes, whose ids would be lent (``HeldPushIDs``).
      return
    }
    var start = rows.lowerBound
    while start < rows.upperBound {
      let part = start..<min(start + Self.rowsChecked, rows.upperBound)
      coalescer.prepareToCount(part.count)
      switch checkOrder(columns, rows: part, hasher.path) {
      case .samples(let orderliness):
        // Only the rows of this part are known to be in order.
        var early = EarlyRows(of: part)
        countOrdered(columns, rows: part, orderliness, &early, &hasher, listener)
      case .mixed where takesSparseRows:
        takeMixed(columns, rows: part, &hasher, listener)
      case .mixed, .none:
        countUnordered(columns, rows: part, &hasher, listener)
      }
      heldPushIDs.keepLent(of: apps)
      start = part.upperBound
    }
  }

  /// Takes saves and deletes in time order, none of them late: the hot path.
  @inline(__always)
  mutating func countOrdered(
    _ columns: borrowing RowColumns, rows: Range<Int>, _ orderliness: Orderliness,
    _ early: inout EarlyRows, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    if orderliness.typeEnd > coalescer.knownTypes { reserveTypes(orderliness.typeEnd) }
    let deletes = orderliness.hasDeletes ? Self.countDeletes(in: columns, rows: rows) : 0
    takeOrdered(
      columns, rows: rows, hasDeletes: orderliness.hasDeletes, &early, &hasher, listener)
    present = unsafe columns.times[rows.upperBound &- 1]
    counts.inputs &+= rows.count
    counts.saves &+= rows.count &- deletes
    counts.deletes &+= deletes
  }

  /// ``countOrdered(_:rows:_:_:_:_:)`` without the summary and the present at the end.
  @inline(__always)
  mutating func takeOrdered(
    _ columns: borrowing RowColumns, rows: Range<Int>, hasDeletes: Bool,
    _ early: inout EarlyRows, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    let isSparse = takesSparseRows
    var row = rows.lowerBound
    if isSparse, rows.count <= Self.shortRun {
      row = takeSparsely(columns, rows: rows, quietRows: .max, &hasher, listener)
      if row == rows.upperBound { return }
    }
    var lanes = TypeLanes(
      isOn: rows.count > TypeLanes.enoughRows && countsInLanes(hasher.path))
    // Tried once for a batch (``Accelerations/subscribedRows``).
    var mayFind = true
    while row < rows.upperBound {
      row = countQuiet(
        columns, rows: row..<rows.upperBound, &early, &lanes, hasDeletes: hasDeletes, hasher.path)
      guard row < rows.upperBound else { break }
      guard isSparse else {
        applyRow(columns, row: row, &hasher, listener)
        row &+= 1
        continue
      }
      if mayFind, coalescer.subscribedTypes < coalescer.knownTypes,
        rows.upperBound &- row >= SubscribedRows.enoughRows
      {
        mayFind = false
        if takeSubscribed(
          columns, rows: row..<rows.upperBound, &lanes, hasDeletes: hasDeletes, &hasher, listener)
        {
          break
        }
      }
      row = takeSparsely(
        columns, rows: row..<rows.upperBound, quietRows: Self.fewQuietRows, &hasher, listener)
    }
  }

  /// Runs up to this length are taken row by row: a search for the next timer does not pay.
  static let shortRun = 16

  /// Counts saves and deletes up to the first that is more than a count, or before which a timer is due.
  ///
  /// - Returns: That row, or the end of the rows.
  @inline(__always)
  mutating func countQuiet(
    _ columns: borrowing RowColumns, rows: Range<Int>, _ early: inout EarlyRows,
    _ lanes: inout TypeLanes, hasDeletes: Bool, _ path: ProcessorPath
  ) -> Int {
    let types = unsafe columns.types.span
    let typeCounts = unsafe coalescer.typeCounts.unsafeValues
    var row = rows.lowerBound
    let end = min(
      early.end(from: row, of: columns, notBefore: timers.nextDue), rows.upperBound)
    // The first rows four at a time; where all of them are only counted, the next ones in lanes, and what these leave again
    // four at a time.
    var near = lanes.firstRows > 0 ? min(row &+ lanes.firstRows, end) : end
    while true {
      // Unchecked: no row is beyond the columns, and no type is at or above `typeEnd`.
      while row &+ 4 <= near, unsafe FourRows(types, row: row, typeCounts).count(in: typeCounts) {
        row &+= 4
      }
      guard row == near, end &- row >= TypeLanes.enoughRows else { break }
      let start = row
      row = countInLanes(types, rows: row..<end, path)
      lanes.note(row &- start, types: coalescer.rosters.count)
      near = end
    }
    while row < end {
      let type = Int(unsafe types[unchecked: row])
      guard unsafe typeCounts[type].attention.isNone else { break }
      unsafe typeCounts[type].first &+= 1
      row &+= 1
    }
    if row < end, unsafe typeCounts[Int(types[unchecked: row])].attention.isScanned {
      row = scan(columns, rows: row..<end, hasDeletes: hasDeletes)
    }
    return row
  }

  /// Takes a save or delete that may be more than a count; the caller has counted it as an input.
  @inline(never)
  private mutating func applyRow(
    _ columns: borrowing RowColumns, row: Int, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    // Unchecked: no row is beyond the columns.
    let time = unsafe columns.times.span[unchecked: row]
    let type = Int(unsafe columns.types.span[unchecked: row])
    let isDelete = unsafe columns.kinds.span[unchecked: row] == InputKind.delete.rawValue
    if timers.mayBeDue(by: time) { advancePresent(to: time, &hasher, listener) }
    present = time
    let sample = isDelete || !coalescer.isFiltered(type: type) ? nil : columns.sample(at: row)
    deliver(
      sample, ofType: type, writtenAt: Timestamp(nanoseconds: time), &hasher, listener)
  }

  /// Takes rows of any kind and order.
  @inline(never)
  mutating func countUnordered(
    _ columns: borrowing RowColumns, rows: Range<Int>, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    let times = unsafe columns.times.span
    let kinds = unsafe columns.kinds.span
    let types = unsafe columns.types.span
    let isSparse = takesSparseRows
    var counted = rows.count
    var deletes = 0
    var late = 0
    var row = rows.lowerBound
    while true {
      let typeCounts = unsafe coalescer.typeCounts.unsafeValues
      let nextDue = timers.nextDue
      var present = present
      while row < rows.upperBound {
        // Unchecked: no row is beyond the columns.
        let time = unsafe times[unchecked: row]
        let kind = unsafe kinds[unchecked: row]
        let type = Int(unsafe types[unchecked: row])
        let effective = max(time, present)
        guard effective < nextDue, kind <= InputKind.delete.rawValue, type < typeCounts.count
        else { break }
        if unsafe typeCounts[type].attention.isNone {
          unsafe typeCounts[type].first &+= 1
        } else {
          // A scan takes no late row: it may rely on the bounds of times that hold from the present on.
          guard time == effective, unsafe typeCounts[type].attention.isScanned,
            scan(columns, rows: row..<row &+ 1, hasDeletes: kind > 0) > row
          else { break }
        }
        deletes &+= Int(kind)
        late &+= time < effective ? 1 : 0
        present = effective
        row &+= 1
      }
      self.present = present
      guard row < rows.upperBound else { break }
      let first = row
      if isSparse {
        row = takeUnordered(columns, rows: row..<rows.upperBound, &hasher, listener)
      } else {
        takeRow(columns, row: row, &hasher, listener)
        row &+= 1
      }
      counted &-= row &- first
    }
    counts.inputs += counted
    counts.saves += counted - deletes
    counts.deletes += deletes
    counts.lateInputs += late
  }
}
