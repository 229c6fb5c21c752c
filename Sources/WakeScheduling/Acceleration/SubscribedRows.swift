import CKernels
import Kernels

// Acceleration `subscribedRows`.
//
// Rule: 5.1, saves and deletes of types to which no app subscribes: they change nothing.
// Plain: each row is looked at, and the count of its type says that nobody observes it.
// Here: a kernel finds those of 64 rows to whose types somebody subscribes, and the others are not looked at. What is due by their
// times happens before the next row that is, or at the end.
// Condition: that of `sparseRows`; at least 512 saves and deletes in time order; some known types have no subscription, and a
// quarter of the rows, by a sample, are of these.
// Tests: DifferentialTests, SubscribedRowsTests, OtherKernelTests.
// Gain: 1.2 to 1.5 times on the first 300,000 events of azure with 5 or 12 of 87 types, scheduling alone (AMD Zen 4); 51 to 38
// instructions an event with predicates on 5 of them. Rows of mixed kinds gain nothing: which of them comes next is predicted
// worse than that of a pattern.
struct SubscribedRows {
  /// Whether so few are found that to count those takes less than to count all, four at a time.
  private(set) var areFew = false
  /// Whether many rows can be counted in lanes, which takes less than to find a few.
  private let canCountAll: Bool
  /// The types to which somebody subscribes, as the kernel takes them.
  private var types = InlineArray<8, UInt32>(repeating: 0)
  /// Those of the 64 rows before `bitsEnd` that were found.
  private var bits: UInt64 = 0
  private var bitsEnd = 0
  /// The row behind the last one.
  private let end: Int

  /// Fewer rows are not worth the time to make the set of types.
  static let enoughRows = 512
  /// The set is made of so many types at most.
  private static let mostTypes = 1_024

  /// For a batch of at least ``enoughRows``; nil if not enough of them are of other types.
  init?(
    _ coalescer: inout Coalescer, _ columns: borrowing RowColumns, rows: Range<Int>,
    canCountAll: Bool, _ path: ProcessorPath
  ) {
    self.canCountAll = canCountAll
    end = rows.upperBound
    let count = coalescer.rosters.count
    guard count <= Self.mostTypes else { return nil }
    for type in 0..<count where coalescer.rosters[type].count > 0 {
      types[type >> 5 & 7] |= 1 &<< UInt32(type & 31)
    }
    // A quarter of four groups of 64 rows.
    var found = 0
    for group in 0..<4 {
      let first = rows.lowerBound &+ group &* (rows.count / 4)
      found &+= columns.find(types, rows: first..<first &+ 64, path).nonzeroBitCount
    }
    guard found <= 192 else { return nil }
  }

  /// The first row not before another one to whose type somebody subscribes; the end of the batch, or a row behind that, if
  /// there is none.
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
    bits = columns.find(types, rows: first..<min(bitsEnd, end), path)
    areFew = bits.nonzeroBitCount <= (canCountAll ? 8 : 16)
  }
}

extension RowColumns {
  /// Which of at most 64 rows are of a set of types.
  fileprivate func find(
    _ set: InlineArray<8, UInt32>, rows: Range<Int>, _ path: ProcessorPath
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
  mutating func takeFound(
    _ columns: borrowing RowColumns, rows: Range<Int>, _ lanes: inout TypeLanes, hasDeletes: Bool,
    _ hasher: inout WakeHasher, _ listener: WakeListener
  ) -> Bool {
    guard accelerations.contains(.subscribedRows),
      var found = SubscribedRows(
        &coalescer, columns, rows: rows, canCountAll: lanes.firstRows > 0, hasher.path)
    else { return false }
    var row = rows.lowerBound
    var early = EarlyRows(end: row)
    while true {
      row = takeFound(columns, rows: row..<rows.upperBound, &found, &hasher, listener)
      guard row < rows.upperBound else { return true }
      row = countQuiet(
        columns, rows: row..<rows.upperBound, &early, &lanes, hasDeletes: hasDeletes, hasher.path)
      guard row < rows.upperBound else { return true }
    }
  }

  /// ``takeSparsely(_:rows:_:_:)``, of the rows that are found.
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
    var leastTaken = Attention()
    repeat {
      // Unchecked: as there.
      let time = unsafe times[unchecked: row]
      let type = Int(unsafe types[unchecked: row])
      if timers.mayBeDue(by: time) {
        advancePresent(to: time, &hasher, listener)
        quiet = 0
      }
      let attention = coalescer.typeCounts[type].attention
      if attention.isNone {
        coalescer.typeCounts[type].first &+= 1
        quiet &+= 1
        if quiet >= Self.quietRows, !found.areFew { return row &+ 1 }
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
        quiet = 0
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
