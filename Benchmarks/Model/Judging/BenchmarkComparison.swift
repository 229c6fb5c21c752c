/// What came of comparing two builds, with every pair of samples.
public struct BenchmarkComparison: Codable, Hashable, Sendable {
  /// Two samples taken one right after the other, one of each build.
  public struct Pair: Codable, Hashable, Sendable {
    /// When the first of them began, in nanoseconds since the comparison did.
    public var at: UInt64
    /// The pair of processes that they come from, from 0. Pairs of one are not independent.
    public var round: Int
    /// Nanoseconds an operation of the build before.
    public var before: Double
    /// Nanoseconds an operation of the build after.
    public var after: Double

    /// Makes a pair.
    public init(at: UInt64, round: Int, before: Double, after: Double) {
      self.at = at
      self.round = round
      self.before = before
      self.after = after
    }
  }

  /// What times a comparison takes.
  public enum Clock: String, Codable, Hashable, Sendable {
    /// Time on processors, of all threads.
    case processor
    /// Time by the clock.
    case wall

    /// As people say it.
    public var words: String {
      switch self {
      case .processor: "time on processors"
      case .wall: "time by the clock"
      }
    }
  }

  /// One benchmark in both builds.
  public struct Result: Codable, Hashable, Sendable {
    /// The benchmark.
    public var name: String
    /// What one operation is.
    public var unit: String
    /// In the order of time.
    public var pairs: [Pair]
    /// What they say.
    public var judgement: Judgement

    /// Makes a result.
    public init(name: String, unit: String, pairs: [Pair], judgement: Judgement) {
      self.name = name
      self.unit = unit
      self.pairs = pairs
      self.judgement = judgement
    }
  }

  /// The schema; see ``BenchmarkRun/schemaVersion``.
  public var schemaVersion: Int = BenchmarkRun.schemaVersion
  /// What made it, with its version.
  public var tool: String
  /// When it began (ISO 8601, UTC).
  public var startedAt: String
  /// Where it ran.
  public var machine: MachineDescription
  /// The build that is the yardstick.
  public var before: BuildDescription
  /// The build that is judged.
  public var after: BuildDescription
  /// Where the random order began.
  public var seed: UInt64
  /// What verdicts were reached by.
  public var rule: JudgementRule
  /// What the pairs' times are; nil in files that were written before this was told.
  public var clock: Clock?
  /// In the order of the suites.
  public var results: [Result] = []
  /// What could not be compared.
  public var skipped: [BenchmarkRun.Skip] = []
  /// What must be known with the verdicts, a sentence each; nil is nothing.
  public var caveats: [String]?
  /// Whether anything was left out that should not have been: the comparison failed.
  public var hasFailure: Bool { skipped.contains { $0.isFailure == true } }

  /// Makes a comparison without results.
  public init(
    tool: String, startedAt: String, machine: MachineDescription, before: BuildDescription,
    after: BuildDescription, seed: UInt64, rule: JudgementRule, clock: Clock? = nil
  ) {
    self.tool = tool
    self.startedAt = startedAt
    self.machine = machine
    self.before = before
    self.after = after
    self.seed = seed
    self.rule = rule
    self.clock = clock
  }
}
