/// An instant: whole nanoseconds since the Unix epoch, negative before 1970.
///
/// Inputs lie within ``validRange``, so a scheduler can add the longest duration (10^9 seconds) without overflow.
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

/// Durations in policies and inputs: seconds as a double (page Rules, section 3).
public enum Seconds {
  /// The durations that are accepted.
  public static let validRange: ClosedRange<Double> = 0...1_000_000_000

  /// `seconds` × 10^9 as a double, rounded to the nearest whole, ties to even.
  ///
  /// - Precondition: `validRange` contains `seconds`.
  public static func nanoseconds(_ seconds: Double) -> Int64 {
    Int64((seconds * 1_000_000_000).rounded(.toNearestOrEven))
  }
}
