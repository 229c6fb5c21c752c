import BenchmarkModel
import Measurement
import Testing
import WakeTestSupport

/// The histogram against the sorted values themselves.
@Suite("Histogram's accuracy")
struct HistogramAccuracyTests {
  /// What the values are like.
  enum Scale: CaseIterable {
    case oneValue, below3000, microseconds, twoPeaks, powersOfTwo, anyMagnitude, longTail, years
    case everything

    func value(_ generator: inout SplitMix64) -> Int64 {
      func random(_ range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &generator) }
      switch self {
      case .oneValue: return 1_234_567
      case .below3000: return random(0...3000)
      case .microseconds: return random(500...90_000)
      case .twoPeaks: return random(0...1) == 0 ? 1500 : random(2_000_000...3_000_000)
      case .powersOfTwo: return 1 << random(0...62)
      case .anyMagnitude: return random(0...Int64.max) >> random(0...62)
      case .longTail: return 1_000_000_000_000 / random(1...1_000_000_000)
      case .years: return random(0...100_000_000_000_000_000)
      case .everything: return random(0...Int64.max)
      }
    }
  }

  @Test("Every rank, and every figure", arguments: Scale.allCases)
  func accuracy(scale: Scale) throws {
    let name = "\(scale)"
    var generator = SplitMix64(seed: 2026)
    var histogram = Histogram()
    var values: [Int64] = []
    for position in 0..<20_000 {
      let next = scale.value(&generator)
      values.append(next)
      histogram.record(next, position: position)
    }
    let sorted = values.sorted()

    // Every value in order falls into the bucket that iteration gives at its rank.
    var rank = 0
    histogram.forEachBucket { bucket in
      for _ in 0..<bucket.count {
        if !(bucket.values ~= sorted[rank]) {
          Issue.record("\(name): rank \(rank), \(sorted[rank]), is counted in \(bucket.values)")
        }
        rank += 1
      }
    }
    #expect(rank == sorted.count, "\(name)")

    var percentiles = Histogram.reportedPercentiles + [0, 100, 1e-6, 0.005, 33.3, 95]
    for _ in 0..<50 { percentiles.append(.random(in: 0...100, using: &generator)) }
    for percentile in percentiles {
      let rank = Histogram.rank(ofPercentile: percentile, among: sorted.count)
      let exact = sorted[rank - 1]
      let value = histogram.value(atPercentile: percentile)
      let found = try #require(value)
      #expect(found >= exact, "\(name): percentile \(percentile) is too low")
      #expect(
        Double(found - exact) <= 0.001 * Double(exact), "\(name): percentile \(percentile) is high")
    }

    #expect(histogram.minimum == sorted.first, "\(name)")
    #expect(histogram.maximum == sorted.last, "\(name)")
    #expect(histogram.value(atPercentile: 100) == sorted.last, "\(name)")
    #expect(histogram.maximumPosition == values.firstIndex(of: sorted[sorted.count - 1]), "\(name)")
    try compareMoments(of: histogram, with: values, name: name)
  }

  private func compareMoments(
    of histogram: borrowing Histogram, with values: [Int64], name: String
  ) throws {
    let count = Double(values.count)
    let mean = values.reduce(0.0) { $0 + Double($1) } / count
    let squares = values.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    let deviation = (squares / count).squareRoot()
    let summary = histogram.summary()
    let found = try #require(summary)
    #expect(abs(found.mean - mean) <= 1e-9 * mean, "\(name): mean")
    // Half a bucket is 0.05 % of a value, of the mean where the spread is small.
    #expect(
      abs(found.standardDeviation - deviation) <= 0.0005 * (deviation + mean), "\(name): deviation")
  }
}
