/// Which inputs of traces are wanted.
public struct BlockSelection: Hashable, Sendable {
  /// Only inputs at or after this time; nanoseconds since the Unix epoch.
  public var from: Int64?
  /// Only inputs before this time; nanoseconds since the Unix epoch.
  public var to: Int64?
  /// Saves and deletes of other types are left out, other inputs are not; empty is all types.
  public var types: Set<String>
  /// Other devices are left out; empty is all devices.
  public var devices: Set<String>

  /// Makes a selection; without arguments, of everything.
  public init(
    from: Int64? = nil, to: Int64? = nil, types: Set<String> = [], devices: Set<String> = []
  ) {
    self.from = from
    self.to = to
    self.types = types
    self.devices = devices
  }

  /// Whether rows of a wanted block may have to be left out.
  package var hasRowFilter: Bool { from != nil || to != nil || !types.isEmpty }
}
