/// The verdict of a comparison on a benchmark.
public enum Verdict: String, Codable, Hashable, Sendable {
  /// Slower by more than the noise floor.
  case slower
  /// Faster by more than the noise floor.
  case faster
  /// The difference is small.
  case same
  /// The measurements are inconclusive.
  case inconclusive
}

/// The rule of the verdicts.
public struct JudgementRule: Codable, Hashable, Sendable {
  /// The greatest probability that any benchmark whose change is within the noise floor is reported as slower or faster.
  public var errorRate: Double
  /// Changes up to this fraction are never reported as slower or faster: the layout of a program in memory causes such
  /// changes.
  public var noiseFloor: Double
  /// A change that certainly lies within this fraction is reported as same; not less than ``noiseFloor`` in the rules of
  /// this program.
  public var sameWithin: Double

  /// The ``noiseFloor`` for two programs of one layout each: builds of the same source have differed by 9 % because of
  /// the positions of their functions.
  public static let singleLayoutFloor: Double = 0.10

  /// The rule for two schedulers under test: these libraries are shipped in the layout in which they are measured, so no
  /// change is that of a layout alone.
  public static let schedulers = JudgementRule(noiseFloor: 0.005, sameWithin: 0.01)

  /// Makes a rule.
  public init(errorRate: Double = 0.05, noiseFloor: Double = 0.02, sameWithin: Double = 0.03) {
    self.errorRate = errorRate
    self.noiseFloor = noiseFloor
    self.sameWithin = sameWithin
  }

  /// The rule with another noise floor. Changes within it are the same, however wide it is.
  public func withNoiseFloor(_ floor: Double) -> JudgementRule {
    JudgementRule(
      errorRate: errorRate, noiseFloor: floor, sameWithin: max(sameWithin, floor))
  }
}

/// The judgement of the pairs of a benchmark.
public struct Judgement: Codable, Hashable, Sendable {
  /// The verdict.
  public var verdict: Verdict
  /// The ratio of the time after to the time before: the centre of the rounds (``Statistics/centre(of:)``).
  public var ratio: Double
  /// The lower bound of the confidence interval of the ratio; nil with too few rounds.
  public var lower: Double?
  /// The upper bound of the interval.
  public var upper: Double?
  /// The exact confidence of the interval, corrected for the number of benchmarks.
  public var confidence: Double?
  /// The p-value: the probability of such rounds if the change is within the noise floor, corrected likewise.
  public var pValue: Double
  /// The ratio of each round, which the rule judges.
  public var rounds: [Double]
}

extension JudgementRule {
  /// Judges all benchmarks of a comparison together.
  ///
  /// Rounds, that is pairs of processes, are independent; the value of a round is the median ratio of its pairs. A
  /// benchmark is slower or faster if a signed-rank test on their logarithms finds the centre beyond the noise floor, with
  /// p-values corrected for the number of benchmarks by Holm's method. The test asks that rounds are symmetric about their
  /// centre: where both builds are alike, they are, as the builds take turns at random. The interval is that of the test at
  /// the confidence that Holm's method requires for the benchmark, so it never contradicts the verdict.
  ///
  /// - Parameter benchmarks: The pairs of each.
  /// - Complexity: O(n log n) in the number of pairs.
  public func judge(_ benchmarks: [[BenchmarkComparison.Pair]]) -> [Judgement] {
    judge(roundRatios: benchmarks.map(Self.roundRatios))
  }

  /// For each round, the median ratio of its pairs.
  static func roundRatios(_ pairs: [BenchmarkComparison.Pair]) -> [Double] {
    var logarithms: [Int: [Double]] = [:]
    for pair in pairs where pair.before > 0 && pair.after > 0 {
      logarithms[pair.round, default: []].append(logarithm(pair.after / pair.before))
    }
    return logarithms.sorted { $0.key < $1.key }
      .compactMap { Statistics.median(of: $0.value).map(exponential) }
  }

  package func judge(roundRatios: [[Double]]) -> [Judgement] {
    let logarithms = roundRatios.map { $0.map(logarithm) }
    let floor = logarithm(1 + noiseFloor)
    let pValues = logarithms.map { Statistics.signedRankTest($0, beyond: floor) }
    let adjusted = Statistics.holm(pValues)
    let order = pValues.indices.sorted { pValues[$0] < pValues[$1] }
    // Holm's level increases with the rank, up to the first benchmark that is not significant.
    var levels = [Double](repeating: errorRate, count: pValues.count)
    var level = errorRate
    for (step, index) in order.enumerated() {
      if step == 0 || adjusted[order[step - 1]] <= errorRate {
        level = errorRate / Double(order.count - step)
      }
      levels[index] = level
    }
    return pValues.indices.map {
      judge(
        logarithms[$0], ratios: roundRatios[$0], pValue: adjusted[$0], confidence: 1 - levels[$0])
    }
  }

  private func judge(
    _ logarithms: [Double], ratios: [Double], pValue: Double, confidence: Double
  ) -> Judgement {
    let interval = Statistics.confidenceIntervalOfCentre(of: logarithms, confidence: confidence)
    let centre = Statistics.centre(of: logarithms) ?? 0
    let verdict: Verdict
    if pValue <= errorRate {
      verdict = centre > 0 ? .slower : .faster
    } else if let interval, max(-interval.lower, interval.upper) <= logarithm(1 + sameWithin) {
      verdict = .same
    } else {
      verdict = .inconclusive
    }
    return Judgement(
      verdict: verdict, ratio: exponential(centre), lower: interval.map { exponential($0.lower) },
      upper: interval.map { exponential($0.upper) }, confidence: interval?.confidence,
      pValue: pValue, rounds: ratios)
  }
}
