import BenchmarkModel

/// Something that can be measured: what is set up outside the measured region, and what is inside.
struct Benchmark: Sendable {
  /// What kind of benchmark it is; `run` and `compare` take some by default.
  enum Tag: String, CaseIterable, Sendable {
    /// A part of the program by itself.
    case micro
    /// A whole replay.
    case macro
    /// Quick enough for every check of a change.
    case short
    /// One of several sizes whose costs make a curve; left out of comparisons by default.
    case scaling
    /// Needs more than a few seconds; left out by default.
    case long
    /// Needs data that does not come with the project.
    case data
  }

  /// A benchmark that has been set up.
  struct Prepared {
    /// Operations in an iteration.
    var operations: Int
    /// The measured region: so many iterations, each of which computes the same anew; returns the digest
    /// of the last.
    var measure: (_ iterations: Int) throws -> UInt64
    /// A digest of what the last iteration left behind, taken outside of the region once, where the region's
    /// own tells little because a whole one would be measured with it.
    var outcome: (() throws -> UInt64)?
    /// Whether the outcome alone is expected, as the region's own digest may rightly be another elsewhere;
    /// within a process that must still stay the same.
    var isJudgedByOutcomeAlone = false
    /// Where single operations are timed, the latencies of an iteration; not part of the region.
    var latencies: (() throws -> BenchmarkResult.Latencies?)?
    /// What is known of it without measuring, such as bytes an event.
    var counters: [BenchmarkCounter] = []

    init(operations: Int, measure: @escaping (_ iterations: Int) throws -> UInt64) {
      self.operations = operations
      self.measure = measure
    }
  }

  /// Where a benchmark stands on a curve of costs.
  struct Place: Sendable {
    /// The curve: `replay/events`.
    var curve: String
    /// What grows: `events`.
    var variable: String
    var size: Int
  }

  /// Like a path, from the general to the special: `coalescer/quiet/10`.
  var name: String
  /// One line for lists.
  var summary: String
  var tags: Set<Tag>
  /// What one operation is: `event`, `wake`, `look-up`.
  var unit: String
  /// Iterations after which counts are taken that must repeat exactly.
  var exactIterations = 1
  /// Whether the latencies of single operations can be told: those of whole replays.
  var timesSingleOperations: Bool { tags.contains(.macro) }
  /// Where it stands on a curve, if it does.
  var place: Place?
  /// The digest that an iteration must come to, if it is not in ``ExpectedDigests``.
  var expectedDigest: (@Sendable () throws -> UInt64)?
  /// Sets it up. What it throws fails the run, but ``NotHere`` leaves the benchmark out.
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

/// Something that a benchmark needs is not there, so that it is left out.
struct NotHere: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
