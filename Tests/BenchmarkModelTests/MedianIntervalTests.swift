import BenchmarkModel
import Testing

@Suite("Confidence interval of the median")
struct MedianIntervalTests {
  /// Confidences computed from whole-number binomials by another program.
  @Test(
    "Ranks of the median's interval",
    arguments: [
      (6, 0.95, 1, 0.96875), (7, 0.95, 1, 0.984375), (8, 0.95, 1, 0.9921875),
      (9, 0.95, 2, 0.9609375), (10, 0.95, 2, 0.978515625), (15, 0.95, 4, 0.96484375),
      (20, 0.95, 6, 0.9586105347), (25, 0.95, 8, 0.9567147493), (30, 0.95, 10, 0.9572260547),
      (100, 0.95, 40, 0.9647997998), (8, 0.99, 1, 0.9921875), (6, 0.96875, 1, 0.96875),
      (1, 0.0001, 1, 0),
    ] as [(Int, Double, Int, Double)])
  func ranks(count: Int, confidence: Double, rank: Int, reached: Double) throws {
    guard reached > 0 else {
      #expect(Statistics.medianRank(count: count, confidence: confidence) == nil)
      return
    }
    let found = try #require(Statistics.medianRank(count: count, confidence: confidence))
    #expect(found.rank == rank, "of \(count) at \(confidence)")
    #expect(abs(found.confidence - reached) < 1e-8, "of \(count) at \(confidence)")
  }

  @Test("Every rank up to 60 values agrees with whole-number binomials")
  func exactRanks() throws {
    for count in 1...60 {
      var (outside, choose, expected) = (0 as UInt64, 1 as UInt64, 0)
      let all = (1 as UInt64) << UInt64(count)
      for rank in 1...(count + 1) / 2 {
        outside += 2 * choose
        // 1 - outside / all >= 0.95, in whole numbers.
        if outside <= all, UInt128(all - outside) * 20 >= UInt128(all) * 19 { expected = rank }
        choose = UInt64(UInt128(choose) * UInt128(count - rank + 1) / UInt128(rank))
      }
      let found = Statistics.medianRank(count: count, confidence: 0.95)?.rank ?? 0
      #expect(found == expected, "of \(count) values")
    }
  }

  @Test("Many values neither overflow nor vanish")
  func manyValues() throws {
    let found = try #require(Statistics.medianRank(count: 100_000, confidence: 0.95))
    // The normal approximation: n/2 - 1.96 * sqrt(n)/2 = 49690.1.
    #expect(abs(found.rank - 49_690) <= 1)
    #expect(found.confidence >= 0.95)
    #expect(found.confidence < 0.952)
  }

  @Test("The interval is made of the sample's own values")
  func interval() throws {
    let values = [7.5, 1, 9, 3, 2, 8, 4, 6, 5, 10]
    let interval = try #require(Statistics.confidenceIntervalOfMedian(of: values))
    #expect(interval.lower == 2)
    #expect(interval.upper == 9)
    #expect(abs(interval.confidence - 0.978515625) < 1e-12)
  }

  @Test("Too few values, or no confidence to speak of, have no interval")
  func noInterval() {
    #expect(Statistics.confidenceIntervalOfMedian(of: []) == nil)
    #expect(Statistics.confidenceIntervalOfMedian(of: [1, 2, 3, 4, 5]) == nil)
    for confidence in [0, 1, -1, 2, .nan] {
      let interval = Statistics.confidenceIntervalOfMedian(
        of: [1, 2, 3, 4, 5, 6], confidence: confidence)
      #expect(interval == nil, "at \(confidence)")
    }
  }
}
