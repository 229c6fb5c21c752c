/// An instant: whole nanoseconds since the Unix epoch (SPEC, first paragraph).
///
/// Negative values lie before 1970. Inputs are accepted within ``validRange``; nothing a scheduler
/// derives from them (at most 10^9 seconds later) overflows.
@frozen
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Nanoseconds since 1970-01-01T00:00:00Z.
  public var nanoseconds: Int64

  /// Makes the instant `nanoseconds` after the Unix epoch.
  @inlinable
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The nanoseconds that an input's time may have: ±4 × 10^18.
  public static let validRange: ClosedRange<Int64> =
    -4_000_000_000_000_000_000...4_000_000_000_000_000_000

  @inlinable
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

extension Timestamp: CustomStringConvertible {
  public var description: String { String(nanoseconds) }
}
