import CKernels
import Kernels
import WakeEvents

/// Step and key of each event in one byte (``FusedWords``), looked up.
struct FusedWordReader {
  /// The range of all steps; nil on overflow.
  private(set) var stepBounds: ClosedRange<Int64>?

  // Tables of 256 elements, so that a lookup by any byte is in bounds.
  private var steps = [Int64](repeating: 0, count: 256)
  /// Steps in units, if all are from 0 to less than `UInt16.max`.
  private var multiples = [UInt16](repeating: 0, count: 256)
  private var types = [UInt32](repeating: 0, count: 256)
  private var sources = [UInt32](repeating: 0, count: 256)
  private var kinds = [UInt8](repeating: 0, count: 256)
  private var wordCount = 0
  private var unit: Int64 = 1
  /// The highest of the words' multiples; `UInt16.max` if some are not in the table.
  private var highestMultiple: UInt16 = 0
  private var onlyKind: UInt8?
  private var bytes = 0..<0
  private let path: ProcessorPath

  init(path: ProcessorPath) {
    self.path = path
  }

  /// Reads the column's tables, and checks that the events' bytes are there.
  mutating func read(
    _ reader: inout ByteReader, keys: DecodedEventKeys, count: Int
  ) throws(BlockError) {
    onlyKind = keys.onlyKind
    unit = try TimeSteps.readUnit(&reader)
    wordCount = Int(try reader.readByte()) + 1
    var bounds: ClosedRange<Int64> = 0...0
    for word in 0..<wordCount {
      let key = try reader.readCount(upTo: keys.count, of: "keys")
      guard key < keys.count else { throw .malformed("block refers to a key beyond its list") }
      let step = try reader.readZigzag()
      bounds = min(bounds.lowerBound, step)...max(bounds.upperBound, step)
      steps[word] = step &* unit
      multiples[word] = UInt16(clamping: step)
      types[word] = keys.subjects[key].type
      kinds[word] = keys.subjects[key].kind
      sources[word] = keys.sources[key]
    }
    stepBounds = TimeSteps.bounds(bounds, unit: unit)
    highestMultiple = bounds.lowerBound < 0 ? .max : UInt16(clamping: bounds.upperBound)
    bytes = try reader.readBytes(count)
    try reader.expectEnd()
  }

  /// Fills in times, kinds and types, and sources if there is a column of them.
  func expand(
    _ payload: [UInt8], runs: LocatedRuns, into columns: inout InputColumns
  ) throws(BlockError) {
    let words = payload.span.extracting(bytes)
    var highest: UInt8 = 0
    for place in words.indices { highest = max(highest, words[place]) }
    guard Int(highest) < wordCount else { throw .malformed("block has a word beyond its table") }
    expandTimes(words, from: runs.firstTime, &columns.times, &columns.types)
    runs.moveTimes(&columns.times)
    expandKinds(words, &columns.kinds)
    guard !columns.sources.isEmpty else { return }
    expandSources(words, &columns.sources)
    runs.fillInHomes(&columns.sources)
  }

  // Unchecked, in the loops and in the kernel: each event has a word and a row, and each word has a place in the tables.

  private func expandTimes(
    _ words: Span<UInt8>, from first: Int64, _ times: inout [Int64], _ types: inout [UInt32]
  ) {
    unsafe withUnsafeMeanings { meanings in
      unsafe times.withUnsafeMutableBufferPointer { times in
        unsafe types.withUnsafeMutableBufferPointer { types in
          unsafe words.withUnsafeBufferPointer { words in
            guard let times = times.baseAddress, let types = types.baseAddress,
              let start = words.baseAddress
            else { return }
            unsafe kernels_expand_words(
              path.kernelsPath, start, words.count, meanings, first, times, types)
          }
        }
      }
    }
  }

  /// Calls `body` with the tables as the kernel reads them, which are valid during the call.
  private func withUnsafeMeanings(_ body: (UnsafePointer<kernels_words>) -> Void) {
    unsafe steps.withUnsafeBufferPointer { steps in
      unsafe types.withUnsafeBufferPointer { types in
        unsafe multiples.withUnsafeBufferPointer { multiples in
          let meanings = unsafe kernels_words(
            count: wordCount, steps: steps.baseAddress, types: types.baseAddress,
            multiples: multiples.baseAddress, highest_multiple: highestMultiple, unit: unit)
          unsafe withUnsafePointer(to: meanings) { unsafe body($0) }
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

  private func expandSources(_ words: Span<UInt8>, _ outSources: inout [UInt32]) {
    let wordSources = sources.span
    var sources = outSources.mutableSpan
    for row in words.indices {
      unsafe sources[unchecked: row] = wordSources[unchecked: Int(words[unchecked: row])]
    }
  }
}
