import BenchmarkModel
import Measurement
import Testing
import WakeTestSupport

@Suite("Histogram")
struct HistogramTests {
  @Test("Nothing recorded has no figures")
  func empty() {
    let histogram = Histogram()
    #expect(histogram.count == 0)
    #expect(histogram.minimum == nil)
    #expect(histogram.maximum == nil)
    #expect(histogram.maximumPosition == nil)
    #expect(histogram.mean == nil)
    #expect(histogram.standardDeviation == nil)
    #expect(histogram.value(atPercentile: 50) == nil)
    #expect(histogram.summary() == nil)
  }

  @Test("Small values are exact")
  func smallValues() {
    var histogram = Histogram()
    for value: Int64 in [2, 4, 4, 4, 5, 5, 7, 9] { histogram.record(value) }
    #expect(histogram.count == 8)
    #expect(histogram.minimum == 2)
    #expect(histogram.maximum == 9)
    #expect(histogram.mean == 5)
    #expect(histogram.standardDeviation == 2)
    #expect(histogram.value(atPercentile: 0) == 2)
    #expect(histogram.value(atPercentile: 12.5) == 2)
    #expect(histogram.value(atPercentile: 12.6) == 4)
    #expect(histogram.value(atPercentile: 50) == 4)
    #expect(histogram.value(atPercentile: 75) == 5)
    #expect(histogram.value(atPercentile: 90) == 9)
    #expect(histogram.value(atPercentile: 100) == 9)
  }

  @Test("Recording several is recording each, beside values with a position")
  func several() {
    var one = Histogram()
    var other = Histogram()
    var random = SplitMix64(seed: 18)
    for round in 0..<500 {
      let values = (0..<Int.random(in: 0...20, using: &random)).map { _ in
        Int64(truncatingIfNeeded: random.next() >> UInt64.random(in: 0..<64, using: &random))
      }
      for value in values where value >= 0 { one.record(value) }
      other.record(each: values.count) { values[$0] }
      one.record(Int64(round) << 50, position: round)
      other.record(Int64(round) << 50, position: round)
    }
    #expect(one.summary() == other.summary())
    #expect(one.maximumPosition == other.maximumPosition)
    #expect(one.minimum == other.minimum)
    var buckets: [Histogram.Bucket] = []
    one.forEachBucket { buckets.append($0) }
    var place = 0
    other.forEachBucket {
      #expect($0 == buckets[place])
      place += 1
    }
    #expect(place == buckets.count)
  }

  @Test("A percentile is the greatest equivalent value, but never above the maximum")
  func equivalentValues() {
    var histogram = Histogram()
    histogram.record(10_000, count: 9)
    #expect(histogram.value(atPercentile: 50) == 10_000)
    histogram.record(1_000_000)
    #expect(histogram.value(atPercentile: 50) == 10_007)
    #expect(histogram.value(atPercentile: 90) == 10_007)
    #expect(histogram.value(atPercentile: 99) == 1_000_000)
    #expect(histogram.mean == 109_000)
  }

  @Test("Percentiles out of range are taken as the nearest")
  func percentilesOutOfRange() {
    var histogram = Histogram()
    histogram.record(3)
    histogram.record(8)
    #expect(histogram.value(atPercentile: -1) == 3)
    #expect(histogram.value(atPercentile: .nan) == 3)
    #expect(histogram.value(atPercentile: -.infinity) == 3)
    #expect(histogram.value(atPercentile: 101) == 8)
    #expect(histogram.value(atPercentile: .infinity) == 8)
  }

  @Test("A percentile computed from a rank finds that rank")
  func ranks() {
    for count in 1...1000 {
      for rank in 1...count {
        let percentile = 100 * Double(rank) / Double(count)
        let found = Histogram.rank(ofPercentile: percentile, among: count)
        guard found == rank else {
          Issue.record("rank \(rank) of \(count) became \(found)")
          return
        }
      }
    }
    #expect(Histogram.rank(ofPercentile: 100, among: .max) == Int(0x1p63.nextDown))
    #expect(Histogram.rank(ofPercentile: 1e-300, among: 10) == 1)
  }

  @Test("The maximum has its position, the least of equal ones")
  func maximumPosition() {
    var histogram = Histogram()
    histogram.record(5)
    #expect(histogram.maximumPosition == nil)
    histogram.record(5, position: 12)
    #expect(histogram.maximumPosition == 12)
    histogram.record(5, position: 3)
    histogram.record(5, position: 8)
    histogram.record(5)
    #expect(histogram.maximumPosition == 3)
    histogram.record(4, position: 1)
    #expect(histogram.maximumPosition == 3)
    histogram.record(6, position: 90)
    #expect(histogram.maximumPosition == 90)
    histogram.record(7)
    #expect(histogram.maximumPosition == nil)
  }

