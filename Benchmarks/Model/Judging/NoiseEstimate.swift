/// What a rule makes of a machine's noise, estimated from comparisons of a build with itself.
///
/// Where both builds are one, each round's ratio might as well be its inverse. So rounds that were
/// measured, drawn at random and turned over by chance, make up as many comparisons as one likes, whose
/// builds do not differ, or differ by what they are multiplied with.
public struct NoiseEstimate: Sendable {
  /// The share of comparisons that call any benchmark slower or faster.
  public let falseAlarmRate: Double
  /// For each benchmark the standard deviation of a round, as a fraction.
  public let deviations: [Double]
  /// For each benchmark the least of the changes tried that nine in ten comparisons call slower; nil if
  /// there is none up to a half.
  public let smallestChanges: [Double?]

  /// Changes that are tried: from 0.5 %, each a tenth greater, up to a half.
  static let changes: [Double] = {
    var changes = [0.005]
    while let last = changes.last, last * 1.1 <= 0.5 { changes.append(last * 1.1) }
    return changes
  }()

  /// Estimates from rounds.
  ///
  /// - Parameters:
  ///   - roundRatios: For each benchmark, by which time after as a multiple of that before.
  ///   - rounds: How many a comparison has.
  ///   - seed: Where chance begins.
  ///   - trials: How many comparisons are made up for each figure.
  /// - Complexity: O(benchmarks × trials × rounds).
  public init(
    rule: JudgementRule, roundRatios: [[Double]], rounds: Int, seed: UInt64, trials: Int = 1_000
  ) {
    var random = SeededNumbers(seed: seed)
    let measured = roundRatios.map { $0.map(logarithm) }
    deviations = measured.map { values in
      let squares = values.reduce(0) { $0 + $1 * $1 }
      return (squares / Double(max(1, values.count))).squareRoot()
    }
    var alarms = 0
    for _ in 0..<trials {
      let drawn = measured.map { Self.draw(rounds, of: $0, &random).map(exponential) }
      let calls = rule.judge(roundRatios: drawn)
      if calls.contains(where: { $0.verdict == .slower || $0.verdict == .faster }) { alarms += 1 }
    }
    falseAlarmRate = Double(alarms) / Double(max(1, trials))
    // A single benchmark that changed must pass the strictest level of all.
    let level = rule.errorRate / Double(max(1, measured.count))
    let floor = logarithm(1 + rule.noiseFloor)
    var smallest: [Double?] = []
    for values in measured {
      let trials = (0..<max(1, trials / 5)).map { _ in Self.draw(rounds, of: values, &random) }
      smallest.append(
        changes(seenBy: { change in
          let shift = logarithm(1 + change)
          let seen = trials.count { trial in
            Statistics.signTest(trial.map { $0 + shift }, beyond: floor) <= level
          }
          return Double(seen) >= 0.9 * Double(trials.count)
        }))
    }
    smallestChanges = smallest

    func changes(seenBy isSeen: (Double) -> Bool) -> Double? { Self.changes.first(where: isSeen) }
  }

  /// Rounds drawn with replacement, each turned over by the toss of a coin.
  private static func draw(
    _ count: Int, of values: [Double], _ random: inout SeededNumbers
  ) -> [Double] {
    guard !values.isEmpty else { return [] }
    return (0..<count).map { _ in
      let value = values[Int(random.next() % UInt64(values.count))]
      return random.coin() ? value : -value
    }
  }
}
