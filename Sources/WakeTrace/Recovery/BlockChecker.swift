import WakeEvents

/// Decodes blocks completely, and compares them with their headers and the names of devices with each other.
package struct BlockChecker {
  private let file: TraceFile
  private let decoder = BlockDecoder(symbols: Symbols())
  private var describer = BlockDescriber()
  /// The devices so far, also of files that were checked before.
  package private(set) var devices: DeviceHashes

  package init(_ file: TraceFile, devices: DeviceHashes = DeviceHashes()) {
    (self.file, self.devices) = (file, devices)
  }

  package mutating func faults(of block: BlockEntry) -> [TraceError] {
    var faults: [TraceError] = []
    // New tables for each block, so that the names of a long trace do not pile up.
    let symbols = Symbols()
    decoder.use(symbols)
    if !block.hasObservationsOnly {
      do throws(TraceError) {
        try decoder.decodeScheduling(block, of: file)
      } catch let error {
        faults.append(error)
      }
      let isDecoded = faults.isEmpty
      do throws(TraceError) {
        try isDecoded
          ? decoder.decodeDetails(block, of: file) : decoder.inflateDetails(block, of: file)
      } catch let error {
        faults.append(error)
      }
      if isDecoded { faults += self.faults(block.scheduling, symbols) }
    }
    if block.observationCount > 0 {
      do throws(TraceError) {
        try decoder.decodeObservations(block, of: file, inputs: block.inputCount)
        faults += self.faults(block.observations ?? block.scheduling, symbols)
      } catch let error {
        faults.append(error)
      }
    }
    return faults
  }

  /// What is wrong with a member of events, which the decoder has read.
  private mutating func faults(_ member: BlockEntry.Member, _ symbols: Symbols) -> [TraceError] {
    var faults: [TraceError] = []
    for run in decoder.runs {
      if let fault = devices.insert(symbols.devices.name(of: run.device)) {
        faults.append(fault.located(file: file.name, offset: member.offset))
      }
    }
    var names = BlockNames()
    let found = describer.header(
      of: decoder.columns, runs: decoder.runs, names: &names, symbols: symbols)
    return faults
      + Self.contradictions(member.header, found).map {
        BlockError.malformed($0).located(file: file.name, offset: member.offset)
      }
  }

  /// The fields of a header that contradict its events, beyond those that decoding checks.
  private static func contradictions(_ header: BlockHeader, _ found: BlockHeader) -> [String] {
    var contradictions = flags.compactMap { flag, what -> String? in
      let isSaid = header.flags.contains(flag)
      guard isSaid != found.flags.contains(flag) else { return nil }
      return isSaid
        ? "block says that \(what), and that is not so"
        : "block does not say that \(what), though that is so"
    }
    if header.flags.contains(.deletesCounted), header.deletes != found.deletes {
      contradictions.append("block has another number of deletes than it says")
    }
    if header.types != found.types { contradictions.append("block has other types than it says") }
    return contradictions
  }

  private static let flags: [(BlockHeader.Flags, String)] = [
    (.timesSorted, "its times are sorted"),
    (.samplesOnly, "it has samples only"),
    (.startsPredicate, "it starts a query with a predicate"),
    (.typesUnlisted, "its types are too many to be listed"),
  ]
}
