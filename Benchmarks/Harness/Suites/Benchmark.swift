import BenchmarkModel

/// A benchmark: its set-up, outside of the measured region, and the region.
struct Benchmark: Sendable {
  /// Kinds of benchmarks; `run` and `compare` include some by default.
  enum Tag: String, CaseIterable, Sendable {
    /// A part of the program.
    case micro
    /// A whole replay.
    case macro
    /// Fast enough for every check of a change.
    case short
    /// One of several sizes that form a cost curve; not compared by default.
    case scaling
    /// Takes more than a few seconds; excluded by default.
    case long
    /// Needs the real data in `Traces/real`.
    case data
  }

  /// A benchmark that has been set up.
  struct Prepared {
    /// Operations in an iteration.
    var operations: Int
    /// The measured region: runs the given number of iterations, each with the same result, and returns the digest of the
    /// last.
    var measure: (_ iterations: Int) throws -> UInt64
    /// A digest of the state after the last iteration, computed once outside of the region, for a region whose own digest
    /// is weak because computing a strong one would be measured too.
    var outcome: (() throws -> UInt64)?
    /// Whether only the outcome is compared with the expected digest, as the region's own digest may differ between
    /// machines. Within a process it must stay the same.
    var isJudgedByOutcomeAlone = false
    /// Measures the latencies of an iteration, where single operations are timed; not part of the region.
    var latencies: (() throws -> BenchmarkResult.Latencies?)?
    /// The wakes of the last iteration, where a scheduler under test is measured.
    var wakes: (() -> Int)?
    /// Counters that need no measurement, such as bytes an event.
    var counters: [BenchmarkCounter] = []

    init(operations: Int, measure: @escaping (_ iterations: Int) throws -> UInt64) {
      self.operations = operations
      self.measure = measure
    }
  }

  /// The position of a benchmark on a cost curve.
  struct Place: Sendable {
    /// The curve: `replay/events`.
    var curve: String
    /// The variable: `events`.
    var variable: String
    var size: Int
  }

  /// A path from the general to the particular: `coalescer/quiet/10`.
  var name: String
  /// One line for lists.
  var summary: String
  var tags: Set<Tag>
  /// The unit of an operation: `event`, `wake`, `look-up`.
  var unit: String
  /// The iterations before counts that must repeat exactly.
  var exactIterations = 1
  /// Whether it measures the latencies of single operations, as whole replays do.
  var timesSingleOperations: Bool { tags.contains(.macro) }
  /// Its position on a cost curve, if it has one.
  var place: Place?
  /// The expected digest of an iteration, if it is not in ``ExpectedDigests``.
  var expectedDigest: (@Sendable () throws -> UInt64)?
  /// Whether any result is right that repeats, as that of a scheduler which need not keep the rules.
  var hasOwnResult = false
  /// Sets it up. ``NotHere`` skips the benchmark; any other error fails the run.
  var prepare: @Sendable () throws -> Prepared

  init(
    _ name: String, _ summary: String, tags: Set<Tag>, unit: String,
    prepare: @escaping @Sendable () throws -> Prepared
  ) {
    self.name = name
    self.summary = summary
    self.tags = tags
    self.unit = unit
    self.prepare = prepare
  }
}

/// A benchmark lacks something that it needs and is skipped.
struct NotHere: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
