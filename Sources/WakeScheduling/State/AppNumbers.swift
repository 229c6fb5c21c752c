import WakeEvents

/// The numbers of a device's apps by ``App/index``: a hash table with linear probing (Knuth, The Art of Computer
/// Programming 3, 6.4), as each input other than a save or delete looks one up.
struct AppNumbers {
  /// The index in the upper half, the number in the lower one, and one more than that, as 0 is an empty slot.
  private var slots: [UInt64] = []
  private var count = 0

  subscript(app: App) -> Int? {
    guard !slots.isEmpty else { return nil }
    var place = place(of: app.index)
    while slots[place] != 0 {
      if UInt32(truncatingIfNeeded: slots[place] >> 32) == app.index {
        return Int(UInt32(truncatingIfNeeded: slots[place])) - 1
      }
      place = (place + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds an app that is not in the table, with the next number.
  mutating func append(_ app: App) {
    if 2 * (count + 1) > slots.count { grow() }
    count += 1
    insert(UInt64(app.index) << 32 | UInt64(count))
  }

  private mutating func insert(_ slot: UInt64) {
    var place = place(of: UInt32(truncatingIfNeeded: slot >> 32))
    while slots[place] != 0 { place = (place + 1) & (slots.count - 1) }
    slots[place] = slot
  }

  /// The upper bits of the product with 2^32 divided by the golden ratio.
  private func place(of index: UInt32) -> Int {
    Int((index &* 0x9E37_79B9) >> UInt32(32 - slots.count.trailingZeroBitCount))
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: 0, count: max(8, 2 * old.count))
    for slot in old where slot != 0 { insert(slot) }
  }
}
