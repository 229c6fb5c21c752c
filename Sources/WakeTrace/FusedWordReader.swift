import CExpansion
import WakeEvents

/// The runs of a block and where each begins.
typealias LocatedRuns = Zip2Sequence<[DeviceRun], [RunOrigin]>

/// Step and mark of each event in one byte (``FusedWords``), looked up.
struct FusedWordReader {
  /// Between what all steps lie; nil if they wrap around.
  private(set) var stepBounds: ClosedRange<Int64>?

  // What words stand for: as many as a byte tells apart, so that any may be looked up.
  private var steps = [Int64](repeating: 0, count: 256)
  private var types = [UInt32](repeating: 0, count: 256)
  private var sources = [UInt32](repeating: 0, count: 256)
  private var kinds = [UInt8](repeating: 0, count: 256)
  private var wordCount = 0
  private var onlyKind: UInt8?
  private var bytes = 0..<0
  /// Whether what the processor can do several rows at a time is done so.
  private let usesEights: Bool

  init(usesEights: Bool) {
    self.usesEights = usesEights
  }

  /// Reads the column in place of the one before, all but the events' bytes.
  mutating func read(
    _ reader: inout ByteReader, marks: DecodedMarks, count: Int
  ) throws(BlockError) {
    onlyKind = marks.onlyKind
    let unit = try TimeSteps.readUnit(&reader)
    wordCount = Int(try reader.readByte()) + 1
    var bounds: ClosedRange<Int64> = 0...0
    for word in 0..<wordCount {
      let mark = try reader.readCount(upTo: marks.count, of: "marks")
      guard mark < marks.count else { throw .malformed("block names a mark it does not list") }
      let step = try reader.readZigzag()
      bounds = min(bounds.lowerBound, step)...max(bounds.upperBound, step)
      steps[word] = step &* unit
      types[word] = marks.subjects[mark].type
      kinds[word] = marks.subjects[mark].kind
      sources[word] = marks.sources[mark]
    }
    stepBounds = TimeSteps.bounds(bounds, unit: unit)
    bytes = try reader.readBytes(count)
    try reader.expectEnd()
  }

  /// Fills in times, kinds and types, and sources if they are wanted.
  func expand(
    _ payload: [UInt8], runs: LocatedRuns, sources: Bool, into columns: inout InputColumns
  ) throws(BlockError) {
    let words = payload.span.extracting(bytes)
    var highest: UInt8 = 0
    for place in words.indices { highest = max(highest, words[place]) }
    guard Int(highest) < wordCount else { throw .malformed("block has a word it does not list") }
    if usesEights, wordCount <= Int(EXPANSION_MOST_WORDS) {
      expandTimesByEights(words, runs, &columns.times, &columns.types)
    } else {
      expandTimes(words, runs, &columns.times, &columns.types)
    }
    expandKinds(words, &columns.kinds)
    if sources { expandSources(words, runs, &columns.sources) }
  }

  // Unchecked, in the loops: each event has a word and a row, runs divide them, and each word has a place
  // in the tables.

  /// Fills in times and types.
  private func expandTimes(
    _ words: Span<UInt8>, _ runs: LocatedRuns, _ outTimes: inout [Int64], _ outTypes: inout [UInt32]
  ) {
    let (wordSteps, wordTypes) = (steps.span, types.span)
    var times = outTimes.mutableSpan
    var types = outTypes.mutableSpan
    for (run, origin) in runs {
      // The first event of a run stands at its origin; its step, 0, adds nothing.
      var time = origin.time
      for row in run.rows {
        let word = Int(unsafe words[unchecked: row])
        time &+= unsafe wordSteps[unchecked: word]
        unsafe times[unchecked: row] = time
        unsafe types[unchecked: row] = wordTypes[unchecked: word]
      }
    }
  }

  /// Fills in times and types.
  private func expandTimesByEights(
    _ words: Span<UInt8>, _ runs: LocatedRuns, _ times: inout [Int64], _ types: inout [UInt32]
  ) {
    unsafe times.withUnsafeMutableBufferPointer { times in
      unsafe types.withUnsafeMutableBufferPointer { types in
        unsafe words.withUnsafeBufferPointer { words in
          guard let times = times.baseAddress, let types = types.baseAddress,
            let words = words.baseAddress
          else { return }
          for (run, origin) in runs {
            let row = run.rows.lowerBound
            unsafe expansion_write_words(
              words + row, run.rows.count, wordCount, steps, self.types, origin.time, times + row,
              types + row)
          }
        }
      }
    }
  }

  private func expandKinds(_ words: Span<UInt8>, _ outKinds: inout [UInt8]) {
    let wordKinds = kinds.span
    var kinds = outKinds.mutableSpan
    if let onlyKind {
      kinds.update(repeating: onlyKind)
      return
    }
    for row in words.indices {
      unsafe kinds[unchecked: row] = wordKinds[unchecked: Int(words[unchecked: row])]
    }
  }

  private func expandSources(
    _ words: Span<UInt8>, _ runs: LocatedRuns, _ outSources: inout [UInt32]
  ) {
    let wordSources = sources.span
    var sources = outSources.mutableSpan
    for (run, origin) in runs {
      for row in run.rows {
        let source = unsafe wordSources[unchecked: Int(words[unchecked: row])]
        unsafe sources[unchecked: row] = source == DecodedMarks.home ? origin.homeSource : source
      }
    }
  }
}
