import BenchmarkModel
import Foundation

extension Comparer {
  /// A build in a comparison.
  struct Build {
    /// The name in messages.
    var label: String
    /// The paths of the program, one for each layout; each round uses one.
    var paths: [String]
    /// The root of its project, if it is not where it was built.
    var root: String?
    var description: BuildDescription
    /// The scheduler under test that the program measures; nil for Rouse's own.
    var scheduler: SchedulerChoice?

    /// The build that measures a scheduler under test.
    init(_ scheduler: SchedulerChoice) throws {
      label = scheduler.library
      paths = [try ChildProcess.ownPath()]
      root = Project.root
      description = BuildDescription(
        label: label, configuration: "unknown", compiler: "unknown")
      self.scheduler = scheduler
    }

    init(label: String, paths: [String], root: String?, description: BuildDescription) {
      self.label = label
      self.paths = paths
      self.root = root
      self.description = description
    }

    /// Whether a difference to another build may come from the layout alone: one of them has only one layout, and they are
    /// not the same program.
    func mayDifferByLayout(from other: Build) -> Bool {
      guard let path = paths.first, let otherPath = other.paths.first else { return false }
      guard paths.count == 1 || other.paths.count == 1 else { return false }
      return !FileManager.default.contentsEqual(atPath: path, andPath: otherPath)
    }
  }

  struct Settings {
    /// Seconds in total.
    var seconds = 120.0
    /// Pairs of processes.
    var rounds = 20
    /// After so many, the comparison ends when its time is over.
    var fewestRounds = 10
    /// The approximate duration of a sample, in nanoseconds.
    var sampleNanoseconds = 400_000.0
    /// The clock of the times that are compared.
    var clock = BenchmarkComparison.Clock.processor
    /// The seed of the random order.
    var seed: UInt64 = 1
    /// The rule of the verdicts.
    var rule = JudgementRule()

    var nanoseconds: UInt64 { UInt64(seconds * 1e9) }
  }
}
