import WakeEvents

/// The devices so far by the hashes of their names, by which block headers and readers tell devices apart.
package struct DeviceHashes {
  /// A seeded hash of each name by its ``NameHash``, of which equal ones are easy to construct.
  private var names: [UInt64: Int] = [:]

  package init() {}

  /// Adds a device; returns what is wrong if another name has its hash.
  ///
  /// - Complexity: O(length of the name).
  package mutating func insert(_ name: String) -> BlockError? {
    let seeded = ExactName(name).hashValue
    guard names.updateValue(seeded, forKey: NameHash.device(name)) ?? seeded != seeded else {
      return nil
    }
    return .malformed(
      "the names of device \"\(name.shown)\" and of another one have the same hash, so their events "
        + "cannot be told apart")
  }
}
