import Measurement
import Testing

@Suite("Quantities as text")
struct QuantityTests {
  @Test(
    arguments: [
      (0, "0/s"), (0.5, "0.5/s"), (0.004, "0/s"), (1, "1/s"), (12.34, "12.3/s"), (850, "850/s"),
      (999.4, "999/s"), (999.5, "1 thousand/s"), (9994, "9.99 thousand/s"),
      (9996, "10 thousand/s"), (12_345_678, "12.3 million/s"), (96e6, "96 million/s"),
      (1.05e9, "1.05 billion/s"), (3e15, "3000 trillion/s"), (-2500, "-2.5 thousand/s"),
      (.infinity, "n/a"), (.nan, "n/a"),
    ] as [(Double, String)])
  func rate(perSecond: Double, text: String) {
    #expect(Quantity.rate(perSecond: perSecond) == text)
  }

  @Test("A rate of a count and a time, and of no time")
  func rateOfCount() {
    #expect(Quantity.rate(count: 10_000_000, nanoseconds: 104_000_000) == "96.2 million/s")
    #expect(Quantity.rate(count: 0, nanoseconds: 5) == "0/s")
    #expect(Quantity.rate(count: 1, nanoseconds: 0) == "n/a")
    #expect(Quantity.rate(count: 0, nanoseconds: 0) == "n/a")
  }

  @Test(
    arguments: [
      (0, "0 ns"), (0.25, "0.25 ns"), (21.34, "21.3 ns"), (999.6, "1 µs"), (1000, "1 µs"),
      (4560, "4.56 µs"), (4506, "4.51 µs"), (4006, "4.01 µs"), (12_000_000, "12 ms"),
      (1.5e9, "1.5 s"), (59.94e9, "59.9 s"), (59.95e9, "1 min"), (60e9, "1 min"),
      (200e9, "3 min 20 s"), (3599.4e9, "59 min 59 s"), (3599.6e9, "1 h"), (3600e9, "1 h"),
      (12_000e9, "3 h 20 min"), (86_369e9, "23 h 59 min"), (86_371e9, "1 d"),
      (3_477_600e9, "40 d 6 h"), (1e17, "1157 d 10 h"), (-4560, "-4.56 µs"),
      (-200e9, "-3 min 20 s"), (-0.001, "0 ns"), (.infinity, "n/a"), (.nan, "n/a"),
    ] as [(Double, String)])
  func duration(nanoseconds: Double, text: String) {
    #expect(Quantity.duration(nanoseconds: nanoseconds) == text)
  }

  @Test("Whole numbers of nanoseconds, to the ends of their types")
  func wholeDurations() {
    #expect(Quantity.duration(nanoseconds: 0) == "0 ns")
    #expect(Quantity.duration(nanoseconds: 1_250 as UInt64) == "1.25 µs")
    #expect(Quantity.duration(nanoseconds: Int64.max) == "106752 d")
    #expect(Quantity.duration(nanoseconds: Int64.min) == "-106752 d")
    #expect(Quantity.duration(nanoseconds: Double.greatestFiniteMagnitude).hasSuffix(" d"))
  }

  @Test(
    arguments: [
      (0, "0 B"), (512, "512 B"), (999, "999 B"), (1000, "1 kB"), (1_230_000, "1.23 MB"),
      (1_200_000_000, "1.2 GB"), (Int64.max, "9.22 EB"), (-1500, "-1.5 kB"),
    ] as [(Int64, String)])
  func bytes(bytes: Int64, text: String) {
    #expect(Quantity.bytes(bytes) == text)
  }

  @Test("Percentages and factors")
  func ratios() {
    #expect(Quantity.percentage(0.1234) == "12.3 %")
    #expect(Quantity.percentage(-0.005) == "-0.5 %")
    #expect(Quantity.percentage(12.5) == "1250 %")
    #expect(Quantity.percentage(.nan) == "n/a")
    #expect(Quantity.factor(2.414) == "2.41×")
    #expect(Quantity.factor(1e300).hasSuffix("×"))
  }

  @Test(
    arguments: [
      (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (10_000_000, "10,000,000"),
      (-123_456, "-123,456"), (Int64.min, "-9,223,372,036,854,775,808"),
    ] as [(Int64, String)])
  func count(count: Int64, text: String) {
    #expect(Quantity.count(count) == text)
  }
}
