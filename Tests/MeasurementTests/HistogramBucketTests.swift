import Testing

@testable import Measurement

@Suite("Histogram's buckets")
struct HistogramBucketTests {
  @Test("Buckets follow each other without gap or overlap, from 0 to Int64.max")
  func tiling() {
    #expect(Histogram.Layout.bucketCount % Histogram.blockSize == 0)
    var next: Int64 = 0
    for bucket in 0..<Histogram.Layout.bucketCount {
      let values = Histogram.Layout.values(of: bucket)
      guard values.lowerBound == next else {
        Issue.record("bucket \(bucket) begins at \(values.lowerBound), not at \(next)")
        return
      }
      guard bucket < Histogram.Layout.bucketCount - 1 else {
        #expect(values.upperBound == .max)
        return
      }
      next = values.upperBound + 1
    }
  }

  @Test("Both ends of every bucket are counted in it, and it is narrower than 0.1 %")
  func ends() {
    for bucket in 0..<Histogram.Layout.bucketCount {
      let values = Histogram.Layout.values(of: bucket)
      let found = [values.lowerBound, values.upperBound].map(Histogram.Layout.bucket(of:))
      guard found == [bucket, bucket] else {
        Issue.record("the ends of bucket \(bucket), \(values), are counted in \(found)")
        return
      }
      let width = Double(values.upperBound - values.lowerBound)
      guard width <= Double(values.lowerBound) / 1000 else {
        Issue.record("bucket \(bucket), \(values), is wider than 0.1 %")
        return
      }
    }
  }

  @Test(
    "The layout is HdrHistogram's for 3 digits",
    arguments: [
      (0, 0, 0), (1, 1, 1), (2047, 2047, 2047), (2048, 2048, 2049), (2049, 2048, 2049),
      (4095, 4094, 4095), (4096, 4096, 4099), (10_000, 10_000, 10_007),
      (1_000_000, 999_936, 1_000_447), (Int64.max, Int64.max - (1 << 52) + 1, Int64.max),
    ] as [(Int64, Int64, Int64)])
  func equivalentValues(value: Int64, first: Int64, last: Int64) {
    let values = Histogram.Layout.values(of: Histogram.Layout.bucket(of: value))
    #expect(values == first...last, "the values equivalent to \(value)")
  }

  @Test("Iteration gives what was recorded, in ascending order")
  func iteration() {
    var histogram = Histogram()
    histogram.record(5000, count: 3)
    histogram.record(7)
    histogram.record(.max, count: 2)
    histogram.record(5001)
    var buckets: [Histogram.Bucket] = []
    histogram.forEachBucket { buckets.append($0) }
    #expect(buckets.map(\.count) == [1, 4, 2])
    #expect(buckets.first?.values == 7...7)
    #expect(buckets.dropFirst().first?.values == 5000...5003)
    #expect(buckets.last?.values.upperBound == .max)
  }

  @Test("Nothing recorded is no bucket, and an error ends the iteration")
  func iterationEnds() {
    struct Stop: Error {}
    var histogram = Histogram()
    histogram.forEachBucket { Issue.record("an empty histogram gave \($0)") }
    histogram.record(1)
    histogram.record(2)
    var seen = 0
    do throws(Stop) {
      try histogram.forEachBucket { _ throws(Stop) in
        seen += 1
        throw Stop()
      }
      Issue.record("the error was lost")
    } catch {
      #expect(seen == 1)
    }
  }
}
