import WakeEvents

/// Where the times of a run begin, and what its home source is.
struct RunOrigin {
  var time: Int64
  /// ``Source/index`` of what ``DecodedEventKeys/home`` stands for.
  var homeSource: UInt32
}

/// The runs of a block with their origins.
///
/// Columns are decoded as if a block were one run, as most calls of a kernel take as long for a few rows as for many;
/// times and sources are completed for each run afterwards.
struct LocatedRuns {
  // Loops over their rows are unchecked: these follow each other, and are as many as those of the block (`BlockHeader`).
  let runs: [DeviceRun]
  let origins: [RunOrigin]

  /// Where to begin to add up steps. A block of one run then needs no second pass.
  var firstTime: Int64 { origins.first?.time ?? 0 }

  /// Moves times that were added up over all runs, from ``firstTime`` on, to where their runs begin.
  ///
  /// The step of each run's first event is 0: the event is at the run's origin.
  func moveTimes(_ times: inout [Int64]) {
    var times = times.mutableSpan
    var sum = firstTime
    for (run, origin) in zip(runs, origins) where !run.rows.isEmpty {
      let shift = origin.time &- sum
      sum = times[run.rows.upperBound &- 1]
      if shift == 0 { continue }
      for row in run.rows { unsafe times[unchecked: row] &+= shift }
    }
  }

  /// Replaces ``DecodedEventKeys/home`` by each run's home source.
  func fillInHomes(_ sources: inout [UInt32]) {
    var sources = sources.mutableSpan
    for (run, origin) in zip(runs, origins) {
      let home = origin.homeSource
      for row in run.rows {
        let source = unsafe sources[unchecked: row]
        unsafe sources[unchecked: row] = source == DecodedEventKeys.home ? home : source
      }
    }
  }
}
