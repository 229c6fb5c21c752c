internal import Glibc
import Measurement
import PageDrawing

extension BenchmarkResult.Latencies {
  /// The percentiles in HdrHistogram's text format, which its plotters read, in nanoseconds.
  ///
  /// As in HdrHistogram, five lines halve the distance to 100 %, each with the greatest value of a bucket.
  ///
  /// - Complexity: O(buckets + lines).
  public var percentileDistribution: String {
    var text = "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
    var level = 0.0
    var passed = 0
    for bucket in buckets {
      passed += bucket.count
      while 100 * Double(passed) / Double(count) >= level {
        text += Self.line(bucket.upTo, level: level, passed: passed)
        // Once all values are counted, only the maximum follows.
        guard passed < count else { break }
        level = Self.level(after: level)
      }
    }
    text += Self.line(maximum, level: 100, passed: count)
    let subBuckets = 2 << Histogram.Layout.halfBits
    return text + """
      #[Mean    = \(Self.figure(mean)), StdDeviation   = \(Self.figure(standardDeviation))]
      #[Max     = \(Self.figure(Double(maximum))), Total count    = \(Self.whole(count))]
      #[Buckets = \(Self.whole(53)), SubBuckets     = \(Self.whole(subBuckets))]

      """
  }

  private static let linesPerHalving = 5.0

  /// The percentile of the next line: five steps cover half of the distance to 100.
  private static func level(after level: Double) -> Double {
    let halvings = log2(100 / (100 - level)).rounded(.down) + 1
    return level + 100 / (linesPerHalving * exp2(halvings))
  }

  private static func line(_ value: Int64, level: Double, passed: Int) -> String {
    // Always one space before a figure, as some readers need it.
    let head = " " + DecimalText.aligned(DecimalText.fixed(Double(value), decimals: 3), 11)
    let percentile = DecimalText.fixed(level / 100, decimals: 12)
    let rest =
      level < 100
      ? " " + DecimalText.aligned(DecimalText.fixed(1 / (1 - level / 100), decimals: 2), 14) : ""
    return "\(head) \(percentile) \(DecimalText.aligned(String(passed), 10))\(rest)\n"
  }

  private static func figure(_ value: Double) -> String {
    DecimalText.aligned(DecimalText.fixed(value, decimals: 3), 12)
  }

  private static func whole(_ value: Int) -> String { DecimalText.aligned(String(value), 12) }
}
