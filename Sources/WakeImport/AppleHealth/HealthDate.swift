import WakeEvents

/// Dates as Apple's Health app writes them: `2021-05-02 10:36:11 +0200`.
enum HealthDate {
  /// The instant of a date in exactly that form, or nil.
  ///
  /// Every field has to be in range: the day must exist in the Gregorian calendar, the offset lie
  /// within a day, and the instant within ``Timestamp/validRange`` (1843 to 2096).
  ///
  /// - Complexity: O(1).
  static func parse(_ text: Span<UInt8>) -> Timestamp? {
    guard text.count == 25,
      text[4] == dash, text[7] == dash, text[10] == space, text[13] == colon, text[16] == colon,
      text[19] == space, text[20] == plus || text[20] == dash,
      let year = number(text, 0..<4), let month = number(text, 5..<7, in: 1...12),
      let day = number(text, 8..<10, in: 1...31), day <= length(ofMonth: month, year: year),
      let hour = number(text, 11..<13, in: 0...23), let minute = number(text, 14..<16, in: 0...59),
      let second = number(text, 17..<19, in: 0...59),
      let offsetHours = number(text, 21..<23, in: 0...23),
      let offsetMinutes = number(text, 23..<25, in: 0...59)
    else { return nil }

    let offset = (offsetHours * 60 + offsetMinutes) * (text[20] == plus ? 60 : -60)
    let days = daysSinceEpoch(year: year, month: month, day: day)
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset
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

  private static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from 1970-01-01 in the proleptic Gregorian calendar; years are counted from 1 March, so
  /// that the leap day comes last.
  private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let era = marchYear >= 0 ? marchYear / 400 : -1
    let yearOfEra = marchYear - era * 400
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
