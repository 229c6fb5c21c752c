/// Formats quantities for people: three significant digits and a fitting unit.
///
/// The text depends on the value only, not on a locale. Infinite values and NaN are `n/a`.
public enum Quantity {
  /// The text of an infinite value or NaN.
  static let unavailable = "n/a"

  /// Events a second: `12.3 million/s`, `850/s`.
  public static func rate(perSecond: Double) -> String {
    scaled(perSecond, units: ["/s", " thousand/s", " million/s", " billion/s", " trillion/s"])
  }

  /// Events a second, of `count` events in `nanoseconds`: `12.3 million/s`.
  public static func rate(count: Int, nanoseconds: UInt64) -> String {
    rate(perSecond: Double(count) * 1_000_000_000 / Double(nanoseconds))
  }

  /// Bytes, in powers of 1000: `512 B`, `1.2 GB`.
  public static func bytes(_ bytes: some BinaryInteger) -> String {
    scaled(Double(bytes), units: [" B", " kB", " MB", " GB", " TB", " PB", " EB"])
  }

  /// A fraction as a percentage: `12.3 %` of 0.123.
  public static func percentage(_ fraction: Double) -> String {
    scaled(fraction * 100, units: [" %"])
  }

  /// How many times: `2.41×`.
  public static func factor(_ factor: Double) -> String {
    scaled(factor, units: ["×"])
  }

  /// A whole number with its digits in threes: `10,000,000`.
  public static func count(_ count: some BinaryInteger) -> String {
    let digits = String(count.magnitude)
    var text = count < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// A number and its noun: `1 block`, `2 blocks`.
  package static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// `value` in the first unit of which it is fewer than 1,000, or else the last.
  static func scaled(_ value: Double, units: [String]) -> String {
    guard value.isFinite else { return unavailable }
    var rest = value.magnitude
    var unit = 0
    // Compares rounded values: 999.7 is "1 thousand", not "1000".
    while unit + 1 < units.count, rounded(rest) >= 1000 {
      rest /= 1000
      unit += 1
    }
    let sign = value < 0 && rounded(rest) > 0 ? "-" : ""
    return sign + threeDigits(rest) + units[unit]
  }

  /// A value, not negative, rounded to three significant digits, though not beyond hundredths.
  static func rounded(_ value: Double) -> Double {
    // 10 to the number of decimals that three significant digits leave.
    let power: Double = value < 9.995 ? 100 : value < 99.95 ? 10 : 1
    return (value * power).rounded(.toNearestOrEven) / power
  }

  /// ``rounded(_:)`` as text, without trailing zeros: `4.56`, `12.3`, `850`, `4`.
  static func threeDigits(_ value: Double) -> String {
    let text = rounded(value).description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension Quantity {
  /// A duration: `21.3 ns`, `4.56 µs`, `12 ms`, `1.5 s`, `3 min 20 s`, `3 h 20 min`, `40 d 6 h`.
  public static func duration(nanoseconds: Double) -> String {
    guard nanoseconds.isFinite else { return unavailable }
    let sign = nanoseconds < 0 ? "-" : ""
    let length = nanoseconds.magnitude
    // 59.95 s would round to "60 s".
    guard length >= 59.95e9 else {
      return scaled(nanoseconds, units: [" ns", " µs", " ms", " s"])
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
