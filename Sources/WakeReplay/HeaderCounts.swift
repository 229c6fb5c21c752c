import WakeEvents
import WakeScheduling
import WakeTrace

/// Reads from block headers how many events of which types a block holds, so that a block can be counted
/// without being decoded (``ReplayOptions/skipsQuiet``). One for each thread.
struct HeaderCounts {
  private let symbols: Symbols
  /// The types known so far by the hashes of their names; nil where two names have the same hash.
  private var types: [UInt64: SampleType?] = [:]
  private var typesKnown = 0

  init(symbols: Symbols) {
    self.symbols = symbols
  }

  /// Whether a header has what counting needs: one device, samples in time order, the number of deletes
  /// and a list of types. It does not look at the list.
  static func areComplete(in header: BlockHeader) -> Bool {
    header.runs.count == 1
      && header.flags.isSuperset(of: [.timesSorted, .samplesOnly, .deletesCounted])
      && !header.flags.contains(.typesUnlisted)
  }

  /// The counts of a block whose header is complete; nil if its list of types is not.
  ///
  /// - Complexity: O(types of the block + types that are new).
  mutating func counts(
    of block: TraceIndex.Block, in file: TraceFile
  ) throws(TraceError) -> SampleCounts? {
    var header = try file.readHeader(of: block.entry)
    let listed = header.types
    header.types = []
    // The file may have changed since it was indexed; decoding the block reports that.
    guard header == block.entry.header, listed.reduce(0, { $0 + $1.events }) == header.events else {
      return nil
    }
    learnTypes()
    var counts = SampleCounts(
      times: header.earliest...header.latest, events: header.events, deletes: header.deletes,
      types: [])
    counts.types.reserveCapacity(listed.count)
    for count in listed {
      guard let known = types[count.typeHash] else { continue }
      guard let type = known else { return nil }
      counts.types.append((type, count.events))
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
  /// Whether a block may be counted from its header, if its device's state allows it.
  ///
  /// The first block of a device is always decoded: only a payload holds the device's name.
  func mayCount(_ block: TraceIndex.Block, place: Int, _ filter: RowFilter) -> Bool {
    // A block may be quiet under one policy and not under another.
    guard shared.options.skipsQuiet, !shared.options.keepsGoing, others.isEmpty,
      let device = block.devices.first,
      device >= 0
    else { return false }
    return HeaderCounts.areComplete(in: block.entry.header)
      && index.devices[Int(device)].firstPart.block != place
      && !filter.applies(to: block.entry.header)
  }
}
