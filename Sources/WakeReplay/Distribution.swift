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
  /// The mean; nil if there are no values.
  public var mean: Double?
  /// Percentiles, exact to 0.1 %, by their names: `50`, `90`, `99`, `99.9`, `99.99`, `99.999`.
  public var percentiles: [String: Int64] = [:]
  /// The number of the event with the greatest value, counted from 0 over all traces.
  public var maximumAtEvent: Int?
  /// The buckets that are not empty, in ascending order.
  public var buckets: [Bucket] = []

  init(_ histogram: borrowing Histogram) {
    count = histogram.count
    minimum = histogram.minimum
    maximum = histogram.maximum
    mean = histogram.mean
    maximumAtEvent = histogram.maximumPosition
    for percentile in Self.percentilesShown {
      percentiles[percentile.name] = histogram.value(atPercentile: percentile.value)
    }
    histogram.forEachBucket { bucket in
      buckets.append(Bucket(upTo: bucket.values.upperBound, count: bucket.count))
    }
  }

  init(_ histogram: borrowing SparseHistogram) {
    let buckets = histogram.buckets
    count = histogram.count
    minimum = histogram.minimum
    maximum = histogram.maximum
    mean = histogram.mean
    for percentile in Self.percentilesShown {
      percentiles[percentile.name] = histogram.value(atPercentile: percentile.value, in: buckets)
    }
    self.buckets = buckets.map { Bucket(upTo: $0.values.upperBound, count: $0.count) }
  }

  static let percentilesShown: [(name: String, value: Double)] = [
    ("50", 50), ("90", 90), ("99", 99), ("99.9", 99.9), ("99.99", 99.99), ("99.999", 99.999),
  ]

  /// Whether the figures are consistent, with counts up to `limit`: files may hold anything.
  func isPlausible(upTo limit: Int) -> Bool {
    var sum = 0
    for bucket in buckets {
      guard bucket.count >= 0, bucket.count <= limit, bucket.upTo >= 0 else { return false }
      sum += bucket.count
      guard sum <= limit else { return false }
    }
    guard sum == count, (0...0x1p63).contains(mean ?? 0) else { return false }
    return count == 0 || (minimum ?? -1) >= 0 && (minimum ?? 0) <= (maximum ?? -1)
  }

  /// The distribution of the values of several distributions.
  static func merged(_ parts: [Distribution]) -> Distribution {
    var histogram = Histogram()
    for part in parts {
      for bucket in part.buckets where bucket.count > 0 {
        // The extremes of the lowest and the highest bucket are known exactly.
        let value = max(min(bucket.upTo, part.maximum ?? bucket.upTo), part.minimum ?? 0)
        histogram.record(value, count: bucket.count)
      }
    }
    var merged = Distribution(histogram)
    merged.minimum = parts.compactMap(\.minimum).min()
    // In the order of size, so that the order of the parts does not change the last digit.
    let sums = parts.map { ($0.mean ?? 0) * Double($0.count) }.sorted()
    merged.mean = merged.count == 0 ? nil : sums.reduce(0, +) / Double(merged.count)
    merged.maximumAtEvent = parts.count == 1 ? parts[0].maximumAtEvent : nil
    return merged
  }
}
