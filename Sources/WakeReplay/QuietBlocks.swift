import WakeEvents
import WakeScheduling
import WakeTrace

/// Tells what blocks hold by their headers, for those that may be counted without being read
/// (``ReplayOptions/skipsQuiet``); one for each thread.
struct QuietBlocks {
  private let symbols: Symbols
  /// The types known so far by the hashes of their names; nil where two names have the same.
  private var types: [UInt64: SampleType?] = [:]
  private var typesKnown = 0

  init(symbols: Symbols) {
    self.symbols = symbols
  }

  /// Whether a header tells all that counting needs: when and how many of what, on one device. What it
  /// tells of types is not looked at.
  static func mayBeCounted(_ header: BlockHeader) -> Bool {
    header.runs.count == 1
      && header.flags.isSuperset(of: [.timesSorted, .samplesOnly, .deletesCounted])
      && !header.flags.contains(.typesUnlisted)
  }

  /// The counts of such a block; nil if the header does not tell them after all.
  ///
  /// - Complexity: O(types of the block, and types that are new).
  mutating func counts(
    of block: TraceIndex.Block, in file: TraceFile
  ) throws(TraceError) -> SampleCounts? {
    var header = try file.readHeader(of: block.entry)
    let listed = header.types
    header.types = []
    // The file may be another one by now; whoever reads the block finds that out.
    guard header == block.entry.header, listed.reduce(0, { $0 + $1.events }) == header.events else {
      return nil
    }
    learnTypes()
    var counts = SampleCounts(
      times: header.earliest...header.latest, events: header.events, deletes: header.deletes,
      types: [])
    counts.types.reserveCapacity(listed.count)
    for count in listed {
      switch types[count.typeHash] {
      case .some(.some(let type)): counts.types.append((type, count.events))
      case .some(.none): return nil
      case .none: continue
      }
    }
    return counts
  }

  private mutating func learnTypes() {
    let count = symbols.types.count
    for index in typesKnown..<max(typesKnown, count) {
      let type = SampleType(index: UInt32(index))
      let hash = symbols.types.hash(of: type)
      types[hash] = .some(types[hash] == nil ? type : nil)
    }
    typesKnown = max(typesKnown, count)
  }
}

extension ReplayRun {
  /// The device whose block may be counted rather than fed; nil if the block must be fed.
  ///
  /// The first block of a device is always fed, as only a payload has the device's name.
  func deviceOfCountable(_ block: TraceIndex.Block, number: Int, _ filter: RowFilter) -> Int? {
    guard shared.options.skipsQuiet, !shared.options.keepsGoing, let place = block.lanes.first,
      place >= 0, QuietBlocks.mayBeCounted(block.entry.header),
      index.devices[Int(place)].firstPart.block != number,
      !filter.applies(to: block.entry.header)
    else { return nil }
    return Int(place)
  }
}

extension DeviceLane {
  /// Counts a block without feeding it, if nothing but counts can come of it.
  ///
  /// - Returns: Whether it did.
  func skip(_ samples: borrowing SampleCounts) -> Bool {
    // Who looks for the first late event, or the first jump ahead, must see the events.
    guard let latest, samples.times.lowerBound >= latest,
      samples.times.upperBound - latest <= Self.jump, takeQuietly(samples)
    else { return false }
    self.latest = samples.times.upperBound
    return true
  }
}
