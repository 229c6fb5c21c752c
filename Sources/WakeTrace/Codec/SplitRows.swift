import CKernels
import Kernels
import WakeEvents

/// Decodes steps and keys that have a column each.
struct SplitRows {
  private var steps: IntegerColumnReader
  private var ranks: IntegerColumnReader
  private var unit: Int64 = 1

  init(path: ProcessorPath) {
    steps = IntegerColumnReader(path: path)
    ranks = IntegerColumnReader(path: path)
  }

  /// The range of all steps; nil on overflow.
  var stepBounds: ClosedRange<Int64>? { TimeSteps.bounds(steps.bounds, unit: unit) }

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

  /// Fills in times, kinds and types, and sources if there is a column of them.
  func expand(
    _ payload: [UInt8], _ keys: DecodedEventKeys, runs: LocatedRuns,
    into columns: inout InputColumns
  ) throws(BlockError) {
    guard expandTimes(payload, from: runs.firstTime, &columns.times),
      expandKeys(payload, keys, &columns)
    else {
      throw .malformed(
        "block has too few or too many mantissas, or refers to a key beyond its list")
    }
    runs.moveTimes(&columns.times)
    if !columns.sources.isEmpty { runs.fillInHomes(&columns.sources) }
  }

  /// Adds up all steps, from `first` on; false if mantissas run out or remain.
  private func expandTimes(_ payload: [UInt8], from first: Int64, _ times: inout [Int64]) -> Bool {
    let count = times.count
    return unsafe times.withUnsafeMutableBufferPointer { buffer in
      guard let times = buffer.baseAddress else { return false }
      if steps.usesSIMD {
        return unsafe steps.withSIMDColumn(payload) { column in
          unsafe kernels_expand_times(
            steps.path.kernelsPath, column, count, unit, first, times)
        }
      }
      return steps.withCursor(payload) { steps in
        let unit = unit
        var time = first
        return steps.forEach(0..<count) { row, step in
          time &+= step &* unit
          unsafe times[row] = time
          return true
        }
      }
    }
  }

  /// Fills in kinds and types, and sources or ``DecodedEventKeys/home`` if there is a column of them; false if mantissas run
  /// out or remain, or for an unknown key.
  private func expandKeys(
    _ payload: [UInt8], _ keys: DecodedEventKeys, _ columns: inout InputColumns
  ) -> Bool {
    if ranks.usesSIMD {
      return expandKeysBySIMD(payload, keys, &columns)
    }
    guard columns.sources.isEmpty else {
      return expandSubjectsAndSources(payload, keys, &columns)
    }
    guard let onlyKind = keys.onlyKind else {
      return expandSubjects(payload, keys, &columns)
    }
    do {
      var kinds = columns.kinds.mutableSpan
      kinds.update(repeating: onlyKind)
    }
    return expandTypes(payload, keys, &columns)
  }

  private func expandKeysBySIMD(
    _ payload: [UInt8], _ keys: DecodedEventKeys, _ columns: inout InputColumns
  ) -> Bool {
    let count = columns.count
    return unsafe keys.withUnsafeKeys { keys in
      unsafe columns.withUnsafeRows { rows in
        unsafe ranks.withSIMDColumn(payload) { ranks in
          let keys = unsafe kernels_event_keys(
            subjects: keys.subjects, sources: keys.sources, count: keys.count)
          let rows = unsafe kernels_rows(
            types: rows.types, kinds: rows.kinds, sources: rows.sources)
          return unsafe kernels_expand_keys(
            self.ranks.path.kernelsPath, ranks, count, keys, rows)
        }
      }
    }
  }

  // Not inlined, so that each loop has all registers.

  @inline(never)
  private func expandSubjectsAndSources(
    _ payload: [UInt8], _ keys: DecodedEventKeys, _ columns: inout InputColumns
  ) -> Bool {
    unsafe forEachPart(payload, keys, &columns) { rows, first, keys, part in
      unsafe Self.lookUpSubjects(of: part, keys, rows, from: first)
      guard let sources = unsafe rows.sources else { return }
      for place in part.indices {
        unsafe sources[first &+ place] = keys.sources[Int(part[place])]
      }
    }
  }

  @inline(never)
  private func expandSubjects(
    _ payload: [UInt8], _ keys: DecodedEventKeys, _ columns: inout InputColumns
  ) -> Bool {
    unsafe forEachPart(payload, keys, &columns) { rows, first, keys, part in
      unsafe Self.lookUpSubjects(of: part, keys, rows, from: first)
    }
  }

  @inline(never)
  private func expandTypes(
    _ payload: [UInt8], _ keys: DecodedEventKeys, _ columns: inout InputColumns
  ) -> Bool {
    unsafe forEachPart(payload, keys, &columns) { rows, first, keys, part in
      for place in part.indices {
        unsafe rows.types[first &+ place] = keys.subjects[Int(part[place])].type
      }
    }
  }

