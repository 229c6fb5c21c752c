import BenchmarkModel
import Testing

@Suite("Statistics")
struct StatisticsTests {
  @Test("Median")
  func median() {
    #expect(Statistics.median(of: []) == nil)
    #expect(Statistics.median(of: [3]) == 3)
    #expect(Statistics.median(of: [9, 1, 4]) == 4)
    #expect(Statistics.median(of: [9, 1, 4, 6]) == 5)
  }

  @Test(
    "Percentiles are R's type 7",
    arguments: [
      (-5, 15), (0, 15), (5, 16), (25, 20), (30, 23), (40, 29), (50, 35), (75, 40), (100, 50),
      (200, 50), (.nan, 15),
    ] as [(Double, Double)])
  func percentiles(percentile: Double, expected: Double) throws {
    let value = try #require(Statistics.percentile(percentile, of: [50, 20, 40, 15, 35]))
    #expect(abs(value - expected) < 1e-9, "percentile \(percentile)")
  }

  @Test("Median absolute deviation")
  func medianAbsoluteDeviation() {
    #expect(Statistics.medianAbsoluteDeviation(of: []) == nil)
    #expect(Statistics.medianAbsoluteDeviation(of: [8]) == 0)
    #expect(Statistics.medianAbsoluteDeviation(of: [1, 1, 2, 2, 4, 6, 9]) == 1)
    #expect(Statistics.medianAbsoluteDeviation(of: [1, 2, 3, 4, 1000]) == 1)
  }
}
