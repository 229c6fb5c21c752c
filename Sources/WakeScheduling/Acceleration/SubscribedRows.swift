import CKernels
import Kernels

// Acceleration `subscribedRows`.
//
// Rule: 5.1, saves and deletes of types to which no app subscribes: they change nothing.
// Plain: each row is looked at, and the count of its type says that nobody observes it.
// Here: a kernel finds those of 64 rows to whose types somebody subscribes, and the others are not looked at. What is due by their
// times happens before the next row that is looked at, or at the end.
// Condition: that of `sparseRows`; at least 512 saves and deletes in time order, and eight for each type; some known types have no
// subscription, and at least a quarter of the rows, by a sample, are of other types. Where none of 128 rows is more than a count,
// all are counted again, up to the next that is.
// Tests: DifferentialTests, SubscribedRowsTests, OtherKernelTests.
// Gain: 1.2 to 1.5 times on the first 300,000 events of azure with 5 or 12 of 87 types, scheduling alone (AMD Zen 4); 51 to 38
// instructions an event with predicates on 5 of them. Inputs of other kinds among the rows leave no gain: a processor predicts
// the order of kinds worse where rows between them are left out.
struct SubscribedRows {
  /// A bit for each type, by the remainder of its number by 256.
  typealias TypeSet = InlineArray<8, UInt32>

  /// Whether at most a quarter of the 64 rows looked at last were found: it takes less to count those than to count all, four at
  /// a time.
  private(set) var areFew = false
  /// The types to which somebody subscribes. As two types may share a bit, rows of one without subscriptions may be found.
  private var subscribed = TypeSet(repeating: 0)
  /// Those of the 64 rows before `bitsEnd` that were found.
  private var bits: UInt64 = 0
  private var bitsEnd = 0
  /// The row behind the last one.
  private let end: Int

  /// Fewer rows are not worth the time to make the set of types.
  static let enoughRows = 512
  /// After so many rows of which none was more than a count, all are counted.
  static let mostQuietRows = 128

  /// For a batch of at least ``enoughRows``; nil if not enough of them are of other types, or the types with subscriptions have
  /// so high numbers that to make the set takes too long.
  init?(
    _ coalescer: inout Coalescer, _ columns: borrowing RowColumns, rows: Range<Int>,
    _ path: ProcessorPath
  ) {
    end = rows.upperBound
    let count = coalescer.rosters.count
    guard 8 &* count <= rows.count else { return nil }
    for type in 0..<count where coalescer.rosters[type].count > 0 {
      subscribed[type >> 5 & 7] |= 1 &<< UInt32(type & 31)
    }
    var found = 0
    for group in 0..<4 {
      let first = rows.lowerBound &+ group &* (rows.count / 4)
      found &+= columns.find(subscribed, rows: first..<first &+ 64, path).nonzeroBitCount
    }
    // At most three quarters of the rows of these four groups.
    guard found <= 192 else { return nil }
  }

  /// The first row, from `row` on, to whose type somebody subscribes; the end of the batch, or a row behind that, if there is
  /// none.
  @inline(__always)
  mutating func next(from row: Int, in columns: borrowing RowColumns, _ path: ProcessorPath) -> Int
  {
    var row = row
    while true {
      if row < bitsEnd {
        let left = bits &>> UInt64(row & 63)
        if left != 0 { return row &+ left.trailingZeroBitCount }
        row = bitsEnd
      }
      guard row < end else { return row }
      find(from: row, in: columns, path)
    }
  }

  /// Looks at the 64 rows among which one is.
  @inline(never)
  private mutating func find(
    from row: Int, in columns: borrowing RowColumns, _ path: ProcessorPath
  ) {
    let first = row & ~63
    bitsEnd = first &+ 64
    bits = columns.find(subscribed, rows: first..<min(bitsEnd, end), path)
    areFew = bits.nonzeroBitCount <= 16
  }
}

extension RowColumns {
  /// Which of at most 64 rows are of a set of types.
  fileprivate func find(
    _ set: SubscribedRows.TypeSet, rows: Range<Int>, _ path: ProcessorPath
  ) -> UInt64 {
    unsafe set.span.withUnsafeBufferPointer { set in
      unsafe types.span.extracting(rows).withUnsafeBufferPointer { types in
        unsafe kernels_find_rows(
          path.kernelsPath, types.baseAddress, types.count, set.baseAddress)
      }
    }
  }
}

extension SchedulerCore {
  /// Takes the rest of a batch of saves and deletes in time order, at least ``SubscribedRows/enoughRows``, the first of which may
  /// be more than a count.
  ///
  /// - Returns: False, without having taken any, if not enough rows can be skipped.
  @inline(never)
  mutating func takeSubscribed(
    _ columns: borrowing RowColumns, rows: Range<Int>, _ lanes: inout TypeLanes, hasDeletes: Bool,
    _ hasher: inout WakeHasher, _ listener: WakeListener
  ) -> Bool {
    guard accelerations.contains(.subscribedRows),
      var found = SubscribedRows(&coalescer, columns, rows: rows, hasher.path)
    else { return false }
    var row = rows.lowerBound
    var early = EarlyRows(of: rows)
    while true {
      row = takeFound(columns, rows: row..<rows.upperBound, &found, &hasher, listener)
      guard row < rows.upperBound else { return true }
      row = countQuiet(
        columns, rows: row..<rows.upperBound, &early, &lanes, hasDeletes: hasDeletes, hasher.path)
      guard row < rows.upperBound else { return true }
    }
  }

  /// ``takeSparsely(_:rows:quietRows:_:_:)``, of the rows that are found. A loop of its own: one loop for both took 1 to 2 % more
  /// instructions a wake where no rows are skipped (`coalescer/busy/10`).
  @inline(__always)
  private mutating func takeFound(
    _ columns: borrowing RowColumns, rows: Range<Int>, _ found: inout SubscribedRows,
    _ hasher: inout WakeHasher, _ listener: WakeListener
  ) -> Int {
    let times = unsafe columns.times.span
    let types = unsafe columns.types.span
    var row = rows.lowerBound
    // The row behind the last one that was not skipped.
    var taken = row
    var quiet = 0
    // The row behind the last one that was more than a count, or before which a timer was due.
    var quietStart = row
    var leastTaken = Attention()
    repeat {
      // Unchecked: no row is beyond the columns, and every type has a count (``Attention/unknown``).
      let time = unsafe times[unchecked: row]
      let type = Int(unsafe types[unchecked: row])
      if timers.mayBeDue(by: time) {
        advancePresent(to: time, &hasher, listener)
        (quiet, quietStart) = (0, row)
      }
      let attention = coalescer.typeCounts[type].attention
      if attention.isNone {
        coalescer.typeCounts[type].first &+= 1
        quiet &+= 1
        let isDense = quiet >= Self.fewQuietRows && !found.areFew
        if isDense || row &- quietStart >= SubscribedRows.mostQuietRows { return row &+ 1 }
      } else {
        if attention.isBelow(leastTaken) { return row }
        if type >= coalescer.knownTypes {
          reserveTypes(type + 1)
          continue
        }
        present = time
        coalescer.typeCounts[type].first &+= 1
        deliver(columns, row: row, ofType: type, isInRun: true, &hasher, listener)
        leastTaken = .observed
        (quiet, quietStart) = (0, row &+ 1)
      }
      taken = row &+ 1
      row = found.next(from: taken, in: columns, hasher.path)
    } while row < rows.upperBound
    if taken < rows.upperBound {
      advancePresent(to: columns.time(at: rows.upperBound &- 1), &hasher, listener)
    }
    return rows.upperBound
  }
}
