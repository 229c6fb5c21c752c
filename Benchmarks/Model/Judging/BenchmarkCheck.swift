import Measurement

/// The findings of a check of a run: exact metrics first, then instructions, then times.
public struct BenchmarkCheck: Sendable {
  /// The outcome for one metric.
  public enum Outcome: String, Codable, Sendable {
    /// Within its threshold.
    case fine
    /// So far below its threshold that the threshold should be lowered.
    case better
    /// Above its threshold.
    case regression
    /// It was not measured or cannot be compared.
    case unknown
  }

  /// One metric and its threshold.
  public struct Finding: Codable, Hashable, Sendable {
    /// The benchmark.
    public var benchmark: String
    /// The metric: a counter's name, `digest` or `time`.
    public var what: String
    /// The outcome.
    public var outcome: Outcome
    /// A text with both values.
    public var message: String

    /// Makes a finding.
    public init(benchmark: String, what: String, outcome: Outcome, message: String) {
      self.benchmark = benchmark
      self.what = what
      self.outcome = outcome
      self.message = message
    }
  }

  /// All findings.
  public private(set) var findings: [Finding] = []

  private let run: BenchmarkRun
  private let bars: BenchmarkBars
  private let timeTolerance: Double

  /// Whether any metric is above its threshold.
  public var hasRegression: Bool { findings.contains { $0.outcome == .regression } }
  /// Whether any metric is unknown.
  public var hasUnknown: Bool { findings.contains { $0.outcome == .unknown } }

  /// Compares the results of a run with thresholds.
  ///
  /// - Parameters:
  ///   - countsInstructions: Whether instructions are compared.
  ///   - timeTolerance: The tolerated increase of times, as a fraction. Times of two runs differ more than those of one
  ///     comparison, so only large increases can be distinguished from noise.
  public init(
    _ run: BenchmarkRun, against bars: BenchmarkBars, countsInstructions: Bool,
    timeTolerance: Double = 0.25
  ) {
    self.run = run
    self.bars = bars
    self.timeTolerance = timeTolerance
    for result in run.results { checkDigest(result) }
    for name in BenchmarkBars.exactCounters {
      for result in run.results { check(name, of: result) }
    }
    if countsInstructions {
      for result in run.results { checkInstructions(of: result) }
    }
    for result in run.results { checkTime(result) }
    // Report a threshold that no metric was compared with.
    let looked = Set(findings.map(\.benchmark))
    for result in run.results where !looked.contains(result.name) {
      note(result.name, "result", .unknown, "none of its metrics was compared with a threshold")
    }
    for skip in run.skipped where bars.benchmarks[skip.name] != nil {
      note(skip.name, "result", .unknown, "it was skipped: \(skip.reason)")
    }
  }

  private mutating func note(
    _ benchmark: String, _ what: String, _ outcome: Outcome, _ message: String
  ) {
    findings.append(
      Finding(benchmark: benchmark, what: what, outcome: outcome, message: message))
  }

  private mutating func checkDigest(_ result: BenchmarkResult) {
    guard let bar = bars.benchmarks[result.name] else {
      return note(result.name, "result", .unknown, "it has no threshold")
    }
    guard let digest = bar.digest else { return }
    note(
      result.name, "digest", digest == result.digest ? .fine : .regression,
      digest == result.digest ? digest : "\(result.digest) instead of \(digest)")
  }

  /// Reports that instructions should be compared and are not.
  private mutating func checkInstructions(of result: BenchmarkResult) {
    guard let bar = bars.benchmarks[result.name] else { return }
    let names = BenchmarkBars.instructionCounters.filter { bar.counters[$0.rawValue] != nil }
    if names.isEmpty {
      note(result.name, "instructions", .unknown, "there is no threshold for instructions")
    }
    for name in names where name != .instructions || isSameMachine { check(name, of: result) }
  }

  /// Whether the thresholds are not known to be of another machine.
  private var isSameMachine: Bool { bars.machine?.isLike(run.machine) ?? true }

  private mutating func check(_ name: BenchmarkCounter.Name, of result: BenchmarkResult) {
    guard let bar = bars.benchmarks[result.name]?.counters[name.rawValue] else { return }
    if let reason = difference(for: name) {
      return note(result.name, name.rawValue, .unknown, reason)
    }
    guard let value = result.value(of: name) else {
      let reason = result.counters.first { $0.name == name }?.reason
      return note(result.name, name.rawValue, .unknown, reason ?? "it was not counted")
    }
    let tolerance = bars.tolerances[name.rawValue] ?? 0
    let outcome: Outcome =
      if value > bar * (1 + tolerance) {
        .regression
      } else if value < bar * (1 - tolerance) {
        .better
      } else {
        .fine
      }
    note(
      result.name, name.rawValue, outcome,
      "\(value) / \(result.unit), threshold \(bar)"
        + (tolerance > 0 ? " plus \(Quantity.percentage(tolerance))" : ""))
  }

  /// The reason why the thresholds of a counter do not apply to this build; nil if they do.
  ///
  /// Instructions depend on the compiler, allocations on optimisation, and bytes on the compression library.
  private func difference(for name: BenchmarkCounter.Name) -> String? {
    let isInstructions = BenchmarkBars.instructionCounters.contains(name)
    let isBytes = name == .bytesPerEvent
    let all: [(what: String, bar: String?, own: String?, matters: Bool)] = [
      ("compiler", bars.compiler, run.build.compiler, isInstructions),
      ("architecture", bars.architecture, run.machine.architecture, isInstructions),
      ("configuration", bars.configuration, run.build.configuration, !isBytes),
      ("compression", bars.compression, run.build.compression, isInstructions || isBytes),
    ]
    for (what, bar, own, matters) in all where matters && bar != own {
      guard let bar else {
        // Exact metrics are compared anyway.
        if !isInstructions { continue }
        return "the thresholds have no \(what)"
      }
      return "the threshold is of \(bar), and this build of \(own ?? "unknown \(what)")"
    }
    return nil
  }

  private mutating func checkTime(_ result: BenchmarkResult) {
    guard let threshold = bars.benchmarks[result.name] else { return }
    guard let bar = threshold.time else {
      // Only thresholds that are to have times have a machine.
      if bars.machine != nil {
        note(result.name, "time", .unknown, "the baseline has too few samples of it")
      }
      return
    }
    if let machine = bars.machine, !isSameMachine {
      return note(
        result.name, "time", .unknown,
        "the thresholds are of another machine, \(machine.summary), and this one is "
          + run.machine.summary)
    }
    guard let time = BenchmarkBars.Time(result) else {
      return note(result.name, "time", .unknown, "there are too few samples")
    }
    let limit = 1 + timeTolerance
    let outcome: Outcome =
      if time.lower > bar.upper * limit {
        .regression
      } else if time.upper < bar.lower / limit {
        .better
      } else if time.upper <= bar.upper * limit {
        .fine
      } else {
        .unknown
      }
    note(
      result.name, "time", outcome,
      "\(time.median) ns / \(result.unit), threshold \(bar.median) ns plus "
        + Quantity.percentage(timeTolerance))
  }
}
