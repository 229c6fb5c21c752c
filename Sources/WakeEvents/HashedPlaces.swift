/// Finds values that stand in a row by their hashes, and gives new ones the next place.
///
/// A value takes 8 bytes for each of two to four slots, its hash is worked out once, and growing does not
/// look at values again: for rows of a million names or devices, where a dictionary costs more than all
/// else that is done with them.
///
///     var probe = places.probe(for: hash)
///     while let place = places.next(&probe) { if row[place] == value { return place } }
///     row.append(value)
///     places.append(at: probe)
package struct HashedPlaces: Sendable {
  /// Where the look for a value has come to.
  package struct Probe {
    /// The high half of the value's hash.
    fileprivate let hash: UInt64
    fileprivate var slot: Int
  }

  /// The high half of a value's hash and, in the low half, its place plus 1; 0 where there is none. Their
  /// number is a power of two, and at least half of them are free.
  private var slots = [UInt64](repeating: 0, count: 16)
  private var count = 0

  package init() {}

  /// Begins to look for a value.
  ///
  /// - Parameter hash: Of the value, such that nobody who makes up values can foresee it.
  package func probe(for hash: UInt64) -> Probe {
    Probe(hash: hash >> 32, slot: Int(hash >> 32) & (slots.count - 1))
  }

  /// The next place where the value may stand; nil if there are no more.
  ///
  /// - Complexity: O(1) on average; that of a value which does not stand in the row is seldom met.
  package func next(_ probe: inout Probe) -> Int? {
    while slots[probe.slot] != 0 {
      let slot = slots[probe.slot]
      probe.slot = (probe.slot + 1) & (slots.count - 1)
      if slot >> 32 == probe.hash { return Int(slot & 0xFFFF_FFFF) - 1 }
    }
    return nil
  }

  /// For each of many values the first place where it may stand, or -1.
  ///
  /// They are looked up side by side: where slots are more than caches hold, waits for memory overlap.
  package func firstPlaces(for hashes: [UInt64]) -> [Int] {
    var places = [Int](repeating: -1, count: hashes.count)
    for number in hashes.indices {
      var probe = probe(for: hashes[number])
      if let place = next(&probe) { places[number] = place }
    }
    return places
  }

  /// Notes that the value, for which there were no more places, is put behind the last.
  ///
  /// - Complexity: O(1), amortised.
  package mutating func append(at probe: Probe) {
    count += 1
    slots[probe.slot] = probe.hash << 32 | UInt64(count)
    if 2 * count > slots.count { grow() }
  }

  private mutating func grow() {
    let old = slots
    let mask = 2 * old.count - 1
    slots = [UInt64](repeating: 0, count: mask + 1)
    for entry in old where entry != 0 {
      var slot = Int(entry >> 32) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = entry
    }
  }
}
