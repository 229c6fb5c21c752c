/// A ``Histogram`` in memory that grows with the number of its buckets in use, for thousands of them at a time.
///
/// Its figures are those of a ``Histogram`` with the same values. Counts are in a hash table by bucket: open addressing
/// with linear probing, at most three quarters full.
package struct SparseHistogram: ~Copyable {
  private struct Slot {
    var bucket: UInt16 = 0
    /// 0 if the slot is free.
    var count = 0
  }

  /// Empty, or a power of two.
  private var slots: [Slot] = []
  private var used = 0
  /// How many values were recorded.
  package private(set) var count = 0
  /// The sum of all values.
  package private(set) var sum: UInt128 = 0
  private var lowest = Int64.max
  private var highest: Int64 = -1

  /// Makes an empty histogram.
  package init() {}

  /// The least value recorded, exactly; nil if there is none.
  package var minimum: Int64? { count > 0 ? lowest : nil }

  /// The greatest value recorded, exactly; nil if there is none.
  package var maximum: Int64? { count > 0 ? highest : nil }

  /// The mean of the values, from their exact sum; nil if there are none.
  package var mean: Double? { count > 0 ? Double(sum) / Double(count) : nil }

  /// Counts a value, `times` times, which is above 0; a negative one as 0.
  ///
  /// - Complexity: O(1) on average.
  package mutating func record(_ value: Int64, count times: Int = 1) {
    let value = max(value, 0)
    add(times, to: UInt16(truncatingIfNeeded: Histogram.Layout.bucket(of: value)))
    count &+= times
    sum &+= UInt128(truncatingIfNeeded: value) &* UInt128(truncatingIfNeeded: times)
    lowest = min(lowest, value)
    highest = max(highest, value)
  }

  /// Tells of a least value whose bucket is recorded by another value of it.
  package mutating func noteMinimum(_ value: Int64) { lowest = min(lowest, value) }

  /// Adds the values of another histogram. The result does not depend on the order of merging.
  ///
  /// - Complexity: O(buckets in use by the other one).
  package mutating func merge(_ other: borrowing SparseHistogram) {
    for slot in other.slots where slot.count > 0 { add(slot.count, to: slot.bucket) }
    count += other.count
    sum &+= other.sum
    lowest = min(lowest, other.lowest)
    highest = max(highest, other.highest)
  }

  /// The buckets in use, in ascending order.
  ///
  /// - Complexity: O(n log n) for n buckets in use.
  package var buckets: [Histogram.Bucket] {
    slots.filter { $0.count > 0 }.sorted { $0.bucket < $1.bucket }.map {
      Histogram.Bucket(values: Histogram.Layout.values(of: Int($0.bucket)), count: $0.count)
    }
  }

  private mutating func add(_ count: Int, to bucket: UInt16) {
    if 4 &* used >= 3 &* slots.count { grow() }
    let place = place(of: bucket)
    if slots[place].count == 0 {
      slots[place].bucket = bucket
      used &+= 1
    }
    slots[place].count += count
  }

  /// The slot of a bucket, or the free one that it is to have.
  private func place(of bucket: UInt16) -> Int {
    // Fibonacci hashing: the upper bits of a product, as waits are often multiples of an hour.
    let bits = slots.count.trailingZeroBitCount
    var place = Int((UInt32(bucket) &* 0x9E37_79B9) &>> (32 - UInt32(bits)))
    while slots[place].count > 0, slots[place].bucket != bucket {
      place = (place + 1) & (slots.count - 1)
    }
    return place
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: Slot(), count: max(4, 2 * old.count))
    for slot in old where slot.count > 0 { slots[place(of: slot.bucket)] = slot }
  }
}
