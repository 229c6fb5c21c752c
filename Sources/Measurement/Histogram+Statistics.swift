extension Histogram {
  /// How many values were recorded.
  public var count: Int { total }

  /// Negative values, which were recorded as 0, and values beyond a count of `Int.max`, which were not
  /// recorded.
  public var clampedCount: Int { clamped }

  /// The least value recorded, exactly; nil if there is none.
  public var minimum: Int64? { total > 0 ? lowest : nil }

  /// The greatest value recorded, exactly; nil if there is none.
  public var maximum: Int64? { total > 0 ? highest : nil }

  /// The least position recorded with the maximum; nil if none was.
  public var maximumPosition: Int? { highestPosition < .max ? highestPosition : nil }

  /// The sum of the values, exactly.
  package var exactSum: UInt128 { sum }

  /// The mean of the values, from their exact sum; nil if there are none.
  public var mean: Double? { total > 0 ? Double(sum) / Double(total) : nil }

  /// The value at a percentile; nil if there are none.
  ///
  /// As in HdrHistogram it is the greatest value of the bucket at that rank: never too low, and less than 0.1 %
  /// too high. Percentiles 0 and 100 are the exact minimum and maximum.
  ///
  /// - Parameter percentile: Clamped to 0 to 100; NaN counts as 0.
  /// - Complexity: O(number of buckets up to the value).
  public func value(atPercentile percentile: Double) -> Int64? {
    guard total > 0 else { return nil }
    guard percentile > 0 else { return lowest }
    guard percentile < 100 else { return highest }
    let rank = Self.rank(ofPercentile: percentile, among: total)
    var bucket = Layout.bucket(of: lowest) / Self.blockSize * Self.blockSize
    var passed = 0
    while bucket < Layout.bucketCount {
      let count = count(ofBlockFrom: bucket)
      guard passed + count < rank else { break }
      passed += count
      bucket += Self.blockSize
    }
    while bucket < Layout.bucketCount {
      passed += count(ofBucket: bucket)
      if passed >= rank { return min(Layout.values(of: bucket).upperBound, highest) }
      bucket += 1
    }
    return highest
  }

  /// ``value(atPercentile:)`` of values whose number, at least one, extremes and buckets are known.
  ///
  /// - Complexity: O(buckets).
  package static func value(
    atPercentile percentile: Double, in buckets: [Bucket], count: Int,
    of extremes: ClosedRange<Int64>
  ) -> Int64 {
    guard percentile > 0 else { return extremes.lowerBound }
    guard percentile < 100 else { return extremes.upperBound }
    let rank = rank(ofPercentile: percentile, among: count)
    var passed = 0
    for bucket in buckets {
      passed += bucket.count
      if passed >= rank { return min(bucket.values.upperBound, extremes.upperBound) }
    }
    return extremes.upperBound
  }

  /// The rank, from 1, of the value at `percentile` among `count` sorted ones.
  ///
  /// As in HdrHistogram it uses the next double below the percentile, so that a percentile computed from a rank
  /// (100 × rank / count) and rounded up gives that rank again.
  package static func rank(ofPercentile percentile: Double, among count: Int) -> Int {
    let exact = (percentile.nextDown * Double(count) / 100).rounded(.up)
    // `Double(count)` may exceed `Int.max`.
    return exact >= Double(count) ? count : max(Int(exact), 1)
  }
}
