import WakeEvents

/// The numbers of a device's apps by ``App/index``: a hash table with linear probing (Knuth, The Art of Computer
/// Programming 3, 6.4), for apps whose number is not that of their symbol.
struct AppNumbers: ~Copyable {
  /// 0 is an empty slot; else the upper 32 bits are the app's index, the lower 32 its number plus 1. The number of slots is a
  /// power of two, of which at most half are filled.
  private var slots = UncheckedArray<UInt64>()
  @Narrow private var count = 0
  /// Bits of a hash that are not used.
  private var shift: UInt32 = 31

  init() { slots.fill(to: 2, with: 0) }

  @inline(__always)
  subscript(app: App) -> Int? {
    var place = place(of: app.index)
    while true {
      let slot = slots[place]
      if UInt32(truncatingIfNeeded: slot >> 32) == app.index, slot != 0 {
        return Int(UInt32(truncatingIfNeeded: slot)) &- 1
      }
      if slot == 0 { return nil }
      place = (place &+ 1) & (slots.count &- 1)
    }
  }

  /// Adds an app that is not in the table, with the next number.
  mutating func append(_ app: App) {
    if 2 * (count + 1) > slots.count { grow() }
    count += 1
    insert(UInt64(app.index) << 32 | UInt64(count))
  }

  /// Becomes a copy of another table.
  mutating func copy(_ other: borrowing AppNumbers) {
    slots.copy(other.slots)
    count = other.count
    shift = other.shift
  }

  private mutating func insert(_ slot: UInt64) {
    var place = place(of: UInt32(truncatingIfNeeded: slot >> 32))
    while slots[place] != 0 { place = (place + 1) & (slots.count - 1) }
    slots[place] = slot
  }

  /// The upper bits of the product with 2^32 divided by the golden ratio.
  @inline(__always)
  private func place(of index: UInt32) -> Int {
    Int(truncatingIfNeeded: (index &* 0x9E37_79B9) &>> shift)
  }

  private mutating func grow() {
    var old = UncheckedArray<UInt64>()
    old.copy(slots)
    slots.removeAll()
    slots.fill(to: 2 * old.count, with: 0)
    shift -= 1
    for place in old.indices where old[place] != 0 { insert(old[place]) }
  }
}
