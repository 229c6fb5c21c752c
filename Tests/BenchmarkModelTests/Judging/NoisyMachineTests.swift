import Foundation
import Testing

@testable import BenchmarkModel

/// Verdicts on series of times as a machine with neighbours gives them.
@Suite("Verdicts on a noisy machine")
struct NoisyMachineTests {
  /// A machine: how its speed changes with time, and what single samples suffer.
  enum Machine: CaseIterable {
    /// Its speed is the same, but for a little.
    case quiet
    /// It becomes slower by half in the course of the comparison.
    case drifting
    /// One sample in ten is interrupted and takes up to five times as long.
    case interrupted
    /// It changes between two speeds, by a third, every few milliseconds.
    case twoSpeeds
    /// The times of a process have one of two levels, a tenth apart, by the layout of its memory.
    case twoLayouts
    /// All of these.
    case everything

    func has(_ other: Machine) -> Bool { self == other || self == .everything }
  }

  /// The pairs of a comparison in random ABBA order, after slower by a fraction.
  private func pairs(
    _ machine: Machine, slower: Double, rounds: Int = 40, quartets: Int = 5,
    _ random: inout SeededNumbers
  ) -> [BenchmarkComparison.Pair] {
    func uniform() -> Double { Double.random(in: 0..<1, using: &random) }
    var pairs: [BenchmarkComparison.Pair] = []
    var speed = 1.0
    for round in 0..<rounds {
      let layouts = (0..<2).map { _ in
        machine.has(.twoLayouts) && uniform() < 0.3 ? 1.1 : 1 + (uniform() - 0.5) * 0.02
      }
      for _ in 0..<quartets {
        let order = random.coin() ? [0, 1, 1, 0] : [1, 0, 0, 1]
        var times: [[Double]] = [[], []]
        for build in order {
          if machine.has(.twoSpeeds), uniform() < 0.2 { speed = speed == 1 ? 1.33 : 1 }
          var time = 100 * speed * layouts[build] * (1 + (uniform() - 0.5) * 0.04)
          if machine.has(.drifting) { time *= 1 + 0.5 * Double(round) / Double(rounds) }
          if machine.has(.interrupted), uniform() < 0.1 { time *= 1 + 4 * uniform() }
          times[build].append(build == 1 ? time * (1 + slower) : time)
        }
        for (before, after) in zip(times[0], times[1]) {
          pairs.append(
            .init(at: UInt64(pairs.count), round: round, before: before, after: after))
        }
      }
    }
    return pairs
  }

  private static let rule = JudgementRule.schedulers

  @Test("alike builds are never called, or less often than allowed", arguments: Machine.allCases)
  func alike(machine: Machine) {
    var random = SeededNumbers(seed: 21)
    var alarms = 0
    for _ in 0..<120 {
      let verdict = Self.rule.judge([pairs(machine, slower: 0, &random)])[0].verdict
      if verdict == .slower || verdict == .faster { alarms += 1 }
    }
    // 0.05 × 120 is 6; one comparison in forty is 3.
    #expect(alarms <= 3, "\(machine): \(alarms) of 120")
  }

  @Test("2 % is called where the machine allows it, and faster never", arguments: Machine.allCases)
  func power(machine: Machine) {
    var random = SeededNumbers(seed: 22)
    var verdicts: [Verdict: Int] = [:]
    // What Holm's method asks of one that is compared with fourteen others.
    var rule = Self.rule
    rule.errorRate /= 15
    for _ in 0..<100 {
      let pairs = pairs(machine, slower: 0.02, &random)
      verdicts[rule.judge([pairs])[0].verdict, default: 0] += 1
    }
    #expect(verdicts[.faster] == nil, "\(machine): \(verdicts)")
    // Layouts that differ by more than the change hide it: then there is no verdict, rather than a wrong one.
    if machine.has(.twoLayouts) {
      #expect(verdicts[.same] == nil, "\(machine): \(verdicts)")
      #expect(verdicts[.inconclusive, default: 0] > 20, "\(machine): \(verdicts)")
    } else {
      #expect(verdicts[.slower, default: 0] >= 90, "\(machine): \(verdicts)")
    }
  }

  @Test("a table says why the medians of all times do not show the change")
  func medians() throws {
    /// Rounds of a level each, after slower by 2 %, in which the build after was met more often where all was fast.
    func result(_ levels: [(level: Double, before: Int, after: Int)]) -> BenchmarkComparison.Result
    {
      var pairs: [BenchmarkComparison.Pair] = []
      for (round, level) in levels.enumerated() {
        for number in 0..<9 {
          let (fast, slow) = (level.level, level.level * 1.3)
          pairs.append(
            .init(
              at: UInt64(pairs.count), round: round, before: number < level.before ? slow : fast,
              after: (number < level.after ? slow : fast) * 1.02))
        }
      }
      let judgement = Self.rule.judge([pairs])[0]
      return .init(name: "part", unit: "event", pairs: pairs, judgement: judgement)
    }
    let plain = result([(level: Double, before: Int, after: Int)](repeating: (100, 0, 0), count: 8))
    #expect(plain.judgement.ratio > 1.019 && plain.medianRemark == nil)
    // The pairs' median ratio is 1.02 in each round; the medians of all are 130 before and 102 after.
    let mixed = result(
      (0..<8).map { _ in (level: 100.0, before: 5, after: 4) })
    let remark = try #require(mixed.medianRemark)
    #expect(remark.hasPrefix("part: the medians of all times differ by −21.5 %, as "), "\(remark)")
    #expect(remark.contains("times have several levels"), "\(remark)")
    let drifting = result(
      (0..<8).map { (level: 100.0 + 20 * Double($0), before: 5, after: 4) })
    let drift = try #require(drifting.medianRemark)
    #expect(drift.contains("the machine's speed changed by"), "\(drift)")
    // It stands in every report.
    var comparison = ExportFixtures.comparison([])
    comparison.results = [mixed]
    #expect(comparison.markdown.contains("medians of all times"), "\(comparison.markdown)")
    #expect(HTMLReport(comparison: comparison).text.contains("medians of all times"))
  }
}
