import BenchmarkModel
import Foundation

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

    /// Whether where functions lie may be all that makes a difference to another build: one of them has
    /// one layout only, and it is not the other's program.
    func mayDifferByLayout(from other: Build) -> Bool {
      guard let path = paths.first, let otherPath = other.paths.first else { return false }
      guard paths.count == 1 || other.paths.count == 1 else { return false }
      return !FileManager.default.contentsEqual(atPath: path, andPath: otherPath)
    }
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
