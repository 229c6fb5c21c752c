import WakeEvents

/// Dates as Apple's Health app writes them: `2021-05-02 10:36:11 +0200`.
enum HealthDate {
  /// The instant of a date in exactly that form, or nil.
  ///
  /// The day must exist, the offset be within a day, and the instant within ``Timestamp/validRange``.
  ///
  /// - Complexity: O(1).
  static func parse(_ text: Span<UInt8>) -> Timestamp? {
    guard text.count == 25,
      text[4] == dash, text[7] == dash, text[10] == space, text[13] == colon, text[16] == colon,
      text[19] == space, text[20] == plus || text[20] == dash,
      let year = number(text, 0..<4), let month = number(text, 5..<7),
      let day = number(text, 8..<10), let date = CivilDate(year: year, month: month, day: day),
      let hour = number(text, 11..<13, in: 0...23), let minute = number(text, 14..<16, in: 0...59),
      let second = number(text, 17..<19, in: 0...59),
      let offsetHours = number(text, 21..<23, in: 0...23),
      let offsetMinutes = number(text, 23..<25, in: 0...59)
    else { return nil }

    let offset = (offsetHours * 60 + offsetMinutes) * (text[20] == plus ? 60 : -60)
    let seconds = date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second - offset
    let (nanoseconds, overflows) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflows, Timestamp.validRange.contains(nanoseconds) else { return nil }
    return Timestamp(nanoseconds: nanoseconds)
  }

  private static let dash = UInt8(ascii: "-")
  private static let plus = UInt8(ascii: "+")
  private static let space = UInt8(ascii: " ")
  private static let colon = UInt8(ascii: ":")

  private static func number(
    _ text: Span<UInt8>, _ digits: Range<Int>, in range: ClosedRange<Int> = 0...9999
  ) -> Int? {
    var value = 0
    for index in digits {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    return range.contains(value) ? value : nil
  }
}
