import WakeEvents

// From what a block stores for its events to the columns of a batch: the loops that run for every event
// of a trace that is read. They go run by run over spans of one length, so that no index needs a check.

/// The runs of a block and where each begins.
typealias LocatedRuns = Zip2Sequence<[DeviceRun], [RunOrigin]>

/// Step and mark of each event in one byte (``FusedWords``), looked up.
struct FusedWordReader {
  private struct Word {
    var step: Int64 = 0
    var type: UInt32 = 0
    var source: UInt32 = 0
  }

  /// Between what all steps lie; nil if they wrap around.
  private(set) var stepBounds: ClosedRange<Int64>?

  /// As long as any byte could be, so that a lookup needs no check.
  private var words = InlineArray<256, Word>(repeating: Word())
  private var kinds = [UInt8](repeating: 0, count: 256)
  private var wordCount = 0
  private var onlyKind: UInt8?
  private var bytes = 0..<0

  /// Reads the column in place of the one before, all but the events' bytes.
  mutating func read(
    _ reader: inout ByteReader, marks: DecodedMarks, count: Int
  ) throws(BlockError) {
    onlyKind = marks.onlyKind
    let unit = try Self.readUnit(&reader)
    wordCount = Int(try reader.readByte()) + 1
    var bounds: ClosedRange<Int64> = 0...0
    for word in 0..<wordCount {
      let mark = try reader.readCount(upTo: marks.count, of: "marks")
      guard mark < marks.count else { throw .malformed("block names a mark it does not list") }
      let step = try reader.readZigzag()
      bounds = min(bounds.lowerBound, step)...max(bounds.upperBound, step)
      words[word].step = step &* unit
      words[word].type = marks.types[mark]
      words[word].source = marks.sources[mark]
      kinds[word] = marks.kinds[mark]
    }
    stepBounds = TimeSteps.bounds(bounds, unit: unit)
    bytes = try reader.readBytes(count)
    try reader.expectEnd()
  }

  static func readUnit(_ reader: inout ByteReader) throws(BlockError) -> Int64 {
    let unit = try reader.readVarint()
    guard unit > 0, unit <= UInt64(Int64.max) else { throw .malformed("block has no unit of time") }
    return Int64(unit)
  }

  func expand(
    _ payload: [UInt8], runs: LocatedRuns, into columns: inout InputColumns
  ) throws(BlockError) {
    var highest: UInt8 = 0
    for (run, origin) in runs {
      let bytes = payload.span.extracting(bytes).extracting(run.rows)
      highest = max(
        highest,
        expand(
          bytes, origin, run.rows, &columns.times, &columns.types, &columns.sources))
      columns.setKinds(run.rows, to: onlyKind) { kinds[Int(bytes[$0])] }
    }
    guard Int(highest) < wordCount else { throw .malformed("block has a word it does not list") }
  }

  /// Expands a run; returns the highest word met.
  private func expand(
    _ bytes: Span<UInt8>, _ origin: RunOrigin, _ rows: Range<Int>, _ outTimes: inout [Int64],
    _ outTypes: inout [UInt32], _ outSources: inout [UInt32]
  ) -> UInt8 {
    var allTimes = outTimes.mutableSpan
    var allTypes = outTypes.mutableSpan
    var allSources = outSources.mutableSpan
    var times = allTimes._mutatingExtracting(rows)
    var types = allTypes._mutatingExtracting(rows)
    var sources = allSources._mutatingExtracting(rows)
    let words = words.span
    var highest: UInt8 = 0
    // The first event of a run stands at its origin; its step, 0, adds nothing.
    var time = origin.time
    for row in bytes.indices {
      let byte = bytes[row]
      highest = max(highest, byte)
      let word = words[Int(byte)]
      time &+= word.step
      times[row] = time
      types[row] = word.type
      let source = word.source
      sources[row] = source == DecodedMarks.home ? origin.homeSource : source
    }
    return highest
  }
}

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
    unit = try FusedWordReader.readUnit(&stepReader)
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
  /// Sets the kinds of rows: all the same, or each as `kind` says of its place in the run.
  @inline(__always)
  fileprivate mutating func setKinds(
    _ rows: Range<Int>, to onlyKind: UInt8?, _ kind: (Int) -> UInt8
  ) {
    var allKinds = kinds.mutableSpan
    var kinds = allKinds._mutatingExtracting(rows)
    if let onlyKind {
      kinds.update(repeating: onlyKind)
    } else {
      for row in kinds.indices { kinds[row] = kind(row) }
    }
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
