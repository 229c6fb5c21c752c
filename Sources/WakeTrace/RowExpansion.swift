import WakeEvents

// From what a block stores for its events to the columns of a batch: the loops that run for every event
// of a trace that is read. They go run by run over spans of one length, so that no index needs a check.

/// The runs of a block and where each begins.
typealias LocatedRuns = Zip2Sequence<[DeviceRun], [RunOrigin]>

/// Step and mark of each event in one byte (``FusedWords``), looked up.
struct FusedWordReader {
  private struct Word {
    var step: Int64 = 0
    var subject = DecodedMarks.Subject()
  }

  /// Between what all steps lie; nil if they wrap around.
  private(set) var stepBounds: ClosedRange<Int64>?

  /// As long as any byte could be, so that a lookup needs no check.
  private var words = InlineArray<256, Word>(repeating: Word())
  private var kinds = [UInt8](repeating: 0, count: 256)
  private var wordCount = 0
  private let onlyKind: UInt8?
  private var bytes = 0..<0

  init(
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
      words[word].subject = marks.subjects[mark]
      kinds[word] = marks.kinds[mark]
    }
    stepBounds = TimeSteps.bounds(bounds, unit: unit)
    bytes = try reader.readBytes(count)
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
      types[row] = word.subject.type
      let source = word.subject.source
      sources[row] = source == DecodedMarks.Subject.home ? origin.homeSource : source
    }
    return highest
  }
}

/// Steps and marks in columns of their own.
struct SplitRows {
  let steps: [Int64]
  let ranks: [Int64]
  let unit: Int64

  func expand(
    _ marks: DecodedMarks, runs: LocatedRuns, into columns: inout InputColumns
  ) throws(BlockError) {
    let onlyKind = marks.onlyKind
    for (run, origin) in runs {
      try expand(
        marks.subjects.span, origin, run.rows, &columns.times, &columns.types, &columns.sources)
      let ranks = ranks.span.extracting(run.rows)
      columns.setKinds(run.rows, to: onlyKind) { marks.kinds[Int(ranks[$0])] }
    }
  }

  /// Expands a run; its ranks are good where this does not throw.
  private func expand(
    _ subjects: Span<DecodedMarks.Subject>, _ origin: RunOrigin, _ rows: Range<Int>,
    _ outTimes: inout [Int64], _ outTypes: inout [UInt32], _ outSources: inout [UInt32]
  ) throws(BlockError) {
    let steps = steps.span.extracting(rows)
    let ranks = ranks.span.extracting(rows)
    var allTimes = outTimes.mutableSpan
    var allTypes = outTypes.mutableSpan
    var allSources = outSources.mutableSpan
    var times = allTimes._mutatingExtracting(rows)
    var types = allTypes._mutatingExtracting(rows)
    var sources = allSources._mutatingExtracting(rows)
    var time = origin.time
    for row in steps.indices {
      let rank = Int(ranks[row])
      guard rank >= 0, rank < subjects.count else {
        throw .malformed("block names a mark it does not list")
      }
      time &+= steps[row] &* unit
      times[row] = time
      let subject = subjects[rank]
      types[row] = subject.type
      let source = subject.source
      sources[row] = source == DecodedMarks.Subject.home ? origin.homeSource : source
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
}
