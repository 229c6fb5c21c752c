import BenchmarkModel
import Testing

@Suite("Sign test and corrections")
struct SignTestTests {
  /// At least how many of how many, and of 2 to that how many ways.
  private static let ways: [(heads: Int, count: Int, ways: Double)] = [
    (0, 10, 1_024), (10, 10, 1), (9, 10, 11), (5, 10, 638), (3, 5, 16), (11, 10, 0), (1, 1, 1),
    (15, 20, 21_700),
  ]

  @Test("tosses of fair coins have the binomial distribution", arguments: ways)
  func heads(atLeast heads: Int, of count: Int, ways: Double) {
    let expected = (0..<count).reduce(ways) { half, _ in half / 2 }
    let probability = Statistics.probabilityOfHeads(atLeast: heads, of: count)
    #expect(abs(probability - expected) < 1e-14, "\(heads) of \(count): \(probability)")
  }

  @Test("many tosses neither overflow nor vanish")
  func manyHeads() {
    #expect(abs(Statistics.probabilityOfHeads(atLeast: 5_001, of: 10_001) - 0.5) < 1e-12)
    // About ten standard deviations out.
    let far = Statistics.probabilityOfHeads(atLeast: 5_500, of: 10_000)
    #expect(far > 0 && far < 1e-20, "\(far)")
  }

  @Test("counts values beyond the floor to the side that has more")
  func signTest() {
    // 9 of 10 above: 2 × 11 / 1024.
    let values = [0.02, 0.03, 0.04, 0.02, 0.05, 0.02, 0.02, 0.06, 0.02, 0.0]
    #expect(abs(Statistics.signTest(values, beyond: 0.01) - 22.0 / 1024) < 1e-14)
    #expect(abs(Statistics.signTest(values.map(-), beyond: 0.01) - 22.0 / 1024) < 1e-14)
    #expect(Statistics.signTest(values, beyond: 0.1) == 1)
    #expect(Statistics.signTest([]) == 1)
  }

  @Test("agrees with the interval of the median, whatever the values")
  func agreesWithInterval() throws {
    var generator = SeededNumbers(seed: 3)
    var beyond = 0
    for round in 0..<500 {
      let count = Int.random(in: 1...40, using: &generator)
      let shift = Double.random(in: -1...1, using: &generator)
      let values = (0..<count).map { _ in Double.random(in: -1...1, using: &generator) + shift }
      for confidence in [0.5, 0.9, 0.95, 0.99, 0.9983] {
        let interval = Statistics.confidenceIntervalOfMedian(of: values, confidence: confidence)
        let excludes = interval.map { $0.lower > 0.1 || $0.upper < -0.1 } ?? false
        let rejects = Statistics.signTest(values, beyond: 0.1) <= 1 - confidence + 1e-12
        #expect(excludes == rejects, "round \(round), \(count) values, \(confidence)")
        beyond += excludes ? 1 : 0
      }
    }
    #expect(beyond > 200, "too few rounds to tell: \(beyond)")
  }

  @Test("Holm's correction has its known values")
  func holm() {
    // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
    let adjusted = Statistics.holm([0.01, 0.04, 0.03, 0.005])
    for (value, expected) in zip(adjusted, [0.03, 0.06, 0.06, 0.02]) {
      #expect(abs(value - expected) < 1e-15, "\(adjusted)")
    }
    #expect(Statistics.holm([0.6, 0.9]) == [1, 1])
    #expect(Statistics.holm([]) == [])
  }

  @Test("a line has its known slope and error")
  func line() throws {
    // R: summary(lm(c(1, 3, 2, 5) ~ c(1, 2, 3, 4)))
    let fit = try #require(LineFit([(1, 1), (2, 3), (3, 2), (4, 5)]))
    #expect(abs(fit.slope - 1.1) < 1e-12)
    #expect(abs(fit.intercept - 0) < 1e-12)
    #expect(abs(try #require(fit.slopeError) - 0.519_615_242_270_663) < 1e-12)
    let two = try #require(LineFit([(0, 1), (2, 5)]))
    #expect(two.slope == 2 && two.slopeError == nil)
    #expect(LineFit([(1, 1), (1, 2)]) == nil)
    #expect(LineFit([(1, 1)]) == nil)
  }
}
