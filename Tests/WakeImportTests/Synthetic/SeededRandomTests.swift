import Testing

@testable import WakeImport

@Suite("Random numbers of workloads")
struct SeededRandomTests {
  @Test("are SplitMix64's")
  func referenceNumbers() {
    // Of the generator's published reference implementation, for the seed 1234567.
    var random = SeededRandom(seed: 1_234_567)
    let expected: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
    ]
    #expect(expected.map { _ in random.next() } == expected)
  }

  @Test("give gaps of the mean asked for, about exponentially distributed")
  func gaps() {
    for mean in [Int64(3), 1_000, 12_000_000, 20_000_000_000_000_000] {
      var random = SeededRandom(seed: 9)
      let gap = MeanGap(mean)
      let gaps = (0..<100_000).map { _ in Double(random.gap(gap)) }
      let average = gaps.reduce(0, +) / 100_000 / Double(mean)
      // Small ones are rounded down, by a half on average.
      #expect(abs(average + 0.5 / Double(mean) - 1) < 0.02, "mean \(mean): \(average)")
      let beyond = gaps.count { $0 > 2 * Double(mean) }
      // Of an exponential distribution 13.5 % are more than twice the mean.
      #expect(mean < 1_000 || abs(beyond - 13_500) < 2_000, "mean \(mean): \(beyond)")
      #expect(gaps.allSatisfy { $0 >= 0 }, "mean \(mean)")
    }
    #expect(MeanGap(20_000_000_000_000_000).gap(0) > 0, "the longest gap does not overflow")
    #expect(MeanGap(0).gap(0) == 0)
  }

  @Test("choose by weight")
  func choice() {
    for count in [1, 2, 7, 100] {
      var random = SeededRandom(seed: 4)
      let choice = WeightedChoice(zipf: count)
      var drawn = [Int](repeating: 0, count: count)
      for _ in 0..<100_000 { drawn[choice.pick(&random)] += 1 }
      let total = (1...count).reduce(0) { $0 + 1 / Double($1) }
      for (place, times) in drawn.enumerated() {
        let expected = 100_000 / Double(place + 1) / total
        #expect(abs(Double(times) - expected) < expected / 10 + 60, "\(place) of \(count)")
      }
    }
  }
}