  @Test("What does not fit is clamped and counted")
  func clamping() {
    var histogram = Histogram()
    histogram.record(-1, position: 4)
    histogram.record(.min, count: 2)
    #expect(histogram.count == 3)
    #expect(histogram.minimum == 0)
    #expect(histogram.maximum == 0)
    #expect(histogram.maximumPosition == 4)
    #expect(histogram.clampedCount == 3)
    histogram.record(1, count: 0)
    histogram.record(1, count: .min)
    #expect(histogram.count == 3)
    #expect(histogram.clampedCount == 3)

    histogram.record(.max, count: .max)
    #expect(histogram.count == .max)
    #expect(histogram.clampedCount == 6)
    #expect(histogram.maximum == .max)
    #expect(histogram.value(atPercentile: 50) == .max)
    histogram.record(1)
    #expect(histogram.count == .max)
    #expect(histogram.clampedCount == 7)

    var other = Histogram()
    other.merge(histogram)
    histogram.merge(other)
    #expect(histogram.count == .max)
    #expect(histogram.clampedCount == .max)
  }

  @Test("Merging is recording into one, in any order")
  func merging() {
    var generator = SplitMix64(seed: 7)
    var left = Histogram()
    var right = Histogram()
    var both = Histogram()
    for position in 0..<10_000 {
      let value = Int64.random(in: 0...1 << 20, using: &generator)
      if Bool.random(using: &generator) {
        left.record(value, position: position)
      } else {
        right.record(value, position: position)
      }
      both.record(value, position: position)
    }
    left.record(1 << 30, position: 20_001)
    right.record(1 << 30, position: 20_000)
    both.record(1 << 30, count: 2, position: 20_000)
    var reversed = Histogram()
    reversed.merge(right)
    reversed.merge(left)
    left.merge(right)
    #expect(left.summary() == both.summary())
    #expect(reversed.summary() == both.summary())
    #expect(left.maximumPosition == 20_000)
    let haveSameBuckets = buckets(of: left) == buckets(of: both)
    #expect(haveSameBuckets)

    left.merge(Histogram())
    #expect(left.summary() == both.summary())
    var none = Histogram()
    none.merge(both)
    #expect(none.summary() == both.summary())
  }

  @Test(
    "Counts beyond 16 bits are counts like others, whatever way they came about",
    arguments: [65_535, 65_536, 65_537, 200_000])
  func greatCounts(count: Int) {
    var one = Histogram(isTouched: false)
    var other = Histogram()
    var both = Histogram()
    for _ in 0..<count { one.record(9) }
    one.record(1 << 40, count: count)
    other.record(each: count) { _ in 9 }
    for left in stride(from: count, to: 0, by: -40_000) {
      other.record(1 << 40, count: min(left, 40_000))
    }
    both.merge(one)
    both.merge(other)
    // Between them, and beyond.
    let few: [Int64] = [8, 10, 700, 1 << 30, 1 << 50]
    for value in few { both.record(value) }
    for (recorded, times) in [
      (buckets(of: one), 1), (buckets(of: other), 1), (buckets(of: both), 2),
    ] {
      for value in [9, 1 << 40] as [Int64] {
        let found = recorded.filter { $0.values.contains(value) }.map(\.count)
        #expect(found == [times * count], "\(value)")
      }
    }
    for value in few {
      let found = buckets(of: both).filter { $0.values.contains(value) }.map(\.count)
      #expect(found == [1], "\(value)")
    }
    #expect(buckets(of: both).count == 2 + few.count)
    #expect(one.summary() == other.summary())
    #expect(one.value(atPercentile: 50) == 9)
    #expect(one.value(atPercentile: 100 * Double(count + 1) / Double(2 * count)) == 1 << 40)
    #expect(both.count == 4 * count + few.count)
    // In the middle of 8, many times 9, 10, 700, 2^30, as many times 2^40, and 2^50.
    #expect(both.value(atPercentile: 50) == 700)
    // The rest of what fits.
    both.record(5)
    both.record(5, count: .max)
    #expect(both.count == .max)
    #expect(both.clampedCount == 4 * count + few.count + 1)
    #expect(
      buckets(of: both).first { $0.values.contains(5) }?.count == .max - 4 * count - few.count)
  }

  @Test("The summary has the figures asked for")
  func summary() throws {
    var histogram = Histogram()
    for value: Int64 in 1...1000 { histogram.record(value, position: Int(value)) }
    let figures = histogram.summary(percentiles: [50, 99.9])
    let summary = try #require(figures)
    #expect(summary.count == 1000)
    #expect(summary.minimum == 1)
    #expect(summary.maximum == 1000)
    #expect(summary.maximumPosition == 1000)
    #expect(summary.mean == 500.5)
    #expect(summary.percentiles.map(\.percentile) == [50, 99.9])
    #expect(summary.percentiles.map(\.value) == [500, 999])
    #expect(histogram.summary()?.percentiles.count == Histogram.reportedPercentiles.count)
  }

  @Test("Recording allocates nothing", .enabled(if: AllocationCounter.isAvailable))
  func allocations() {
    var histogram = Histogram()
    let made = AllocationCounter.allocations {
      var value: Int64 = -5
      while value < 100_000_000 {
        histogram.record(value, position: 3)
        value += 12_345
      }
    }
    #expect(made.count == 0)
    #expect(histogram.count == 8101)
  }

  private func buckets(of histogram: borrowing Histogram) -> [Histogram.Bucket] {
    var buckets: [Histogram.Bucket] = []
    histogram.forEachBucket { buckets.append($0) }
    return buckets
  }
}
