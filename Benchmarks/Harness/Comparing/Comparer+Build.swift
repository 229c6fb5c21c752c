import Measurement

extension Comparer {
  /// A build as it is compared.
  struct Build {
    /// What messages call it.
    var label: String
    /// The program, in several layouts if there are; each round takes one.
    var paths: [String]
    /// Where its project stands, if not where it was built.
    var root: String?
    var description: BuildDescription
  }

  struct Settings {
    /// Seconds for everything.
    var seconds = 120.0
    /// Pairs of processes.
    var rounds = 20
    /// Samples are about so long.
    var sampleNanoseconds = 400_000.0
    /// What decides.
    var clock = BenchmarkComparison.Clock.processor
    var seed: UInt64 = 1
    var rule = JudgementRule()
  }
}
