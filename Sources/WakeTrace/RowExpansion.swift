import WakeEvents

// From what a block stores for its events to the columns of a batch: the loops that run for every event
// of a trace that is read.

/// Step and mark of each event in one byte (``FusedWords``), looked up.
struct FusedWordReader {
  private var steps = [Int64](repeating: 0, count: 256)
  private var kinds = [UInt8](repeating: 0, count: 256)
  private var types = [UInt32](repeating: 0, count: 256)
  private var sources = [UInt32](repeating: 0, count: 256)
  private var wordCount = 0
  private var bytes = 0..<0

  init(
    _ reader: inout ByteReader, marks: DecodedMarks, count: Int
  ) throws(BlockError) {
    let unit = try Self.readUnit(&reader)
    wordCount = Int(try reader.readByte()) + 1
    for word in 0..<wordCount {
      let mark = try reader.readCount(upTo: marks.count, of: "marks")
      guard mark < marks.count else { throw .malformed("block names a mark it does not list") }
      steps[word] = try reader.readZigzag() &* unit
      kinds[word] = marks.kinds[mark]
      types[word] = marks.types[mark]
      sources[word] = marks.sources[mark]
    }
    bytes = try reader.readBytes(count)
  }

  static func readUnit(_ reader: inout ByteReader) throws(BlockError) -> Int64 {
    let unit = try reader.readVarint()
    guard unit > 0, unit <= UInt64(Int64.max) else { throw .malformed("block has no unit of time") }
    return Int64(unit)
  }

  func expand(
    _ payload: [UInt8], runs: [DeviceRun], origins: [RunOrigin], into columns: inout InputColumns
  ) throws(BlockError) {
    try expand(
      payload, runs, origins, &columns.times, &columns.kinds, &columns.types, &columns.sources)
  }

  private func expand(
    _ payload: [UInt8], _ runs: [DeviceRun], _ origins: [RunOrigin], _ outTimes: inout [Int64],
    _ outKinds: inout [UInt8], _ outTypes: inout [UInt32], _ outSources: inout [UInt32]
  ) throws(BlockError) {
    let words = payload.span.extracting(bytes)
    let steps = steps.span
    let kinds = kinds.span
    let types = types.span
    let sources = sources.span
    var outTimes = outTimes.mutableSpan
    var outKinds = outKinds.mutableSpan
    var outTypes = outTypes.mutableSpan
    var outSources = outSources.mutableSpan
    var highest: UInt8 = 0
    for (run, origin) in zip(runs, origins) {
      // The first event of a run stands at its origin; its step, 0, adds nothing.
      var time = origin.time
      for row in run.rows {
        let word = words[row]
        highest = max(highest, word)
        let place = Int(word)
        time &+= steps[place]
        outTimes[row] = time
        outKinds[row] = kinds[place]
        outTypes[row] = types[place]
        let source = sources[place]
        outSources[row] = source == DecodedMarks.home ? origin.homeSource : source
      }
    }
    guard Int(highest) < wordCount else { throw .malformed("block has a word it does not list") }
  }
}

/// Steps and marks in columns of their own.
struct SplitRows {
  let steps: [Int64]
  let ranks: [Int64]
  let unit: Int64

  func expand(
    _ marks: DecodedMarks, runs: [DeviceRun], origins: [RunOrigin],
    into columns: inout InputColumns
  ) throws(BlockError) {
    try expand(
      marks, runs, origins, &columns.times, &columns.kinds, &columns.types, &columns.sources)
  }

  private func expand(
    _ marks: DecodedMarks, _ runs: [DeviceRun], _ origins: [RunOrigin],
    _ outTimes: inout [Int64], _ outKinds: inout [UInt8], _ outTypes: inout [UInt32],
    _ outSources: inout [UInt32]
  ) throws(BlockError) {
    let steps = steps.span
    let ranks = ranks.span
    let kinds = marks.kinds.span
    let types = marks.types.span
    let sources = marks.sources.span
    var outTimes = outTimes.mutableSpan
    var outKinds = outKinds.mutableSpan
    var outTypes = outTypes.mutableSpan
    var outSources = outSources.mutableSpan
    let markCount = Int64(marks.count)
    for (run, origin) in zip(runs, origins) {
      var time = origin.time
      for row in run.rows {
        let rank = ranks[row]
        guard rank >= 0, rank < markCount else {
          throw .malformed("block names a mark it does not list")
        }
        let place = Int(rank)
        time &+= steps[row] &* unit
        outTimes[row] = time
        outKinds[row] = kinds[place]
        outTypes[row] = types[place]
        let source = sources[place]
        outSources[row] = source == DecodedMarks.home ? origin.homeSource : source
      }
    }
  }
}
