import Measurement
import Testing
import WakeTestSupport

@Suite("A histogram in little memory")
struct SparseHistogramTests {
  @Test("has the figures of a histogram", arguments: [0, 1, 2, 3, 50, 700, 60_000])
  func figures(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    var whole = Histogram()
    var sparse = SparseHistogram()
    var other = SparseHistogram()
    for number in 0..<count {
      // Of every magnitude; some twice, and one that is negative.
      let value = number == 2 ? -1 : Int64(bitPattern: random.next() >> (1 + random.below(63)))
      for _ in 0...random.below(2) {
        whole.record(value)
        if random.below(3) == 0 { sparse.record(value) } else { other.record(value) }
      }
    }
    sparse.merge(other)
    let buckets = sparse.buckets
    var expected: [Histogram.Bucket] = []
    whole.forEachBucket { expected.append($0) }
    #expect(buckets == expected)
    #expect(sparse.count == whole.count)
    #expect(sparse.minimum == whole.minimum && sparse.maximum == whole.maximum)
    #expect(sparse.mean == whole.mean)
    guard let least = sparse.minimum, let greatest = sparse.maximum else { return }
    for percentile in [-1, 0, 0.01, 1, 12.5, 50, 90, 99, 99.9, 99.999, 100, .nan, .infinity] {
      let found = Histogram.value(
        atPercentile: percentile, in: buckets, count: sparse.count, of: least...greatest)
      #expect(found == whole.value(atPercentile: percentile), "\(percentile)")
    }
  }

  @Test("has every bucket at once")
  func everyBucket() {
    var histogram = SparseHistogram()
    for bucket in (0..<Histogram.Layout.bucketCount).reversed() {
      histogram.record(Histogram.Layout.values(of: bucket).upperBound)
    }
    let buckets = histogram.buckets
    #expect(buckets.count == Histogram.Layout.bucketCount)
    #expect(buckets.allSatisfy { $0.count == 1 } && buckets.last?.values.upperBound == .max)
  }
}
