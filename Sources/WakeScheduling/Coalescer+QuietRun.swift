import WakeEvents

// The innermost loop of the scheduler.
extension Coalescer {
  /// A run of saves and deletes that changed nothing but tallies.
  struct QuietRun {
    /// The row after the last of them.
    var end: Int
    /// The effective time of the last of them.
    var present: Int64
    var deletes: Int
    var late: Int
  }

  /// Counts saves and deletes up to the first row that is more than a count: another kind of input, a
  /// type with attentive subscriptions, or a time at which something is due.
  ///
  /// - Complexity: O(rows), about a nanosecond each; allocates nothing.
  mutating func countQuiet(
    _ columns: borrowing InputColumns, rows: Range<Int>, from start: Int64, until nextDue: Int64
  ) -> QuietRun {
    let times = columns.times.span
    let kinds = columns.kinds.span
    let types = columns.types.span
    var tallies = tallies.mutableSpan
    var run = QuietRun(end: rows.lowerBound, present: start, deletes: 0, late: 0)
    while run.end < rows.upperBound {
      let time = times[run.end]
      let kind = kinds[run.end]
      let effective = max(time, run.present)
      guard effective < nextDue, kind <= InputKind.delete.rawValue else { break }
      let type = Int(types[run.end])
      guard tallies[type].attention == 0 else { break }
      tallies[type].count &+= 1
      run.deletes &+= Int(kind)
      if time < effective { run.late &+= 1 }
      run.present = effective
      run.end &+= 1
    }
    return run
  }
}
