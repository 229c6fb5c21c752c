import WakeEvents

// Part of the acceleration `rowBatches` (`RowBatches.swift`): batches of inputs of all kinds in time order, in which runs of
// saves and deletes are long enough to be taken four at a time. Tests: DifferentialTests, LongRowsTests.
// Gain: 258 to 221 instructions an input in random mix 8 of `Benchmarks/mixes.py`, 282 to 249 in mix 16, 200 to 196 in mix 2.
extension SchedulerCore {
  /// So many saves and deletes in a row are taken together.
  private static let fewRows = 8

  /// Takes inputs of all kinds in time order, none of them late.
  @inline(never)
  mutating func countMixed(
    _ columns: borrowing RowColumns, rows: Range<Int>, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    // Rows before `row` from here on are not taken yet.
    var start = rows.lowerBound
    var row = start
    while row < rows.upperBound {
      let end = Self.firstOther(of: columns, in: row..<rows.upperBound)
      if end &- row >= Self.fewRows,
        unsafe Self.areAll(
          columns.types.span.extracting(row..<end), below: UInt32(coalescer.typeCounts.count))
      {
        if start < row { countUnordered(columns, rows: start..<row, &hasher, listener) }
        let orderliness = Orderliness(typeEnd: coalescer.knownTypes, hasDeletes: true)
        countOrdered(columns, rows: row..<end, orderliness, &hasher, listener)
        start = end
      }
      row = end &+ 1
    }
    if start < rows.upperBound {
      countUnordered(columns, rows: start..<rows.upperBound, &hasher, listener)
    }
  }

  /// The first row that is neither save nor delete, or the rows' end.
  private static func firstOther(of columns: borrowing RowColumns, in rows: Range<Int>) -> Int {
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
