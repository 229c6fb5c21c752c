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
