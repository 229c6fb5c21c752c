import WakeEvents

/// Steps and marks in columns of their own, read into rows in one pass.
struct SplitRows {
  private var steps = IntegerColumnReader()
  private var ranks = IntegerColumnReader()
  private var unit: Int64 = 1

  /// Between what all steps lie; nil if they wrap around.
  var stepBounds: ClosedRange<Int64>? { TimeSteps.bounds(steps.bounds, unit: unit) }

  /// Reads both columns.
  mutating func read(
    steps stepReader: inout ByteReader, subjects rankReader: inout ByteReader, payload: [UInt8],
    count: Int
  ) throws(BlockError) {
    unit = try TimeSteps.readUnit(&stepReader)
    try steps.read(&stepReader, payload: payload, count: count)
    try stepReader.expectEnd()
    try ranks.read(&rankReader, payload: payload, count: count)
    try rankReader.expectEnd()
  }

  func expand(
    _ payload: [UInt8], _ marks: DecodedMarks, runs: LocatedRuns, sources: Bool,
    into columns: inout InputColumns
  ) throws(BlockError) {
    guard expandTimes(payload, runs, &columns.times),
      sources
        ? expandMarksAndSources(payload, marks, runs, &columns)
        : unsafe expandMarks(payload, marks, runs, &columns, { _, _, _, _, _ in })
    else {
      throw .malformed("block has other mantissas than it lists, or names a mark it does not list")
    }
  }

  /// False if mantissas run out or are left.
  private func expandTimes(
    _ payload: [UInt8], _ runs: LocatedRuns, _ times: inout [Int64]
  ) -> Bool {
    unsafe times.withUnsafeMutableBufferPointer { buffer in
      guard let times = buffer.baseAddress else { return false }
      return steps.withCursor(payload) { steps in
        let unit = unit
        for (run, origin) in runs {
          // The first event of a run stands at its origin; its step, 0, adds nothing.
          var time = origin.time
          let isWhole = steps.forEach(run.rows) { row, step in
            time &+= step &* unit
            unsafe times[row] = time
            return true
          }
          guard isWhole else { return false }
        }
        return steps.isAtEnd
      }
    }
  }

  private func expandMarksAndSources(
    _ payload: [UInt8], _ marks: DecodedMarks, _ runs: LocatedRuns, _ columns: inout InputColumns
  ) -> Bool {
    unsafe expandMarks(payload, marks, runs, &columns) { rows, row, marks, mark, home in
      let source = unsafe marks.sources[mark]
      unsafe rows.sources[row] = source == DecodedMarks.home ? home : source
    }
  }

  /// False if mantissas run out or are left, or for a mark that there is not.
  ///
  /// - Parameter setSource: Sets the source of a row from that of a mark, or from the run's home source.
  @inline(__always)
  private func expandMarks(
    _ payload: [UInt8], _ marks: DecodedMarks, _ runs: LocatedRuns, _ columns: inout InputColumns,
    _ setSource: (
      InputColumns.UnsafeRows, _ row: Int, DecodedMarks.UnsafeMarks, _ mark: Int, _ home: UInt32
    ) -> Void
  ) -> Bool {
    unsafe marks.withUnsafeMarks { marks in
      unsafe columns.withUnsafeRows { rows in
        ranks.withCursor(payload) { ranks in
          let count = unsafe UInt64(marks.count)
          for (run, origin) in runs {
            let home = origin.homeSource
            let isWhole = ranks.forEach(run.rows) { row, rank in
              let rank = UInt64(bitPattern: rank)
              guard rank < count else { return false }
              let mark = Int(truncatingIfNeeded: rank)
              unsafe rows.kinds[row] = marks.kinds[mark]
              unsafe rows.types[row] = marks.types[mark]
              unsafe setSource(rows, row, marks, mark, home)
              return true
            }
            guard isWhole else { return false }
          }
          return ranks.isAtEnd
        }
      }
    }
  }
}

extension DecodedMarks {
  /// The marks' memory.
  @unsafe fileprivate struct UnsafeMarks {
    var kinds: UnsafePointer<UInt8>
    var types: UnsafePointer<UInt32>
    var sources: UnsafePointer<UInt32>
    var count: Int
  }

  /// False where there are none.
  @inline(__always)
  fileprivate func withUnsafeMarks(_ body: (UnsafeMarks) -> Bool) -> Bool {
    unsafe kinds.withUnsafeBufferPointer { kinds in
      unsafe types.withUnsafeBufferPointer { types in
        unsafe sources.withUnsafeBufferPointer { sources in
          guard let kinds = kinds.baseAddress, let types = types.baseAddress,
            let sources = sources.baseAddress
          else { return false }
          return unsafe body(
            UnsafeMarks(kinds: kinds, types: types, sources: sources, count: count))
        }
      }
    }
  }
}

extension InputColumns {
  /// The columns' memory, which must not be used beyond ``InputColumns/count``.
  @unsafe fileprivate struct UnsafeRows {
    var kinds: UnsafeMutablePointer<UInt8>
    var types: UnsafeMutablePointer<UInt32>
    var sources: UnsafeMutablePointer<UInt32>
  }

  /// Lets `body` fill in columns of one length, which is not 0; false where they have none.
  @inline(__always)
  fileprivate mutating func withUnsafeRows(_ body: (UnsafeRows) -> Bool) -> Bool {
    unsafe kinds.withUnsafeMutableBufferPointer { kinds in
      unsafe types.withUnsafeMutableBufferPointer { types in
        unsafe sources.withUnsafeMutableBufferPointer { sources in
          guard let kinds = kinds.baseAddress, let types = types.baseAddress,
            let sources = sources.baseAddress
          else { return false }
          return unsafe body(UnsafeRows(kinds: kinds, types: types, sources: sources))
        }
      }
    }
  }
}
