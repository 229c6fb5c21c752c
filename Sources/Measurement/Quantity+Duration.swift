extension Quantity {
  /// A duration: `21.3 ns`, `4.56 µs`, `12 ms`, `1.5 s`, `3 min 20 s`, `3 h 20 min`, `40 d 6 h`.
  public static func duration(nanoseconds: Double) -> String {
    guard nanoseconds.isFinite else { return unavailable }
    let sign = nanoseconds < 0 ? "-" : ""
    let length = nanoseconds.magnitude
    // 59.95 s would round to "60 s".
    guard length >= 59.95e9 else {
      return scaled(nanoseconds, by: 1000, units: [" ns", " µs", " ms", " s"])
    }
    // Rounds to the smaller unit first, so that 60 min or 24 h do not occur.
    let seconds = (length / 1e9).rounded(.toNearestOrEven)
    if seconds < 3600 { return sign + pair(seconds, of: 60, "min", "s") }
    let minutes = (length / 60e9).rounded(.toNearestOrEven)
    if minutes < 24 * 60 { return sign + pair(minutes, of: 60, "h", "min") }
    let hours = (length / 3600e9).rounded(.toNearestOrEven)
    return sign + pair(hours, of: 24, "d", "h")
  }

  /// A duration in whole nanoseconds.
  public static func duration(nanoseconds: some BinaryInteger) -> String {
    duration(nanoseconds: Double(nanoseconds))
  }

  /// A whole number of smaller units as larger and smaller ones; a zero rest is omitted.
  private static func pair(
    _ count: Double, of ratio: Double, _ greater: String, _ lesser: String
  ) -> String {
    guard count < 1e18 else { return "\(count / ratio) \(greater)" }
    let (whole, rest) = Int(count).quotientAndRemainder(dividingBy: Int(ratio))
    return rest == 0 ? "\(whole) \(greater)" : "\(whole) \(greater) \(rest) \(lesser)"
  }
}
