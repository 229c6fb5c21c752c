// Part of the acceleration `rowBatches`.
// Tests: DifferentialTests, LongRowsTests.
// Gain: 1.02 times on fitbit hourly, where a replay measures the latency of one row of 872 (AMD Zen 3).

/// How far rows in time order are before the next timer.
///
/// Whoever takes the rows in parts, as to measure some of them, keeps it from part to part. Then the first row that is not
/// before the next timer is searched for when that timer changes, and not again for each part. Parts of few rows
/// (``SchedulerCore/shortRun``) ask the timers at each row instead.
package struct EarlyRows {
  /// All rows of which parts are taken. They are in time order if the scheduler is told their ``Orderliness``, and this is used
  /// only then.
  let rows: Range<Int>
  /// The rows before it are earlier than `due`.
  private var firstLater: Int
  private var due = Int64.min

  /// - Parameter rows: All rows of which parts are taken: those of one ``Orderliness``.
  @inline(__always)
  package init(of rows: Range<Int>) {
    self.rows = rows
    firstLater = rows.lowerBound
  }

  /// The first row, from `row` on, that is not before the next timer, or the end of the rows.
  @inline(__always)
  mutating func end(
    from row: Int, of columns: borrowing RowColumns, notBefore nextDue: Int64
  ) -> Int {
    guard nextDue != due else { return firstLater }
    let start = nextDue > due ? max(row, firstLater) : row
    due = nextDue
    firstLater = SchedulerCore.firstRow(
      of: columns, in: start..<rows.upperBound, notBefore: nextDue)
    return firstLater
  }
}
