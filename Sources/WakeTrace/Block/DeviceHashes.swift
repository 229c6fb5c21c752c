import WakeEvents

/// The devices so far by the hashes of their names, by which block headers and readers tell devices apart.
package struct DeviceHashes {
  /// A seeded hash of each name by its ``NameHash``, of which equal ones are easy to construct.
  private var names: [UInt64: Int] = [:]

  package init() {}

  /// Adds the devices of a block, as far as none has another's hash.
  package mutating func insert(devicesOf block: BlockEntry, in file: TraceFile) throws(TraceError) {
    let symbols = Symbols()
    let decoder = BlockDecoder(symbols: symbols)
    try decoder.decode(block, of: file, observations: .byDevice)
    for run in decoder.runs { _ = insert(symbols.devices.name(of: run.device)) }
  }

  /// Adds a device; if another name has its hash, that one stays, and this returns what is wrong.
  ///
  /// - Complexity: O(length of the name).
  package mutating func insert(_ name: String) -> BlockError? {
    let seeded = ExactName(name).hashValue
    let hash = NameHash.device(name)
    guard let known = names[hash] else {
      names[hash] = seeded
      return nil
    }
    if known == seeded { return nil }
    return BlockError(
      .sameDeviceHash,
      "the names of device \"\(name.shown)\" and of another one have the same hash, so their events "
        + "cannot be told apart")
  }
}

extension TraceError {
  /// Headers identify devices by hash, and a forged name can have another name's hash.
  package static let devicesOfEqualHash = TraceError(
    code: .sameDeviceHash, file: "traces",
    message: "two devices have names with the same hash, so their events cannot be told apart")
}
