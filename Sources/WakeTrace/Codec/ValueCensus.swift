/// Finds the frequent values of a column and the sizes of the others.
///
/// Values near 0 have a counter each. Others share counters by hash; values are counted exactly only if one of these
/// counters is high.
struct ValueCensus {
  struct Count {
    var value: Int64
    var count: Int
  }

  /// Values in -``reach`` ..< ``reach`` are near 0.
  static let reach: Int64 = 512
  static let nearValues = 2 * Int(reach)
  private static let hashBits: UInt64 = 13

  private(set) var frequent: [Count] = []
  private(set) var otherNear: [Int64] = []
  /// Bit k is set if a positive, infrequent value far from 0 has k + 1 bits.
  private(set) var positiveSizes: UInt64 = 0
  /// The same for the magnitudes of negative values.
  private(set) var negativeSizes: UInt64 = 0
  /// The same for all values far from 0, frequent ones included.
  private(set) var allSizes: UInt64 = 0

  /// Counters of values near 0, then by hash.
  private var counters = [UInt32](repeating: 0, count: nearValues + 1 << hashBits)

  /// Counts the values of a column, at most 2^32 - 1. A value is frequent from the count `often` on.
  mutating func take(_ values: [Int64], often: Int) {
    frequent.removeAll(keepingCapacity: true)
    otherNear.removeAll(keepingCapacity: true)
    do {
      var span = counters.mutableSpan
      span.update(repeating: 0)
    }
    (positiveSizes, negativeSizes) = countRoughly(values)
    allSizes = positiveSizes | negativeSizes
    for place in 0..<Self.nearValues where counters[place] > 0 {
      let (value, count) = (Int64(place) - Self.reach, Int(counters[place]))
      if count >= often {
        frequent.append(Count(value: value, count: count))
      } else {
        otherNear.append(value)
      }
    }
    if counters[Self.nearValues...].contains(where: { $0 >= often }) {
      countExactly(values, often: often)
    }
  }

  /// The index of a value near 0 in ``counters``; at least ``nearValues`` for other values.
  @inline(__always)
  private static func nearPlace(_ value: Int64) -> UInt64 { UInt64(bitPattern: value &+ reach) }

  @inline(__always)
  private static func hashPlace(_ value: Int64) -> UInt64 {
    // The highest bits depend on all bits; the lowest would not: they are 0 in many doubles.
    let hash = UInt64(bitPattern: value) &* 0x9E37_79B9_7F4A_7C15
    return UInt64(nearValues) &+ hash &>> (64 &- hashBits)
  }

  /// The number of bits of a nonzero value, minus 1.
  @inline(__always)
  private static func bitOfSize(_ value: Int64) -> UInt64 {
    63 &- UInt64(truncatingIfNeeded: value.magnitude.leadingZeroBitCount)
  }

  /// Fills ``counters``; returns the sizes of positive and negative values far from 0.
  private mutating func countRoughly(_ values: [Int64]) -> (UInt64, UInt64) {
    var (positive, negative): (UInt64, UInt64) = (0, 0)
    // Unsafe, since it runs once an event; both indices are within the counters.
    unsafe counters.withUnsafeMutableBufferPointer { counters in
      for value in values {
        let near = Self.nearPlace(value)
        let isFar = near >= UInt64(Self.nearValues)
        let place = isFar ? Self.hashPlace(value) : near
        unsafe counters[Int(place)] &+= 1
        let size = (isFar ? UInt64(1) : 0) &<< Self.bitOfSize(value)
        let isNegative = value < 0
        positive |= isNegative ? 0 : size
        negative |= isNegative ? size : 0
      }
    }
    return (positive, negative)
  }

  /// Counts the candidates exactly, and sets the sizes of infrequent values.
  private mutating func countExactly(_ values: [Int64], often: Int) {
    (positiveSizes, negativeSizes) = (0, 0)
    var counts: [Int64: Int] = [:]
    for value in values where Self.nearPlace(value) >= UInt64(Self.nearValues) {
      if counters[Int(Self.hashPlace(value))] >= often {
        counts[value, default: 0] += 1
      } else {
        addSize(of: value)
      }
    }
    for (value, count) in counts {
      if count >= often {
        frequent.append(Count(value: value, count: count))
      } else {
        addSize(of: value)
      }
    }
  }

  private mutating func addSize(of value: Int64) {
    let size: UInt64 = 1 &<< Self.bitOfSize(value)
    if value < 0 { negativeSizes |= size } else { positiveSizes |= size }
  }
}
