/// Which values of a column are frequent, and what sizes the others have.
///
/// Values near 0 are counted one by one. Of the others those are counted together that have a short hash
/// in common; only where one of these counts is high are values counted exactly.
struct ValueCensus {
  /// A value and how often it occurs.
  struct Count {
    var value: Int64
    var count: Int
  }

  /// Values are near 0 from -``reach`` until ``reach``.
  static let reach: Int64 = 512
  static let nearValues = 2 * Int(reach)
  private static let hashBits: UInt64 = 13

  /// Those that occur as often as was asked for, in no order.
  private(set) var frequent: [Count] = []
  /// The other values near 0.
  private(set) var otherNear: [Int64] = []
  /// Bit k stands for those of the other values that are not near 0 and that take k + 1 bits.
  private(set) var positiveSizes: UInt64 = 0
  /// The same of negative ones, by their magnitude.
  private(set) var negativeSizes: UInt64 = 0
  /// The same of all values that are not near 0, the frequent ones too.
  private(set) var allSizes: UInt64 = 0

  /// Of values near 0, then by hash.
  private var counters = [UInt32](repeating: 0, count: nearValues + 1 << hashBits)

  /// Looks at the values of a column, at most 2^32 - 1.
  ///
  /// - Parameter often: From how many on a value is frequent.
  /// - Complexity: O(values).
  mutating func take(_ values: [Int64], often: Int) {
    frequent.removeAll(keepingCapacity: true)
    otherNear.removeAll(keepingCapacity: true)
    counters.update(repeating: 0)
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

  /// Whether a value is near 0, and its place among ``counters`` then.
  @inline(__always)
  private static func nearPlace(_ value: Int64) -> UInt64 { UInt64(bitPattern: value &+ reach) }

  @inline(__always)
  private static func hashPlace(_ value: Int64) -> UInt64 {
    // The highest bits depend on all of the value's, whose lowest are all 0 in many doubles.
    let hash = UInt64(bitPattern: value) &* 0x9E37_79B9_7F4A_7C15
    return UInt64(nearValues) &+ hash &>> (64 &- hashBits)
  }

  /// Of a value that is not 0, one less than the bits it takes.
  @inline(__always)
  private static func bitOfSize(_ value: Int64) -> UInt64 {
    63 &- UInt64(truncatingIfNeeded: value.magnitude.leadingZeroBitCount)
  }

  /// Counts into ``counters``, and gives the sizes of positive and negative values that are not near 0.
  private mutating func countRoughly(_ values: [Int64]) -> (UInt64, UInt64) {
    var (positive, negative): (UInt64, UInt64) = (0, 0)
    // Unsafe, as it runs for every event that is written; both places lie within the counters.
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

  /// Counts those values exactly that may be frequent, and sets the sizes of those that are not.
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

extension Array {
  fileprivate mutating func update(repeating element: Element) {
    var span = mutableSpan
    span.update(repeating: element)
  }
}
