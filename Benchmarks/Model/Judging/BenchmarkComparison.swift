/// The result of a comparison of two builds, with every pair of samples.
public struct BenchmarkComparison: Codable, Hashable, Sendable {
  /// Two successive samples, one of each build.
  public struct Pair: Codable, Hashable, Sendable {
    /// The start of the first sample, in nanoseconds since the start of the comparison.
    public var at: UInt64
    /// The round, that is pair of processes, from 0. Pairs of one round are not independent.
    public var round: Int
    /// Nanoseconds an operation, of the build before.
    public var before: Double
    /// Nanoseconds an operation, of the build after.
    public var after: Double

    /// Makes a pair.
    public init(at: UInt64, round: Int, before: Double, after: Double) {
      self.at = at
      self.round = round
      self.before = before
      self.after = after
    }
  }

  /// The clock of a comparison.
  public enum Clock: String, Codable, Hashable, Sendable {
    /// Processor time of all threads.
    case processor
    /// Elapsed time.
    case wall

    /// In words.
    public var words: String {
      switch self {
      case .processor: "processor time"
      case .wall: "elapsed time"
      }
    }
  }

  /// One benchmark in both builds.
  public struct Result: Codable, Hashable, Sendable {
    /// The benchmark.
    public var name: String
    /// The unit of an operation.
    public var unit: String
    /// All pairs, in the order of time.
    public var pairs: [Pair]
    /// The verdict on the pairs.
    public var judgement: Judgement
    /// What an iteration computed; nil in older files.
    public var work: Work?

    /// Makes a result.
    public init(
      name: String, unit: String, pairs: [Pair], judgement: Judgement, work: Work? = nil
    ) {
      self.work = work
      self.name = name
      self.unit = unit
      self.pairs = pairs
      self.judgement = judgement
    }
  }

  /// What an iteration of a benchmark computed in both builds.
  public struct Work: Codable, Hashable, Sendable {
    /// The digest before, 16 hexadecimal digits; empty where a build reports none.
    public var digestBefore: String
    /// The digest after.
    public var digestAfter: String
    /// The wakes before, where schedulers under test are compared.
    public var wakesBefore: Int?
    /// The wakes after.
    public var wakesAfter: Int?
    /// Whether both are known to have computed the same.
    public var isSame: Bool { digestBefore == digestAfter && wakesBefore == wakesAfter }

    /// Makes it.
    public init(
      digestBefore: String, digestAfter: String, wakesBefore: Int? = nil, wakesAfter: Int? = nil
    ) {
      self.digestBefore = digestBefore
      self.digestAfter = digestAfter
      self.wakesBefore = wakesBefore
      self.wakesAfter = wakesAfter
    }
  }

  /// The schema; see ``BenchmarkRun/schemaVersion``.
  public var schemaVersion: Int = BenchmarkRun.schemaVersion
  /// The program that made it, with its version.
  public var tool: String
  /// When it began (ISO 8601, UTC).
  public var startedAt: String
  /// The machine.
  public var machine: MachineDescription
  /// The reference build.
  public var before: BuildDescription
  /// The build under test.
  public var after: BuildDescription
  /// The seed of the random order.
  public var seed: UInt64
  /// The rule of the verdicts.
  public var rule: JudgementRule
  /// The clock of the pairs' times; nil in older files.
  public var clock: Clock?
  /// The compared benchmarks, in the order of the suites.
  public var results: [Result] = []
  /// The benchmarks that could not be compared.
  public var skipped: [BenchmarkRun.Skip] = []
  /// Caveats on the verdicts, a sentence each; nil is none.
  public var caveats: [String]?
  /// Whether the comparison failed: a benchmark was skipped because of a failure.
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
