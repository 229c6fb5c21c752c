/// Finds values that stand in a row by their hashes, and gives new ones the next place.
///
/// A value takes 8 bytes for each of two to four slots, its hash is worked out once, and growing does not
/// look at values again: for rows of a million names or devices, where a dictionary costs more than all
/// else that is done with them.
package struct HashedPlaces: Sendable {
  /// The high half of a value's hash and, in the low half, its place plus 1; 0 where there is none. Their
  /// number is a power of two, and at least half of them are free.
  @usableFromInline var slots: [UInt64] = []
  @usableFromInline var count = 0

  @inlinable
  package init() {}

  /// The place of a value that stands in a row; nil if it does not.
  ///
  /// - Parameters:
  ///   - hash: Of the value, such that nobody who makes up values can foresee it.
  ///   - values: The row: values at the places that were given.
  ///   - isSame: Whether a value of the row is the one that is looked for.
  /// - Complexity: O(1) on average.
  @inlinable
  package func find<Value>(
    _ hash: UInt64, among values: [Value], _ isSame: (Value) -> Bool
  ) -> Int? {
    guard !slots.isEmpty else { return nil }
    let found = slots[slot(of: hash, among: values, isSame)]
    return found == 0 ? nil : Self.place(found)
  }

  /// The place of a value; where it is new, the place behind the last, at which it must be put then.
  ///
  /// - Complexity: O(1) on average, amortised.
  @inlinable
  package mutating func place<Value>(
    _ hash: UInt64, among values: [Value], _ isSame: (Value) -> Bool
  ) -> Int {
    if 2 * (count + 1) > slots.count { grow() }
    let slot = slot(of: hash, among: values, isSame)
    guard slots[slot] == 0 else { return Self.place(slots[slot]) }
    count += 1
    slots[slot] = hash & ~0xFFFF_FFFF | UInt64(count)
    return count - 1
  }

  /// Where a value stands among the slots, or may be put.
  @inlinable
  func slot<Value>(
    of hash: UInt64, among values: [Value], _ isSame: (Value) -> Bool
  ) -> Int {
    let mask = slots.count - 1
    var slot = Int(hash >> 32) & mask
    while slots[slot] != 0 {
      if slots[slot] >> 32 == hash >> 32, isSame(values[Self.place(slots[slot])]) { break }
      slot = (slot + 1) & mask
    }
    return slot
  }

  @inlinable
  static func place(_ slot: UInt64) -> Int { Int(slot & 0xFFFF_FFFF) - 1 }

  @usableFromInline
  mutating func grow() {
    let old = slots
    let mask = max(16, 2 * old.count) - 1
    slots = [UInt64](repeating: 0, count: mask + 1)
    for entry in old where entry != 0 {
      var slot = Int(entry >> 32) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = entry
    }
  }
}
