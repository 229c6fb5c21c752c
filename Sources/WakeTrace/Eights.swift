import CExpansion

/// Goes through the integers of a column two eights at a time, on processors that can.
///
/// Unsafe inside, as it runs for every event of a trace.
@safe struct Eights {
  /// Whether this processor can.
  static var areSupported: Bool { expansion_is_supported() }
  /// The most bits of a mantissa.
  static let maximumBits = Int(EXPANSION_MOST_BITS)
  /// Bytes behind symbols, and behind mantissas, that may be loaded though they are never used.
  static let padding = Int(EXPANSION_PADDING)

  private var column: expansion_column

  /// - Precondition: ``padding`` bytes behind its symbols and mantissas may be read.
  init(column: expansion_column) {
    unsafe self.column = column
  }

  /// Whether all mantissas were taken, and no more.
  var isAtEnd: Bool { unsafe (column.bit + 7) / 8 == column.end / 8 }

  /// Adds the integers of rows, in `unit`, to `time`, one by one, and writes each sum; false if mantissas run
  /// out.
  ///
  /// - Precondition: The rows are the column's, and follow those before.
  mutating func expandTimes(
    _ rows: Range<Int>, from time: Int64, unit: Int64, into times: UnsafeMutablePointer<Int64>
  ) -> Bool {
    unsafe expansion_write_times(
      &column, rows.lowerBound, rows.count, unit, time, times + rows.lowerBound)
  }

  /// Writes what rows say whose integers are places of marks; false if mantissas run out, or for a mark that
  /// there is not.
  ///
  /// - Parameter home: The home source of their run.
  /// - Precondition: The rows are the column's, and follow those before.
  mutating func expandMarks(
    _ rows: Range<Int>, _ marks: expansion_marks, home: UInt32, into columns: expansion_rows
  ) -> Bool {
    unsafe expansion_write_marks(&column, rows.lowerBound, rows.count, marks, home, columns)
  }
}
