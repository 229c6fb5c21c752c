package import WakeEvents
import WakeReplay
package import WakeScheduling
package import WakeTrace

/// Replays traces under two policies and compares: which wakes moved, and what each reason for waiting gained.
package struct PolicyComparison: Sendable {
  /// A single difference.
  package struct Example: Sendable {
    package var device: String
    package var app: String
    /// `changed`, `moved`, `missing` or `extra`.
    package var what: String
    package var first: Timestamp?
    package var second: Timestamp?
  }

  /// The time for which a reason held waits back, in nanoseconds, as in ``ReplayResult/Waiting/Sums``.
  package struct Held: Hashable, Sendable {
    package var any: Int64 = 0
    package var alone: Int64 = 0
    package var last: Int64 = 0
  }

  /// The time for which a reason held waits back under each policy.
  package struct ReasonGain: Sendable {
    package var reason: String
    package var first: Held
    package var second: Held
  }

  package var all: WakeDiff.Counts
  /// By app, sorted by name.
  package var apps: [(app: String, counts: WakeDiff.Counts)]
  package var reasons: [ReasonGain] = []
  /// The first differences by device, a few.
  package var examples: [Example]
  package var digests: (first: Digest, second: Digest)
  package var inputs: Int
  package var devices: Int

  package static let mostExamples = 10

  /// Compares.
  ///
  /// - Complexity: O(events). Memory grows with the wakes of both policies, 48 bytes for each.
  package init(
    files: [TraceFile], _ policy: Policy, against other: Policy, threads: Int,
    accelerations: Accelerations
  ) throws(TraceError) {
    var options = ReplayOptions()
    options.threads = threads
    options.accelerations = accelerations
    options.measuresLatency = false
    options.sumsWaits = true
    var (one, two) = WakeDiff.sides(DiffSide.Selection())
    options.policy = policy
    let first = try one.append(replayOf: files, options)
    options.policy = other
    let second = try two.append(replayOf: files, options)
    digests = (first.digest, second.digest)
    inputs = first.summary.inputs
    devices = first.devices
    let diff = WakeDiff(one, two, within: 0, shown: Self.mostExamples)
    (all, apps) = (diff.all, diff.apps)
    examples = diff.differences.map(Example.init)
    for reason in WaitReason.allCases {
      let sums = [first, second].map { result in
        result.waiting?.all.reasons[reason.word].map {
          Held(any: $0.any, alone: $0.alone, last: $0.last)
        } ?? Held()
      }
      guard sums != [Held(), Held()] else { continue }
      reasons.append(ReasonGain(reason: reason.word, first: sums[0], second: sums[1]))
    }
  }
}

extension PolicyComparison.Example {
  fileprivate init(_ difference: WakeDiff.Difference) {
    (device, app) = (difference.device, difference.app)
    (first, second) = (difference.first?.time, difference.second?.time)
    what =
      switch difference.what {
      case .otherItems, .otherDetails: "changed"
      case .moved, .missing, .extra: difference.what.rawValue
      }
  }
}
