/// Numbers as text for other programs, independent of the locale.
package enum DecimalText {
  /// A number with a fixed number of decimals, like C's `%.3f` except for the rounding of exact ties.
  package static func fixed(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return value.isNaN ? "nan" : value < 0 ? "-inf" : "inf" }
    let power = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
    let units = (value.magnitude * power).rounded(.toNearestOrEven)
    // A Double of this size has no decimals.
    guard units < 9e15 else {
      return wide(value) + (decimals > 0 ? "." + String(repeating: "0", count: decimals) : "")
    }
    let digits = String(Int64(units))
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let sign = value < 0 && units > 0 ? "-" : ""
    guard decimals > 0 else { return sign + padded }
    return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }

  /// The shortest text that reads back as the same number: `12`, `0.25`, `1e-05`.
  package static func shortest(_ value: Double) -> String {
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return String(whole) }
    return value.description
  }

  /// Pads a text with spaces at its beginning.
  package static func aligned(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }

  private static func wide(_ value: Double) -> String {
    guard let whole = Int128(exactly: value.rounded()) else { return value.description }
    return String(whole)
  }
}
