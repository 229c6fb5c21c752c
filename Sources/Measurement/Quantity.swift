/// Formats quantities for people: three significant digits and a fitting unit.
///
/// The text depends on the value only, not on a locale. Infinite values and NaN are `n/a`.
public enum Quantity {
  /// The text of an infinite value or NaN.
  static let unavailable = "n/a"

  /// Events a second: `12.3 million/s`, `850/s`.
  public static func rate(perSecond: Double) -> String {
    scaled(
      perSecond, by: 1000, units: ["/s", " thousand/s", " million/s", " billion/s", " trillion/s"])
  }

  /// Events a second, of `count` events in `nanoseconds`: `12.3 million/s`.
  public static func rate(count: Int, nanoseconds: UInt64) -> String {
    rate(perSecond: Double(count) * 1_000_000_000 / Double(nanoseconds))
  }

  /// Bytes, in powers of 1000: `512 B`, `1.2 GB`.
  public static func bytes(_ bytes: some BinaryInteger) -> String {
    scaled(Double(bytes), by: 1000, units: [" B", " kB", " MB", " GB", " TB", " PB", " EB"])
  }

  /// A fraction as a percentage: `12.3 %` of 0.123.
  public static func percentage(_ fraction: Double) -> String {
    scaled(fraction * 100, by: 1000, units: [" %"])
  }

  /// How many times: `2.41×`.
  public static func factor(_ factor: Double) -> String {
    scaled(factor, by: 1000, units: ["×"])
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

  /// `value` in the first unit of which it is fewer than `step`, or else the last.
  static func scaled(_ value: Double, by step: Double, units: [String]) -> String {
    guard value.isFinite else { return unavailable }
    var rest = value.magnitude
    var unit = 0
    // Compares rounded values: 999.7 is "1 thousand", not "1000".
    while unit + 1 < units.count, rounded(rest) >= step {
      rest /= step
      unit += 1
    }
    let sign = value < 0 && rounded(rest) > 0 ? "-" : ""
    return sign + threeDigits(rest) + units[unit]
  }

  /// A value, not negative, rounded to three significant digits, though not beyond hundredths.
  static func rounded(_ value: Double) -> Double {
    let power = powerOfDecimals(value)
    return (value * power).rounded(.toNearestOrEven) / power
  }

  /// ``rounded(_:)`` as text, without trailing zeros: `4.56`, `12.3`, `850`, `4`.
  static func threeDigits(_ value: Double) -> String {
    let power = powerOfDecimals(value)
    let units = (value * power).rounded(.toNearestOrEven)
    // An Int holds fewer than 1e19.
    guard units < 1e18 else { return String(units / power) }
    var (whole, hundredths) = (Int(units), 0)
    if power > 1 {
      hundredths = whole % Int(power) * (100 / Int(power))
      whole /= Int(power)
    }
    if hundredths == 0 { return String(whole) }
    if hundredths.isMultiple(of: 10) { return "\(whole).\(hundredths / 10)" }
    return "\(whole).\(hundredths < 10 ? "0" : "")\(hundredths)"
  }

  /// 10 to the number of decimals that three significant digits leave.
  private static func powerOfDecimals(_ value: Double) -> Double {
    if value < 9.995 { return 100 }
    return value < 99.95 ? 10 : 1
  }
}
