extension Histogram {
  /// The mapping of values to buckets.
  ///
  /// The first 2048 buckets hold one value each. Each following 1024 buckets cover one doubling: buckets of 2
  /// values from 2048, of 4 from 4096, and so on to `Int64.max`.
  @usableFromInline
  package enum Layout {
    /// log2 of the buckets per doubling.
    @usableFromInline package static let halfBits = 10

    /// 2048 of width 1, and 1024 for each of the 52 doublings from 2^11 to 2^63.
    @usableFromInline package static let bucketCount = 2048 + 52 * 1024

    /// The bucket of a value that is not negative.
    @inlinable
    package static func bucket(of value: Int64) -> Int {
      // log2 of the bucket's width.
      let exponent = 53 &- (value | 2047).leadingZeroBitCount
      return (exponent &<< halfBits) &+ Int(truncatingIfNeeded: value &>> Int64(exponent))
    }

    /// The values of a bucket.
    package static func values(of bucket: Int) -> ClosedRange<Int64> {
      let exponent = max((bucket >> halfBits) - 1, 0)
      let first = Int64(bucket - (exponent << halfBits)) << exponent
      let width: Int64 = 1 << exponent
      // `first + width` would overflow in the last bucket.
      return first...(first + (width - 1))
    }
  }

  /// Values that share a count.
  public struct Bucket: Hashable, Sendable {
    /// The values counted here, in nanoseconds.
    public let values: ClosedRange<Int64>
    /// How many were recorded, at least 1.
    public let count: Int
  }

  /// Calls `body` with each bucket that has recorded values, in ascending order.
  ///
  /// - Complexity: O(number of buckets up to the maximum), at most 55,296.
  public func forEachBucket<Failure: Error>(
    _ body: (Bucket) throws(Failure) -> Void
  ) throws(Failure) {
    try forEachPlace { place throws(Failure) in
      try body(Bucket(values: Layout.values(of: place), count: count(ofBucket: place)))
    }
  }

  /// Calls `body` with the place of each bucket that has recorded values, in ascending order.
  ///
  /// - Complexity: O(number of buckets between the least and the greatest value), at most 55,296.
  func forEachPlace<Failure: Error>(_ body: (Int) throws(Failure) -> Void) throws(Failure) {
    guard total > 0 else { return }
    let groups = Layout.bucket(of: lowest) / 8...Layout.bucket(of: highest) / 8
    for first in stride(from: 8 * groups.lowerBound, through: 8 * groups.upperBound, by: 8) {
      guard mayHaveCounts(inEightFrom: first) else { continue }
      for place in first..<first + 8 where count(ofBucket: place) > 0 { try body(place) }
    }
  }
}