  /// Writes types and kinds of four rows at a time: stores to two cache lines in turn take longer.
  @inline(__always)
  private static func lookUpSubjects(
    of part: UnsafeBufferPointer<UInt32>, _ keys: DecodedEventKeys.UnsafeKeys,
    _ rows: InputColumns.UnsafeRows, from first: Int
  ) {
    let subjects = unsafe keys.subjects
    let types = unsafe UnsafeMutableRawPointer(rows.types + first)
    let kinds = unsafe UnsafeMutableRawPointer(rows.kinds + first)
    var place = 0
    while place &+ 4 <= part.count {
      let one = unsafe subjects[Int(part[place])]
      let two = unsafe subjects[Int(part[place &+ 1])]
      let three = unsafe subjects[Int(part[place &+ 2])]
      let four = unsafe subjects[Int(part[place &+ 3])]
      unsafe types.storeBytes(
        of: SIMD4(one.type, two.type, three.type, four.type), toByteOffset: 4 &* place,
        as: SIMD4<UInt32>.self)
      let kindsOfFour =
        UInt32(one.kind) | UInt32(two.kind) &<< 8 | UInt32(three.kind) &<< 16
        | UInt32(four.kind) &<< 24
      unsafe kinds.storeBytes(of: kindsOfFour.littleEndian, toByteOffset: place, as: UInt32.self)
      place &+= 4
    }
    while place < part.count {
      let subject = unsafe subjects[Int(part[place])]
      unsafe rows.types[first &+ place] = subject.type
      unsafe rows.kinds[first &+ place] = subject.kind
      place &+= 1
    }
  }

  /// Rows whose keys are decoded before any of them is looked up.
  private static let rowsOfPart = 512

  /// Reads the indices of keys of rows, which fit `part`; false if mantissas run out, or for an unknown key.
  @inline(__always)
  private static func read(
    _ rows: Range<Int>, of ranks: inout IntegerColumnReader.Cursor, below count: UInt64,
    into part: UnsafeMutableBufferPointer<UInt32>
  ) -> Bool {
    ranks.forEach(rows) { row, rank in
      guard UInt64(bitPattern: rank) < count else { return false }
      unsafe part[row &- rows.lowerBound] = UInt32(truncatingIfNeeded: rank)
      return true
    }
  }

  /// Calls `body` with the indices of keys, part by part, and the row of the first.
  @inline(__always)
  private func forEachPart(
    _ payload: [UInt8], _ keys: DecodedEventKeys, _ columns: inout InputColumns,
    _ body: (
      InputColumns.UnsafeRows, _ first: Int, DecodedEventKeys.UnsafeKeys,
      _ part: UnsafeBufferPointer<UInt32>
    ) -> Void
  ) -> Bool {
    let rowCount = columns.count
    return unsafe keys.withUnsafeKeys { keys in
      unsafe columns.withUnsafeRows { rows in
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.rowsOfPart) { part in
          ranks.withCursor(payload) { ranks in
            let count = unsafe UInt64(keys.count)
            var first = 0
            while first < rowCount {
              let end = min(first &+ Self.rowsOfPart, rowCount)
              guard unsafe Self.read(first..<end, of: &ranks, below: count, into: part) else {
                return false
              }
              unsafe body(rows, first, keys, UnsafeBufferPointer(rebasing: part[..<(end &- first)]))
              first = end
            }
            return true
          }
        }
      }
    }
  }
}

extension DecodedEventKeys {
  @unsafe fileprivate struct UnsafeKeys {
    var subjects: UnsafePointer<Subject>
    var sources: UnsafePointer<UInt32>
    var count: Int
  }

  /// False where there are none.
  @inline(__always)
  fileprivate func withUnsafeKeys(_ body: (UnsafeKeys) -> Bool) -> Bool {
    unsafe subjects.withUnsafeBufferPointer { subjects in
      unsafe sources.withUnsafeBufferPointer { sources in
        guard let subjects = subjects.baseAddress, let sources = sources.baseAddress else {
          return false
        }
        return unsafe body(UnsafeKeys(subjects: subjects, sources: sources, count: count))
      }
    }
  }
}

extension InputColumns {
  /// Pointers to the columns, valid up to ``InputColumns/count``.
  @unsafe fileprivate struct UnsafeRows {
    var kinds: UnsafeMutablePointer<UInt8>
    var types: UnsafeMutablePointer<UInt32>
    /// Nil if there are none.
    var sources: UnsafeMutablePointer<UInt32>?
  }

  @inline(__always)
  fileprivate mutating func withUnsafeRows(_ body: (UnsafeRows) -> Bool) -> Bool {
    unsafe kinds.withUnsafeMutableBufferPointer { kinds in
      unsafe types.withUnsafeMutableBufferPointer { types in
        unsafe sources.withUnsafeMutableBufferPointer { sources in
          guard let kinds = kinds.baseAddress, let types = types.baseAddress else { return false }
          return unsafe body(
            UnsafeRows(
              kinds: kinds, types: types, sources: sources.isEmpty ? nil : sources.baseAddress))
        }
      }
    }
  }
}
