/// Durations as policies and inputs give them: seconds as a double (SPEC 3).
public enum Seconds {
  /// The durations that are accepted.
  public static let validRange: ClosedRange<Double> = 0...1_000_000_000

  /// The nanoseconds of `seconds`: multiplied by 10^9 as a double and rounded to the nearest whole,
  /// ties to even (SPEC 3).
  ///
  /// - Precondition: `validRange` contains `seconds`.
  public static func nanoseconds(_ seconds: Double) -> Int64 {
    Int64((seconds * 1_000_000_000).rounded(.toNearestOrEven))
  }
}
