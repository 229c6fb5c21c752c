/// A day of the proleptic Gregorian calendar.
///
/// Conversion after Hinnant, "chrono-Compatible Low-Level Date Algorithms": eras of 400 years, years that begin on
/// 1 March so that the leap day is last.
///
/// - Complexity: O(1) both ways.
package struct CivilDate: Hashable, Sendable {
  /// The year, 0 being the one before year 1.
  package var year: Int
  /// 1 to 12.
  package var month: Int
  /// 1 to the number of days in the month.
  package var day: Int

  /// Makes a date; nil if the calendar does not have it.
  package init?(year: Int, month: Int, day: Int) {
    guard 1...12 ~= month, 1...Self.days(inMonth: month, ofYear: year) ~= day else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day `days` after 1970-01-01, or before if negative.
  package init(daysSince1970 days: Int) {
    let shifted = days + Self.daysFromEraTo1970
    let era = Self.floorDivision(shifted, Self.daysPerEra)
    let dayOfEra = shifted - era * Self.daysPerEra
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    // March is month 0. Five months from March or August on have 153 days.
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days from 1970-01-01 to this day, negative before it.
  package var daysSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = Self.floorDivision(shiftedYear, 400)
    let yearOfEra = shiftedYear - era * 400
    let shiftedMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * Self.daysPerEra + dayOfEra - Self.daysFromEraTo1970
  }

  /// The days of a month, 1 to 12.
  package static func days(inMonth month: Int, ofYear year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: isLeap(year) ? 29 : 28
    default: 31
    }
  }

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  private static let daysPerEra = 146_097
  /// From 0000-03-01 to 1970-01-01.
  private static let daysFromEraTo1970 = 719_468

  /// The quotient rounded down, for a positive divisor.
  private static func floorDivision(_ dividend: Int, _ divisor: Int) -> Int {
    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
