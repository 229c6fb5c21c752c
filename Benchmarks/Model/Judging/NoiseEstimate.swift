/// The behaviour of a rule under a machine's noise, estimated from comparisons of a build with itself.
///
/// If both builds are the same, the ratio of a round and its inverse are equally likely. Rounds that are resampled and
/// inverted at random therefore give any number of simulated comparisons without a difference, or with one by which the
/// ratios are multiplied.
public struct NoiseEstimate: Sendable {
  /// The fraction of comparisons that report any benchmark as slower or faster.
  public let falseAlarmRate: Double
  /// The standard deviation of a round, as a fraction, for each benchmark.
  public let deviations: [Double]
  /// The least change that nine in ten comparisons report as slower, for each benchmark; nil if there is none up to 50 %.
  public let smallestChanges: [Double?]

  /// The changes to try: from 0.5 % to 50 %, each a tenth greater.
  static let changes: [Double] = {
    var changes = [0.005]
    while let last = changes.last, last * 1.1 <= 0.5 { changes.append(last * 1.1) }
    return changes
  }()

  /// Estimates from rounds.
  ///
  /// - Parameters:
  ///   - roundRatios: The ratios of the rounds, for each benchmark.
  ///   - rounds: The number of rounds of a comparison.
  ///   - seed: The seed of the random numbers.
  ///   - trials: The number of simulated comparisons for each figure.
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
    // A single changed benchmark must pass the strictest level.
    let level = rule.errorRate / Double(max(1, measured.count))
    let floor = logarithm(1 + rule.noiseFloor)
    var smallest: [Double?] = []
    for values in measured {
      let trials = (0..<max(1, trials / 5)).map { _ in Self.draw(rounds, of: values, &random) }
      smallest.append(
        changes(seenBy: { change in
          let shift = logarithm(1 + change)
          let seen = trials.count { trial in
            Statistics.signedRankTest(trial.map { $0 + shift }, beyond: floor) <= level
          }
          return Double(seen) >= 0.9 * Double(trials.count)
        }))
    }
    smallestChanges = smallest

    func changes(seenBy isSeen: (Double) -> Bool) -> Double? { Self.changes.first(where: isSeen) }
  }

  /// Rounds drawn with replacement, each inverted with a probability of one half.
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
