import Measurement

/// A distribution: exact extremes, percentiles, and the histogram buckets they come from, by which the
/// distributions of several replays can be merged.
public struct Distribution: Codable, Hashable, Sendable {
  /// A bucket of the histogram.
  public struct Bucket: Codable, Hashable, Sendable {
    /// The greatest value that the bucket covers.
    public var upTo: Int64
    /// The number of values in it.
    public var count: Int
  }

  /// The number of values.
  public var count = 0
  /// The least value, exact; nil if there are no values.
  public var minimum: Int64?
  /// The greatest value, exact.
  public var maximum: Int64?
  /// The sum of all values, exact.
  public var sum = ExactSum()
  /// The mean; nil if there are no values.
  public var mean: Double?
  /// Percentiles, exact to 0.1 %, by their names: `50`, `90`, `99`, `99.9`, `99.99`, `99.999`.
  public var percentiles: [String: Int64] = [:]
  /// The number of the event with the greatest value, counted from 0 over all traces.
  public var maximumAtEvent: Int?
  /// The buckets that are not empty, in ascending order.
  public var buckets: [Bucket] = []

  init() {}

  init(_ histogram: borrowing Histogram) {
    var buckets: [Histogram.Bucket] = []
    // Mostly there are no more.
    buckets.reserveCapacity(min(histogram.count, 64))
    histogram.forEachBucket { buckets.append($0) }
    setValues(of: histogram.minimum, histogram.maximum, in: buckets)
    sum = ExactSum(value: histogram.exactSum)
    mean = histogram.mean
    maximumAtEvent = histogram.maximumPosition
  }

  init(_ histogram: borrowing SparseHistogram) {
    setValues(of: histogram.minimum, histogram.maximum, in: histogram.buckets)
    sum = ExactSum(value: histogram.sum)
    mean = histogram.mean
  }

  private mutating func setValues(
    of minimum: Int64?, _ maximum: Int64?, in buckets: [Histogram.Bucket]
  ) {
    (self.minimum, self.maximum) = (minimum, maximum)
    count = buckets.reduce(0) { $0 + $1.count }
    self.buckets = buckets.map { Bucket(upTo: $0.values.upperBound, count: $0.count) }
    guard let minimum, let maximum else { return }
    percentiles.reserveCapacity(Self.percentilesShown.count)
    for percentile in Self.percentilesShown {
      percentiles[percentile.name] = Histogram.value(
        atPercentile: percentile.value, in: buckets, count: count, of: minimum...maximum)
    }
  }

  static let percentilesShown: [(name: String, value: Double)] = [
    ("50", 50), ("90", 90), ("99", 99), ("99.9", 99.9), ("99.99", 99.99), ("99.999", 99.999),
  ]
}
