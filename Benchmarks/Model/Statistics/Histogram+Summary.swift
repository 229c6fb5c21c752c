public import Measurement

extension Histogram {
  /// The figures of a histogram for a report.
  public struct Summary: Hashable, Sendable {
    /// A percentile and its value.
    public struct Percentile: Hashable, Sendable {
      /// 0 to 100.
      public let percentile: Double
      /// Nanoseconds; see ``Histogram/value(atPercentile:)``.
      public let value: Int64
    }

    /// How many values were recorded, at least 1.
    public let count: Int
    /// The least value, exactly, in nanoseconds.
    public let minimum: Int64
    /// The greatest value, exactly, in nanoseconds.
    public let maximum: Int64
    /// See ``Histogram/maximumPosition``.
    public let maximumPosition: Int?
    /// The mean in nanoseconds.
    public let mean: Double
    /// The standard deviation in nanoseconds.
    public let standardDeviation: Double
    /// The requested percentiles, in their order.
    public let percentiles: [Percentile]
    /// See ``Histogram/clampedCount``.
    public let clampedCount: Int
  }

  /// The population standard deviation, with each value taken as the middle of its bucket as in HdrHistogram;
  /// nil if there are none.
  ///
  /// - Complexity: O(number of buckets up to the maximum).
  public var standardDeviation: Double? {
    guard count > 0 else { return nil }
    var middles = 0.0
    forEachBucket { middles += Double(Self.middle($0)) * Double($0.count) }
    let mean = middles / Double(count)
    var squares = 0.0
    forEachBucket { bucket in
      let deviation = Double(Self.middle(bucket)) - mean
      squares += deviation * deviation * Double(bucket.count)
    }
    return (squares / Double(count)).squareRoot()
  }

  /// The value that stands for a bucket in sums: the middle, rounded up.
  private static func middle(_ bucket: Bucket) -> Int64 {
    bucket.values.lowerBound + (bucket.values.upperBound - bucket.values.lowerBound + 1) / 2
  }

  /// The percentiles that reports show: to five nines.
  public static var reportedPercentiles: [Double] { [50, 90, 99, 99.9, 99.99, 99.999] }

  /// The figures; nil if there are no values.
  ///
  /// - Complexity: O(number of buckets up to the maximum) for each percentile.
  public func summary(percentiles: [Double] = reportedPercentiles) -> Summary? {
    guard let minimum, let maximum, let mean, let standardDeviation else { return nil }
    var values: [Summary.Percentile] = []
    for percentile in percentiles {
      guard let value = value(atPercentile: percentile) else { continue }
      values.append(Summary.Percentile(percentile: percentile, value: value))
    }
    return Summary(
      count: count, minimum: minimum, maximum: maximum, maximumPosition: maximumPosition,
      mean: mean, standardDeviation: standardDeviation, percentiles: values,
      clampedCount: clampedCount)
  }
}
