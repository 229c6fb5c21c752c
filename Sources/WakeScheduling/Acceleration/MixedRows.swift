import WakeEvents

// Part of the acceleration `sparseRows` (`SparseRows.swift`): batches of inputs of all kinds in time order. What an input
// of another kind needs is decided in one place, by the column of kinds and before the input is read, as a processor cannot
// predict which kind comes next. Runs of saves and deletes are taken as in `rowBatches`.
// Condition: that of `sparseRows`, and no row is late. Where some are late, `takeUnordered` takes rows one by one.
// Tests: DifferentialTests, LongRowsTests, ManyAppsRowsTests.
// Gain: part of that of `sparseRows`.
extension SchedulerCore {
  /// After so many saves and deletes in a row, those that follow are taken together, if at least so many are left.
  private static let fewRows = 8

  /// Takes inputs of all kinds in time order, none of them late.
  @inline(never)
  mutating func takeMixed(
    _ columns: borrowing RowColumns, rows: Range<Int>, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    // Unchecked, here and below: no row is beyond the columns.
    let times = unsafe columns.times.span
    let types = unsafe columns.types.span
    var row = rows.lowerBound
    var observations = 0
    let evaluates = evaluatesAtOnce
    // Where rows are taken together, if all are saves and deletes up to there.
    var runStart = row &+ Self.fewRows
    while row < rows.upperBound {
      let kind = columns.kind(at: row)
      // Rules, 11: an observation is no input.
      if kind == .observed {
        observations &+= 1
        row &+= 1
        continue
      }
      let time = unsafe times[unchecked: row]
      let subject = Int(unsafe types[unchecked: row])
      advancePresent(to: time, &hasher, listener)
      if kind.rawValue > InputKind.delete.rawValue {
        takeOther(
          kind, columns, at: subject, evaluatesAtOnce: evaluates, &hasher, listener)
        row &+= 1
        runStart = row &+ Self.fewRows
        continue
      }
      if row == runStart {
        let end = takeRun(columns, rows: row..<rows.upperBound, &hasher, listener)
        if end > row {
          row = end
          continue
        }
        runStart = rows.upperBound
      }
      takeSparsely(columns, row: row, ofType: subject, &hasher, listener)
      row &+= 1
    }
    let saves = Self.count(.save, in: columns, rows: rows)
    let deletes = Self.count(.delete, in: columns, rows: rows)
    counts.inputs &+= rows.count &- observations
    counts.saves &+= saves
    counts.deletes &+= deletes
  }

  /// Takes inputs of all kinds, of which some may be late, until some saves and deletes, one after the other, are only
  /// counted. The first may be more than a count.
  ///
  /// - Returns: The first row that was not taken: the end, or where rows are to be counted or scanned.
  @inline(never)
  mutating func takeUnordered(
    _ columns: borrowing RowColumns, rows: Range<Int>, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) -> Int {
    let times = unsafe columns.times.span
    let types = unsafe columns.types.span
    var row = rows.lowerBound
    var (observations, late, quiet) = (0, 0, 0)
    let evaluates = evaluatesAtOnce
    while row < rows.upperBound, quiet < Self.fewQuietRows {
      let kind = columns.kind(at: row)
      if kind == .observed {
        observations &+= 1
        row &+= 1
        continue
      }
      // Rules, 4.1.
      let written = unsafe times[unchecked: row]
      let time = max(written, present)
      let subject = Int(unsafe types[unchecked: row])
      advancePresent(to: time, &hasher, listener)
      if kind.rawValue > InputKind.delete.rawValue {
        takeOther(
          kind, columns, at: subject, evaluatesAtOnce: evaluates, &hasher, listener)
        quiet = 0
      } else {
        if subject >= coalescer.knownTypes { reserveTypes(subject + 1) }
        let attention = coalescer.typeCounts[subject].attention
        if attention.isScanned, row > rows.lowerBound { break }
        coalescer.typeCounts[subject].first &+= 1
        if attention.isNone {
          quiet &+= 1
        } else {
          deliver(columns, row: row, ofType: subject, isInRun: false, &hasher, listener)
          quiet = 0
        }
      }
      late &+= written < time ? 1 : 0
      row &+= 1
    }
    let taken = rows.lowerBound..<row
    counts.inputs &+= taken.count &- observations
    counts.saves &+= Self.count(.save, in: columns, rows: taken)
    counts.deletes &+= Self.count(.delete, in: columns, rows: taken)
    counts.lateInputs &+= late
    return row
  }

  /// Takes the input at a place of those other than saves and deletes, at the present.
  // The input is read where it is taken: read before, it costs 5 % more instructions in random mix 59.
  @inline(always)
  private mutating func takeOther(
    _ kind: InputKind, _ columns: borrowing RowColumns, at place: Int, evaluatesAtOnce: Bool,
    _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    if evaluatesAtOnce {
      takeOtherAtOnce(kind, columns.other(at: place), &hasher, listener)
    } else {
      takeOtherInFull(columns.other(at: place), &hasher, listener)
    }
  }

  /// Takes a save or delete at the present.
  @inline(always)
  mutating func takeSparsely(
    _ columns: borrowing RowColumns, row: Int, ofType type: Int, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    if countRow(ofType: type) { return }
    deliver(columns, row: row, ofType: type, isInRun: false, &hasher, listener)
  }

  /// Counts a save or delete of any type.
  ///
  /// - Returns: Whether nobody must look at it.
  @inline(always)
  mutating func countRow(ofType type: Int) -> Bool {
    if type >= coalescer.knownTypes { reserveTypes(type + 1) }
    coalescer.typeCounts[type].first &+= 1
    return coalescer.typeCounts[type].attention.isNone
  }

  /// Takes saves and deletes up to the first other input, if they are not few.
  ///
  /// - Returns: The first row that was not taken.
  @inline(never)
  private mutating func takeRun(
    _ columns: borrowing RowColumns, rows: Range<Int>, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) -> Int {
    let end = Self.firstOther(of: columns, in: rows)
    guard end &- rows.lowerBound >= Self.fewRows,
      unsafe Self.areAll(
        columns.types.span.extracting(rows.lowerBound..<end),
        below: UInt32(coalescer.typeCounts.count))
    else { return rows.lowerBound }
    let run = rows.lowerBound..<end
    var early = EarlyRows(of: run)
    takeOrdered(columns, rows: run, hasDeletes: true, &early, &hasher, listener)
    present = unsafe columns.times[end &- 1]
    return end
  }

  /// The first row that is neither save nor delete, or the rows' end.
  static func firstOther(of columns: borrowing RowColumns, in rows: Range<Int>) -> Int {
    // Eight kinds at a time: those of saves and deletes have no bit but the lowest.
    let kinds = unsafe columns.kinds.span.bytes
    var row = rows.lowerBound
    while row &+ 8 <= rows.upperBound {
      let others =
        unsafe kinds.unsafeLoadUnaligned(fromUncheckedByteOffset: row, as: UInt64.self)
        & 0xFEFE_FEFE_FEFE_FEFE
      if others != 0 { return row &+ others.littleEndian.trailingZeroBitCount / 8 }
      row &+= 8
    }
    while row < rows.upperBound, unsafe columns.kinds[row] <= InputKind.delete.rawValue {
      row &+= 1
    }
    return row
  }
}
