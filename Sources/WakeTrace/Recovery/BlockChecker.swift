import WakeEvents

/// Decodes blocks completely and compares them with their headers.
package struct BlockChecker {
  private let file: TraceFile
  private let decoder = BlockDecoder(symbols: Symbols())
  /// Saves of the last block.
  private(set) var saves = 0
  /// Deletes of the last block.
  private(set) var deletes = 0

  package init(_ file: TraceFile) {
    self.file = file
  }

  /// The faults of a block.
  package mutating func faults(of block: BlockEntry) -> [TraceError] {
    var faults: [TraceError] = []
    // New tables for each block, so that the names of a long trace do not pile up.
    let symbols = Symbols()
    decoder.use(symbols)
    do throws(TraceError) {
      try decoder.decodeScheduling(block, of: file)
    } catch let error {
      faults.append(error)
      do throws(TraceError) {
        try decoder.inflateDetails(block, of: file)
      } catch let error {
        faults.append(error)
      }
      return faults
    }
    do throws(TraceError) {
      try decoder.decodeDetails(block, of: file)
    } catch let error {
      faults.append(error)
    }
    saves = decoder.columns.kinds.count { $0 == InputKind.save.rawValue }
    deletes = decoder.columns.kinds.count { $0 == InputKind.delete.rawValue }
    for message in contradictions(of: block.header, symbols) {
      faults.append(BlockError.malformed(message).located(file: file.name, offset: block.offset))
    }
    return faults
  }

  /// What the header says that the events do not bear out, beyond what reading them needs.
  private func contradictions(of header: BlockHeader, _ symbols: Symbols) -> [String] {
    var expected = BlockHeader()
    expected.describe(decoder.columns, runs: decoder.runs, symbols: symbols)
    var contradictions: [String] = []
    for (flag, what) in Self.flags
    where header.flags.contains(flag) != expected.flags.contains(flag) {
      contradictions.append(
        header.flags.contains(flag)
          ? "block says that \(what), and that is not so"
          : "block does not say that \(what), though that is so")
    }
    if header.flags.contains(.deletesCounted), header.deletes != expected.deletes {
      contradictions.append("block has another number of deletes than it says")
    }
    if header.types != expected.types {
      contradictions.append("block has other types than it says")
    }
    return contradictions
  }

  private static let flags: [(BlockHeader.Flags, String)] = [
    (.timesSorted, "its times are sorted"),
    (.samplesOnly, "it has samples only"),
    (.startsPredicate, "it starts a query with a predicate"),
    (.typesUnlisted, "its types are too many to be listed"),
  ]
}
