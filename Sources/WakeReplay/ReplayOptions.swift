public import WakeScheduling
public import WakeTrace

/// What a replay is to do.
public struct ReplayOptions: Sendable {
  /// How fast events are fed.
  public enum Speed: Hashable, Sendable {
    /// As fast as possible.
    case maximum
    /// By the trace's own times, this many times as fast as they passed; above 0.
    case paced(Double)
  }

  /// The parameters of the rules.
  public var policy = Policy.iOS
  /// Which inputs are fed.
  public var selection = BlockSelection()
  /// Threads that read and feed, at least 1. The result does not depend on them.
  public var threads = 1
  /// How fast events are fed.
  public var speed = Speed.maximum
  /// Whether damaged blocks are passed over, and told of in the result, instead of ending the replay.
  public var keepsGoing = false
  /// Whether a block from which, by its header, nothing but counts can come is counted and not read: for
  /// sweeps over policies. The result is the same; what such a block holds is not checked, though, and
  /// nothing of it is measured. A paced replay, or one that keeps going, reads every block all the same.
  public var skipsQuiet = false
  /// Where the wake log goes (SPEC 7); nil is nowhere, `-` is standard output.
  public var wakeLog: String?
  /// Whether the latency of events is sampled.
  public var measuresLatency = true

  /// Options for a replay of everything by the rules of an iPhone.
  public init() {}
}
