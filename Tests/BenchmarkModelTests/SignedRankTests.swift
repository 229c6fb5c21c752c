import BenchmarkModel
import Testing

@Suite("Signed-rank test")
struct SignedRankTests {
  @Test("the p-values are those of R")
  func known() {
    // R: wilcox.test(c(1.1, 2.2, 3.3, 4.4, 5.5, 6.6))$p.value, of 64 ways 2.
    let rising = [1.1, 2.2, 3.3, 4.4, 5.5, 6.6]
    #expect(Statistics.signedRankTest(rising) == 2.0 / 64)
    #expect(Statistics.signedRankTest(rising.map(-)) == 2.0 / 64)
    // The ranks of the negative ones sum to 5: 10 of 64 ways give at most that.
    let mixed = [-1.1, 2.2, 3.3, -4.4, 5.5, 6.6]
    #expect(Statistics.signedRankTest(mixed) == 2.0 * 10 / 64)
    // All but the least are beyond 2: the ranks above are 1 + … + 5 without 2.
    #expect(Statistics.signedRankTest([9, 9.5, 10, 10.5, 11, 11.5], beyond: 8) == 2.0 / 64)
    #expect(Statistics.signedRankTest([9, 9.5, 10, 10.5, 11, 11.5], beyond: 12) == 1)
    #expect(Statistics.signedRankTest([]) == 1)
    #expect(Statistics.signedRankTest([0, 0, 0]) == 1)
  }

  @Test("the centre is the median of the means of all pairs")
  func centre() throws {
    #expect(Statistics.centre(of: [1, 2, 6]) == 2.75)
    #expect(Statistics.centre(of: []) == nil)
    // An outlier moves it little.
    let centre = try #require(Statistics.centre(of: [1, 1.1, 0.9, 1, 1.05, 0.95, 50]))
    #expect(abs(centre - 1) < 0.06, "\(centre)")
  }

  @Test("agrees with its interval, whatever the values")
  func agreesWithInterval() throws {
    var generator = SeededNumbers(seed: 4)
    var beyond = 0
    for round in 0..<300 {
      let count = Int.random(in: 1...30, using: &generator)
      let shift = Double.random(in: -1...1, using: &generator)
      let values = (0..<count).map { _ in
        // Some are equal.
        (Double.random(in: -1...1, using: &generator) * 20).rounded() / 20 + shift
      }
      for confidence in [0.5, 0.9, 0.95, 0.99, 0.9983] {
        let interval = Statistics.confidenceIntervalOfCentre(of: values, confidence: confidence)
        let excludes = interval.map { $0.lower > 0.1 || $0.upper < -0.1 } ?? false
        let rejects = Statistics.signedRankTest(values, beyond: 0.1) <= 1 - confidence + 1e-12
        #expect(excludes == rejects, "round \(round), \(count) values, \(confidence)")
        beyond += excludes ? 1 : 0
        guard let interval else { continue }
        let centre = try #require(Statistics.centre(of: values))
        #expect(interval.lower <= centre && centre <= interval.upper)
        #expect(interval.confidence >= confidence - 1e-12)
      }
    }
    #expect(beyond > 200, "too few rounds to tell: \(beyond)")
  }

  @Test("five values give no interval of 95 %, six do, and many are no problem")
  func sizes() throws {
    #expect(Statistics.confidenceIntervalOfCentre(of: [1, 2, 3, 4, 5]) == nil)
    let six = try #require(Statistics.confidenceIntervalOfCentre(of: [1, 2, 3, 4, 5, 6]))
    #expect(six.lower == 1 && six.upper == 6 && six.confidence == 1 - 2.0 / 64)
    let many = (1...200).map(Double.init)
    let interval = try #require(Statistics.confidenceIntervalOfCentre(of: many))
    // The normal approximation: 100.5 ± 1.96 × 57.7 × 1.02 / √200.
    #expect(abs(interval.lower - 92.3) < 0.5 && abs(interval.upper - 108.7) < 0.5, "\(interval)")
    #expect(Statistics.signedRankTest(many) < 1e-30)
  }
}
