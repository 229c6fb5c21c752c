extension Histogram {
  /// How many values were recorded.
  public var count: Int { total }

  /// How many values could not be taken as given: negative ones, which were recorded as 0, and those
  /// that would have made the count exceed `Int.max`, which were not recorded.
  public var clampedCount: Int { clamped }

  /// The least value recorded, exactly; nil if there is none.
  public var minimum: Int64? { total > 0 ? lowest : nil }

  /// The greatest value recorded, exactly; nil if there is none.
  public var maximum: Int64? { total > 0 ? highest : nil }

  /// The position given with the maximum, the least if it occurred more than once; nil if none was.
  public var maximumPosition: Int? { highestPosition < .max ? highestPosition : nil }

  /// The mean of the values, from their exact sum; nil if there are none.
  public var mean: Double? { total > 0 ? Double(sum) / Double(total) : nil }

  /// The standard deviation of the values (of all of them, not an estimate from a sample), each
  /// taken as the middle of its bucket as in HdrHistogram; nil if there are none.
  ///
  /// - Complexity: O(number of buckets up to the maximum).
  public var standardDeviation: Double? {
    guard total > 0 else { return nil }
    var middles = 0.0
    forEachBucket { middles += Double($0.middle) * Double($0.count) }
    let mean = middles / Double(total)
    var squares = 0.0
    forEachBucket { bucket in
      let deviation = Double(bucket.middle) - mean
      squares += deviation * deviation * Double(bucket.count)
    }
    return (squares / Double(total)).squareRoot()
  }

  /// The value that `percentile` percent of the recorded values do not exceed; nil if there are
  /// none.
  ///
  /// As in HdrHistogram it is the greatest value that shares a bucket with the one at that rank, so
  /// it is never too low and less than 0.1 % too high. It never exceeds the maximum, and percentile
  /// 0 is the minimum and 100 the maximum, exactly.
  ///
  /// - Parameter percentile: 0 to 100; what lies outside is taken as the nearest bound, and what is
  ///   not a number as 0.
  /// - Complexity: O(number of buckets up to the value).
  public func value(atPercentile percentile: Double) -> Int64? {
    guard total > 0 else { return nil }
    guard percentile > 0 else { return lowest }
    guard percentile < 100 else { return highest }
    let rank = Self.rank(ofPercentile: percentile, among: total)
    var bucket = Layout.bucket(of: lowest)
    var passed = 0
    // Eight at once, up to those where the value is among them.
    while bucket + 8 <= Layout.bucketCount {
      var count = 0
      for place in bucket..<bucket + 8 { unsafe count &+= counts[place] }
      guard passed + count < rank else { break }
      passed += count
      bucket += 8
    }
    while bucket < Layout.bucketCount {
      unsafe passed += counts[bucket]
      if passed >= rank { return min(Layout.values(of: bucket).upperBound, highest) }
      bucket += 1
    }
    return highest
  }

  /// The rank, from 1, of the value at `percentile` among `count` sorted ones.
  ///
  /// HdrHistogram's rule: the next double below the percentile, so that one computed from a rank
  /// (100 × rank / count), and rounded up by chance, finds that rank again.
  package static func rank(ofPercentile percentile: Double, among count: Int) -> Int {
    let exact = (percentile.nextDown * Double(count) / 100).rounded(.up)
    // `Double(count)` may exceed every Int.
    return exact >= Double(count) ? count : max(Int(exact), 1)
  }
}
