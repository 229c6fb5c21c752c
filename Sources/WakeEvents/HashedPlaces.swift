/// A hash index over the elements of an array: open addressing with linear probing, at most half full.
///
/// A slot has 8 bytes: half of the hash and the element's place. Growing reads no element again. For arrays of a
/// million names or devices, where `Dictionary` costs more than the rest of their handling.
///
///     var probe = places.probe(for: hash)
///     while let place = places.next(&probe) { if row[place] == value { return place } }
///     row.append(value)
///     places.append(at: probe)
package struct HashedPlaces: Sendable {
  /// The state of a lookup.
  package struct Probe {
    fileprivate let hash: UInt64
    fileprivate var slot: Int
  }

  /// The high half of a hash, then the place plus 1; 0 is a free slot. A power of two of them.
  private var slots = [UInt64](repeating: 0, count: 16)
  private var count = 0

  package init() {}

  /// Begins a lookup. `hash` must be seeded, so that input cannot construct collisions.
  package func probe(for hash: UInt64) -> Probe {
    Probe(hash: hash >> 32, slot: Int(hash >> 32) & (slots.count - 1))
  }

  /// The next candidate place; nil after the last.
  ///
  /// - Complexity: O(1) on average.
  package func next(_ probe: inout Probe) -> Int? {
    while slots[probe.slot] != 0 {
      let slot = slots[probe.slot]
      probe.slot = (probe.slot + 1) & (slots.count - 1)
      if slot >> 32 == probe.hash { return Int(slot & 0xFFFF_FFFF) - 1 }
    }
    return nil
  }

  /// The first candidate place of each of many values, or -1. One loop over all, so that cache misses overlap.
  package func firstPlaces(for hashes: [UInt64]) -> [Int] {
    var places = [Int](repeating: -1, count: hashes.count)
    for number in hashes.indices {
      var probe = probe(for: hashes[number])
      if let place = next(&probe) { places[number] = place }
    }
    return places
  }

  /// Adds the value of a finished lookup, which becomes the last element.
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
