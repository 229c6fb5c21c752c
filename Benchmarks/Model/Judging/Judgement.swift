/// What a comparison says of a benchmark.
public enum Verdict: String, Codable, Hashable, Sendable {
  /// It takes longer, by more than the noise floor.
  case slower
  /// It takes less, by more than the noise floor.
  case faster
  /// Any difference is small.
  case same
  /// The measurements do not tell.
  case inconclusive
}

/// How verdicts are reached.
public struct JudgementRule: Codable, Hashable, Sendable {
  /// The probability, at most, of calling any benchmark of a comparison slower or faster whose change
  /// is within the noise floor.
  public var errorRate: Double
  /// Changes up to this, as a fraction, are never called slower or faster: a program laid out
  /// differently in memory differs by as much.
  public var noiseFloor: Double
  /// A change that is known to lie within this, as a fraction, is called the same.
  public var sameWithin: Double

  /// The ``noiseFloor`` where programs of one layout each are compared and not several layouts of two
  /// revisions: builds of the same source have differed by 9 % for where their functions lay.
  public static let singleLayoutFloor: Double = 0.10

  /// Makes a rule.
  public init(errorRate: Double = 0.05, noiseFloor: Double = 0.02, sameWithin: Double = 0.03) {
    self.errorRate = errorRate
    self.noiseFloor = noiseFloor
    self.sameWithin = sameWithin
  }
}

/// What the pairs of a benchmark say.
public struct Judgement: Codable, Hashable, Sendable {
  /// In a word.
  public var verdict: Verdict
  /// The time after as a multiple of that before: the median over rounds.
  public var ratio: Double
  /// An interval that holds the true ratio with ``confidence``; nil with too few rounds.
  public var lower: Double?
  /// See ``lower``.
  public var upper: Double?
  /// The confidence of the interval, corrected for the number of benchmarks; exact.
  public var confidence: Double?
  /// The probability of such rounds if the change lay within the noise floor, corrected likewise.
  public var pValue: Double
  /// For each round, by which time after as a multiple of that before: what is judged.
  public var rounds: [Double]
}

extension JudgementRule {
  /// Judges all benchmarks of a comparison together.
  ///
  /// Rounds, that is pairs of processes, are what is independent; each counts with the median ratio of
  /// its pairs. A benchmark is slower or faster when a sign test on the rounds' ratios says that the
  /// median ratio is beyond the noise floor, with p-values corrected for the number of benchmarks by
  /// Holm's method. The interval is that of order statistics with the confidence that Holm's method
  /// asks of the benchmark, so it never contradicts the verdict.
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
    let pValues = logarithms.map { Statistics.signTest($0, beyond: floor) }
    let adjusted = Statistics.holm(pValues)
    let order = pValues.indices.sorted { pValues[$0] < pValues[$1] }
    // Holm's level falls with the rank, up to the first benchmark that is not called.
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
    let interval = Statistics.confidenceIntervalOfMedian(of: logarithms, confidence: confidence)
    let median = Statistics.median(of: logarithms) ?? 0
    let verdict: Verdict
    if pValue <= errorRate {
      verdict = median > 0 ? .slower : .faster
    } else if let interval, max(-interval.lower, interval.upper) <= logarithm(1 + sameWithin) {
      verdict = .same
    } else {
      verdict = .inconclusive
    }
    return Judgement(
      verdict: verdict, ratio: exponential(median), lower: interval.map { exponential($0.lower) },
      upper: interval.map { exponential($0.upper) }, confidence: interval?.confidence,
      pValue: pValue, rounds: ratios)
  }
}
