import Measurement

/// What holding a run against bars found, exact things first, then instructions, then times.
public struct BenchmarkCheck: Sendable {
  /// How one figure stands.
  public enum Outcome: String, Codable, Sendable {
    /// Within its bar.
    case fine
    /// So far below its bar that the bar should be lowered.
    case better
    /// Above its bar.
    case regression
    /// It cannot be told.
    case unknown
  }

  /// One figure and its bar.
  public struct Finding: Codable, Hashable, Sendable {
    /// The benchmark.
    public var benchmark: String
    /// What was held against a bar: a counter's name, `digest` or `time`.
    public var what: String
    /// How it stands.
    public var outcome: Outcome
    /// In words, with both figures.
    public var message: String

    /// Makes a finding.
    public init(benchmark: String, what: String, outcome: Outcome, message: String) {
      self.benchmark = benchmark
      self.what = what
      self.outcome = outcome
      self.message = message
    }
  }

  /// Everything that was looked at.
  public private(set) var findings: [Finding] = []

  private let run: BenchmarkRun
  private let bars: BenchmarkBars
  private let timeTolerance: Double

  /// Whether anything is worse than its bar.
  public var hasRegression: Bool { findings.contains { $0.outcome == .regression } }
  /// Whether anything cannot be told.
  public var hasUnknown: Bool { findings.contains { $0.outcome == .unknown } }

  /// Holds the results of a run against bars.
  ///
  /// - Parameters:
  ///   - countsInstructions: Whether instructions are held against theirs; else they are not looked at.
  ///   - timeTolerance: How much longer times may be, as a fraction. Times of two runs differ by more
  ///     than those of one comparison, so only much more is told from noise.
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
    // A bar that nothing was held against is no bar.
    let looked = Set(findings.map(\.benchmark))
    for result in run.results where !looked.contains(result.name) {
      note(result.name, "result", .unknown, "nothing of it was held against a bar")
    }
    for skip in run.skipped where bars.benchmarks[skip.name] != nil {
      note(skip.name, "result", .unknown, "it was left out: \(skip.reason)")
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
      return note(result.name, "result", .unknown, "there is no bar for it")
    }
    guard let digest = bar.digest else { return }
    note(
      result.name, "digest", digest == result.digest ? .fine : .regression,
      digest == result.digest ? digest : "\(result.digest), and the bar says \(digest)")
  }

  /// Whoever wants instructions held against a bar must learn of it when they are not.
  private mutating func checkInstructions(of result: BenchmarkResult) {
    guard let bar = bars.benchmarks[result.name] else { return }
    let names = BenchmarkBars.instructionCounters.filter { bar.counters[$0.rawValue] != nil }
    if names.isEmpty {
      note(result.name, "instructions", .unknown, "the bars tell none")
    }
    for name in names where name != .instructions || isSameMachine { check(name, of: result) }
  }

  /// Whether the bars do not say that they are of another machine.
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
      "\(value) / \(result.unit), and the bar is \(bar)"
        + (tolerance > 0 ? " with \(Quantity.percentage(tolerance)) more" : ""))
  }

  /// Why the bars of a counter do not hold for this build; nil if they do.
  ///
  /// Other code takes other instructions. Without optimisation it allocates otherwise, and what deflates
  /// otherwise writes other bytes.
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
        // Of what is exact the figures decide.
        if !isInstructions { continue }
        return "the bars do not tell their \(what)"
      }
      return "the bar is of \(bar), and this build of \(own ?? "what is not told")"
    }
    return nil
  }

  private mutating func checkTime(_ result: BenchmarkResult) {
    guard let bar = bars.benchmarks[result.name]?.time else { return }
    if let machine = bars.machine, !isSameMachine {
      return note(
        result.name, "time", .unknown,
        "the bars are of another machine, \(machine.summary), and this one is "
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
      "\(time.median) ns / \(result.unit), and the bar is \(bar.median) ns with "
        + "\(Quantity.percentage(timeTolerance)) more")
  }
}
