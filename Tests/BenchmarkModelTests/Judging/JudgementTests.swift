import Foundation
import Testing
@testable import BenchmarkModel

@Suite("Verdicts")
struct JudgementTests {
  /// Ratios of rounds whose logarithms are about normal, with a change and outliers now and then.
  private func rounds(
    _ count: Int, change: Double = 0, deviation: Double, _ generator: inout SeededNumbers
  ) -> [Double] {
    (0..<count).map { _ in
      let twelve = (0..<12).reduce(-6.0) { sum, _ in
        sum + Double.random(in: 0..<1, using: &generator)
      }
      let outlier = Int.random(in: 0..<20, using: &generator) == 0 ? 10.0 : 1
      return exp(log(1 + change) + twelve * deviation * outlier)
    }
  }

  @Test("clear cases")
  func clearCases() {
    let rule = JudgementRule()
    func verdict(_ ratios: [Double]) -> Verdict { rule.judge(roundRatios: [ratios])[0].verdict }
    #expect(verdict([1.05, 1.04, 1.06, 1.05, 1.05, 1.05]) == .slower)
    #expect(verdict([0.95, 0.94, 0.96, 0.95, 0.95, 0.95]) == .faster)
    #expect(verdict([1.001, 0.999, 1, 1.002, 1, 1]) == .same)
    #expect(verdict([1.3, 0.8, 1, 1.2, 0.9, 1.05]) == .inconclusive)
    #expect(verdict([1.05, 1.04, 1.06, 1.05, 1.05]) == .inconclusive, "five rounds tell nothing")
    // Beyond nothing, but within the floor.
    #expect(verdict([1.005, 1.004, 1.006, 1.005, 1.005, 1.005]) == .same)
    #expect(verdict([]) == .inconclusive)
  }

  @Test("a round counts once, however many pairs it has")
  func roundsCountOnce() {
    var pairs: [BenchmarkComparison.Pair] = []
    for number in 0..<300 {
      pairs.append(.init(at: UInt64(number), round: number % 3, before: 10, after: 11))
    }
    let judgement = JudgementRule().judge([pairs])[0]
    #expect(judgement.rounds.count == 3)
    #expect(judgement.verdict == .inconclusive)
    #expect(abs(judgement.ratio - 1.1) < 1e-12)
  }

  @Test("builds that do not differ are called slower or faster less often than allowed")
  func falseAlarms() {
    var generator = SeededNumbers(seed: 11)
    // Without a floor and with all the error there is, the rate must still hold.
    let rule = JudgementRule(errorRate: 0.05, noiseFloor: 0, sameWithin: 0.03)
    var alarms = 0
    let comparisons = 600
    for _ in 0..<comparisons {
      let benchmarks = (0..<8).map { _ in rounds(20, deviation: 0.03, &generator) }
      let calls = rule.judge(roundRatios: benchmarks)
      if calls.contains(where: { $0.verdict == .slower || $0.verdict == .faster }) { alarms += 1 }
    }
    // 0.05 × 600 is 30; five standard deviations more are 57.
    #expect(alarms <= 57, "\(alarms) of \(comparisons)")
    #expect(alarms > 0, "no alarm at all: the test is inconclusive")
  }

  @Test("a change of 5 % among many benchmarks is called, and nothing else")
  func power() {
    var generator = SeededNumbers(seed: 12)
    let rule = JudgementRule()
    var seen = 0
    var others = 0
    for _ in 0..<200 {
      let benchmarks =
        [rounds(20, change: 0.05, deviation: 0.015, &generator)]
        + (0..<25).map { _ in rounds(20, deviation: 0.015, &generator) }
      let calls = rule.judge(roundRatios: benchmarks).map(\.verdict)
      if calls[0] == .slower { seen += 1 }
      others += calls.dropFirst().count { $0 == .slower || $0 == .faster }
    }
    // Nine in ten is what is asked of real comparisons.
    #expect(seen >= 180, "\(seen) of 200 seen")
    #expect(others <= 2, "\(others) others called")
  }

  @Test("intervals never contradict verdicts, and are corrected")
  func intervalsAgree() {
    var generator = SeededNumbers(seed: 13)
    let rule = JudgementRule()
    var called = 0
    for _ in 0..<200 {
      let benchmarks = (0..<6).map {
        rounds(16, change: Double($0) * 0.012, deviation: 0.02, &generator)
      }
      for judgement in rule.judge(roundRatios: benchmarks) {
        guard let lower = judgement.lower, let upper = judgement.upper else { continue }
        switch judgement.verdict {
        case .slower: #expect(lower > 1.02)
        case .faster: #expect(upper < 1 / 1.02)
        case .same: #expect(upper <= 1.03 + 1e-12 && lower >= 1 / 1.03 - 1e-12)
        case .inconclusive: #expect(lower <= 1.02 + 1e-12 && upper >= 1 / 1.02 - 1e-12)
        }
        called += judgement.verdict == .slower ? 1 : 0
        #expect((judgement.confidence ?? 0) >= 1 - rule.errorRate)
      }
    }
    #expect(called > 100, "\(called)")
    // One of six must reach 1 − 0.05 / 6 at first.
    let few = rule.judge(roundRatios: [[Double]](repeating: [1, 1, 1, 1, 1, 1, 1], count: 6))
    #expect(few.allSatisfy { $0.lower == nil }, "seven rounds reach 0.984 only")
  }

  @Test("the estimate of noise finds what it was given")
  func noise() throws {
    var generator = SeededNumbers(seed: 14)
    let measured = [0.002, 0.02].map { rounds(200, deviation: $0, &generator) }
    let noise = NoiseEstimate(
      rule: JudgementRule(), roundRatios: measured, rounds: 20, seed: 1, trials: 300)
    #expect(noise.falseAlarmRate < 0.05)
    let quiet = try #require(noise.smallestChanges[0])
    let loud = try #require(noise.smallestChanges[1])
    #expect(quiet > 0.02 && quiet < 0.03, "\(quiet)")
    #expect(loud > quiet && loud < 0.08, "\(loud)")
    #expect(noise.deviations[0] < noise.deviations[1])
    let wild = rounds(200, deviation: 2, &generator)
    let none = NoiseEstimate(
      rule: JudgementRule(), roundRatios: [wild], rounds: 20, seed: 1, trials: 100)
    #expect(none.smallestChanges == [nil])
  }
}
