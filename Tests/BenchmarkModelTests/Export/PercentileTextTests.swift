import BenchmarkModel
import Measurement
import Testing

@Suite("HdrHistogram's percentile text")
struct PercentileTextTests {
  private static func latencies(_ values: [Int64]) throws -> BenchmarkResult.Latencies {
    var histogram = Histogram()
    for value in values { histogram.record(value) }
    let latencies = BenchmarkResult.Latencies(histogram)
    return try #require(latencies)
  }

  @Test("A text, whole")
  func whole() throws {
    let latencies = try Self.latencies([1, 2, 3, 3, 3, 10, 100, 1000, 100_000])
    #expect(
      latencies.percentileDistribution == """
               Value     Percentile TotalCount 1/(1-Percentile)

               1.000 0.000000000000          1           1.00
               1.000 0.100000000000          1           1.11
               2.000 0.200000000000          2           1.25
               3.000 0.300000000000          5           1.43
               3.000 0.400000000000          5           1.67
               3.000 0.500000000000          5           2.00
               3.000 0.550000000000          5           2.22
              10.000 0.600000000000          6           2.50
              10.000 0.650000000000          6           2.86
             100.000 0.700000000000          7           3.33
             100.000 0.750000000000          7           4.00
             100.000 0.775000000000          7           4.44
            1000.000 0.800000000000          8           5.00
            1000.000 0.825000000000          8           5.71
            1000.000 0.850000000000          8           6.67
            1000.000 0.875000000000          8           8.00
            1000.000 0.887500000000          8           8.89
          100000.000 0.900000000000          9          10.00
          100000.000 1.000000000000          9
        #[Mean    =    11235.778, StdDeviation   =    31384.401]
        #[Max     =   100000.000, Total count    =            9]
        #[Buckets =           53, SubBuckets     =         2048]

        """)
  }

  @Test("One value is told at both ends")
  func one() throws {
    let lines = try Self.latencies([7]).percentileDistribution.split(separator: "\n")
    #expect(lines[1] == "       7.000 0.000000000000          1           1.00")
    #expect(lines[2] == "       7.000 1.000000000000          1")
    #expect(lines.count == 6)
  }

  @Test("Wide figures still have a space before them")
  func wide() throws {
    let text = try Self.latencies([.max, 1]).percentileDistribution
    for line in text.split(separator: "\n").dropFirst() where !line.hasPrefix("#") {
      #expect(line.hasPrefix(" "), "\(line)")
    }
  }
}
