import WakeEvents

/// Durations as options take them: `1`, `0.5`, `250ms`, `2m`, `1d`.
package enum DurationText {
  /// What a text must be, for messages.
  package static let form = "a duration such as 1, 250ms, 2m or 1d"

  /// Suffixes and their lengths in nanoseconds; one that ends another stands behind it.
  private static let units: KeyValuePairs<String, Double> = [
    "ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "min": 60e9, "m": 60e9, "h": 3600e9, "d": 86_400e9,
    "s": 1e9, "": 1e9,
  ]

  /// The nanoseconds of a number of seconds, or of what its unit says; nil if the text is none, or not from 0 to 10^9 seconds.
  package static func nanoseconds(_ text: String) -> Int64? {
    guard let unit = units.first(where: { text.hasSuffix($0.key) }) else { return nil }
    let digits = text.dropLast(unit.key.count)
    // `Double` takes hexadecimal digits, of which one is a unit.
    guard digits.allSatisfy({ !$0.isLetter || $0 == "e" || $0 == "E" }),
      let number = Double(digits)
    else { return nil }
    let nanoseconds = (number * unit.value).rounded(.toNearestOrEven)
    let range = Seconds.validRange
    let bounds = range.lowerBound * 1e9...range.upperBound * 1e9
    return bounds.contains(nanoseconds) ? Int64(nanoseconds) : nil
  }
}
