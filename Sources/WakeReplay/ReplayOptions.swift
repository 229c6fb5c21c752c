package import WakeJSON
public import WakeScheduling
public import WakeTrace

/// The options of a replay.
public struct ReplayOptions: Sendable {
  /// The pace at which events are scheduled.
  public enum Speed: Hashable, Sendable {
    /// As fast as possible.
    case maximum
    /// By the trace's own times, faster by this factor, which is above 0.
    case paced(Double)
  }

  /// What to find out about the best wakes that there could be.
  public struct Bounds: Hashable, Sendable {
    /// The deadlines of ``ReplayResult/Bounds/App/fewestWakesWithin``, in whole seconds up to 10^9.
    public var deadlines = ReplayResult.Bounds.usualDeadlines
    /// Whether ``ReplayResult/Bounds/App/curve`` is filled.
    public var keepsCurve = false
    /// See ``GainCounter/init(_:mostSizes:)``; the result does not depend on it.
    package var mostSizes = GainCounter.usualSizes

    /// The bounds that the page asks for.
    public init() {}
  }

  /// A further policy; see ``otherPolicies``.
  public struct OtherPolicy: Sendable {
    /// The parameters of the rules.
    public var policy: Policy
    /// How the result names the policy.
    public var name: String

    /// A policy with a name for results.
    public init(_ policy: Policy, name: String) {
      self.policy = policy
      self.name = name
    }
  }

  /// The parameters of the rules.
  public var policy = Policy.iOS
  /// How the result names the policy.
  public var policyName = "ios"
  /// Policies under which ``Replayer/runAll(progress:)`` replays everything, too, decoding it once. Then nothing may be
  /// logged, bounded, paced or skipped, and no latency is measured.
  public var otherPolicies: [OtherPolicy] = []
  /// Which inputs are scheduled.
  public var selection = BlockSelection()
  /// Threads that decode and schedule, at least 1. The result does not depend on their number.
  public var threads = 1
  /// The pace at which events are scheduled.
  public var speed = Speed.maximum
  /// Whether damaged blocks are skipped, and listed in the result, instead of ending the replay.
  public var keepsGoing = false
  /// Whether a block that can only change counts is counted from its header and not decoded, for sweeps
  /// over policies. The result is the same, but damage in such a block is not found and its latency is not
  /// measured. Paced replays and those that keep going decode every block.
  public var skipsQuiet = false
  /// Whether logs are for their owner alone even where all traces are for everybody: other inputs are private.
  package var makesPrivateLogs = false
  /// The path of the wake log (page Rules, section 7); nil writes none, `-` is standard output.
  public var wakeLog: String?
  /// The path of the wait log (page Rules, 9.3); nil writes none and leaves out ``ReplayResult/waiting``, `-` is
  /// standard output.
  public var waitLog: String?
  /// How both logs have points in time.
  package var times = JSONTimeForm.nanoseconds
  /// Whether ``ReplayResult/waiting`` is found without a wait log, too.
  package var sumsWaits = false
  /// How far the wakes are from the best (page Rules, 10); nil leaves out ``ReplayResult/bounds``.
  public var bounds: Bounds?
  /// Whether the latency of events is sampled.
  public var measuresLatency = true
  /// Damaged traces that could not be opened at all, to be told in the result.
  package var damagedFiles: [TraceError] = []

  /// The scheduler that takes the place of Rouse's own. Waits, bounds and skipping of quiet blocks are Rouse's alone.
  package var tested: (any SchedulerUnderTest)?

  /// The scheduler's accelerations; the result does not depend on them.
  package var accelerations = Accelerations.all

  /// Options for a replay of everything with the policy of iOS.
  public init() {}
}
