public import WakeEvents

/// The inputs of traces that are wanted.
public struct BlockSelection: Hashable, Sendable {
  /// Only inputs at or after this time; nanoseconds since the Unix epoch.
  public var from: Int64?
  /// Only inputs before this time; nanoseconds since the Unix epoch.
  public var to: Int64?
  /// The types whose saves and deletes are kept; empty is all. Inputs of other kinds are always kept.
  public var types: Set<ExactName>
  /// The devices that are kept; empty is all.
  public var devices: Set<ExactName>

  /// Makes a selection; without arguments, of everything.
  public init(
    from: Int64? = nil, to: Int64? = nil, types: Set<ExactName> = [], devices: Set<ExactName> = []
  ) {
    self.from = from
    self.to = to
    self.types = types
    self.devices = devices
  }

  /// Whether rows of a wanted block may have to be left out.
  package var hasRowFilter: Bool { from != nil || to != nil || !types.isEmpty }
}
