import CExpansion
import WakeEvents

/// Steps and marks in columns of their own, read into rows in one pass.
struct SplitRows {
  private var steps: IntegerColumnReader
  private var ranks: IntegerColumnReader
  private var unit: Int64 = 1

  /// - Parameter usesEights: Whether what the processor can do several rows at a time is done so.
  init(usesEights: Bool) {
    steps = IntegerColumnReader(usesEights: usesEights)
    ranks = IntegerColumnReader(usesEights: usesEights)
  }

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
      expandMarks(payload, marks, runs, sources: sources, &columns)
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
      if steps.areEights { return unsafe expandTimesByEights(payload, runs, times) }
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

  private func expandTimesByEights(
    _ payload: [UInt8], _ runs: LocatedRuns, _ times: UnsafeMutablePointer<Int64>
  ) -> Bool {
    steps.withEights(payload) { steps in
      for (run, origin) in runs {
        let isWhole = unsafe steps.expandTimes(
          run.rows, from: origin.time, unit: unit, into: times)
        guard isWhole else { return false }
      }
      return steps.isAtEnd
    }
  }

  /// Fills in what is wanted of marks; false if mantissas run out or are left, or for a mark that there
  /// is not.
  private func expandMarks(
    _ payload: [UInt8], _ marks: DecodedMarks, _ runs: LocatedRuns, sources: Bool,
    _ columns: inout InputColumns
  ) -> Bool {
    if ranks.areEights {
      return expandMarksByEights(payload, marks, runs, sources: sources, &columns)
    }
    if sources { return expandSubjectsAndSources(payload, marks, runs, &columns) }
    guard let onlyKind = marks.onlyKind else {
      return expandSubjects(payload, marks, runs, &columns)
    }
    columns.setKinds(to: onlyKind)
    return expandTypes(payload, marks, runs, &columns)
  }

  private func expandMarksByEights(
    _ payload: [UInt8], _ marks: DecodedMarks, _ runs: LocatedRuns, sources: Bool,
    _ columns: inout InputColumns
  ) -> Bool {
    unsafe marks.withUnsafeMarks { marks in
      unsafe columns.withUnsafeRows { rows in
        ranks.withEights(payload) { ranks in
          let marks = unsafe expansion_marks(
            subjects: marks.subjects, sources: marks.sources, count: marks.count)
          let rows = unsafe expansion_rows(
            types: rows.types, kinds: rows.kinds, sources: sources ? rows.sources : nil)
          for (run, origin) in runs {
            let isWhole = unsafe ranks.expandMarks(
              run.rows, marks, home: origin.homeSource, into: rows)
            guard isWhole else { return false }
          }
          return ranks.isAtEnd
        }
      }
    }
  }

  // Never inlined, so that each loop has the registers for itself.

  @inline(never)
  private func expandSubjectsAndSources(
    _ payload: [UInt8], _ marks: DecodedMarks, _ runs: LocatedRuns, _ columns: inout InputColumns
  ) -> Bool {
    unsafe forEachMark(payload, marks, runs, &columns) { rows, row, marks, mark, home in
      unsafe rows.kinds[row] = marks.subjects[mark].kind
      unsafe rows.types[row] = marks.subjects[mark].type
      let source = unsafe marks.sources[mark]
      unsafe rows.sources[row] = source == DecodedMarks.home ? home : source
    }
  }

  @inline(never)
  private func expandSubjects(
    _ payload: [UInt8], _ marks: DecodedMarks, _ runs: LocatedRuns, _ columns: inout InputColumns
  ) -> Bool {
    unsafe forEachMark(payload, marks, runs, &columns) { rows, row, marks, mark, _ in
      unsafe rows.kinds[row] = marks.subjects[mark].kind
      unsafe rows.types[row] = marks.subjects[mark].type
    }
  }

  @inline(never)
  private func expandTypes(
    _ payload: [UInt8], _ marks: DecodedMarks, _ runs: LocatedRuns, _ columns: inout InputColumns
  ) -> Bool {
    unsafe forEachMark(payload, marks, runs, &columns) { rows, row, marks, mark, _ in
      unsafe rows.types[row] = marks.subjects[mark].type
    }
  }

  /// Gives `body` each row, the place of its mark, and its run's home source.
  @inline(__always)
  private func forEachMark(
    _ payload: [UInt8], _ marks: DecodedMarks, _ runs: LocatedRuns, _ columns: inout InputColumns,
    _ body: (
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
              guard UInt64(bitPattern: rank) < count else { return false }
              unsafe body(rows, row, marks, Int(truncatingIfNeeded: rank), home)
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
    var subjects: UnsafePointer<Subject>
    var sources: UnsafePointer<UInt32>
    var count: Int
  }

  /// False where there are none.
  @inline(__always)
  fileprivate func withUnsafeMarks(_ body: (UnsafeMarks) -> Bool) -> Bool {
    unsafe subjects.withUnsafeBufferPointer { subjects in
      unsafe sources.withUnsafeBufferPointer { sources in
        guard let subjects = subjects.baseAddress, let sources = sources.baseAddress else {
          return false
        }
        return unsafe body(UnsafeMarks(subjects: subjects, sources: sources, count: count))
      }
    }
  }
}

extension InputColumns {
  /// Gives all rows one kind.
  fileprivate mutating func setKinds(to kind: UInt8) {
    var kinds = kinds.mutableSpan
    kinds.update(repeating: kind)
  }

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
