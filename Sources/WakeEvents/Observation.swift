/// A wake that a real system gave an app, in the form of a wake log (page Rules, 11).
///
/// It is kept in traces beside the inputs and changes nothing. Absent fields were not observed.
public struct Observation: Hashable, Sendable {
  /// How an observed wake ended; numbered in this order in a trace.
  public enum Outcome: UInt8, CaseIterable, Sendable {
    case completed, expired, aborted, open
  }

  /// The types that the app was woken for, in the order given.
  public var types: [SampleType]
  /// The id of the push that the wake carried.
  public var push: String?
  /// Whether the wake carried a refresh.
  public var refresh: Bool?
  /// How it ended.
  public var outcome: Outcome?
  /// When it ended.
  public var end: Timestamp?

  /// Makes an observation; by default of a wake of which only the types are known.
  public init(
    types: [SampleType], push: String? = nil, refresh: Bool? = nil, outcome: Outcome? = nil,
    end: Timestamp? = nil
  ) {
    self.types = types
    self.push = push
    self.refresh = refresh
    self.outcome = outcome
    self.end = end
  }
}
