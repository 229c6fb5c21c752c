import Testing
import WakeEvents

@Suite("Calendar")
struct CivilDateTests {
  @Test("Days count up one by one through 1200 years, leap days and all, both ways")
  func everyDay() throws {
    var days = try #require(CivilDate(year: 1500, month: 1, day: 1)).daysSince1970
    for year in 1500..<2700 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (index, length) in lengths.enumerated() {
        for day in 1...length {
          let date = CivilDate(year: year, month: index + 1, day: day)
          guard date?.daysSince1970 == days, CivilDate(daysSince1970: days) == date else {
            Issue.record("\(year)-\(index + 1)-\(day) is not day \(days) and back")
            return
          }
          days += 1
        }
        #expect(CivilDate(year: year, month: index + 1, day: length + 1) == nil)
      }
    }
  }

  @Test("The epoch is day 0")
  func epoch() {
    #expect(CivilDate(year: 1970, month: 1, day: 1)?.daysSince1970 == 0)
    #expect(CivilDate(year: 0, month: 3, day: 1)?.daysSince1970 == -719_468)
    #expect(CivilDate(year: -1, month: 12, day: 31)?.daysSince1970 == -719_529)
    #expect(CivilDate(daysSince1970: -719_529) == CivilDate(year: -1, month: 12, day: 31))
    #expect(CivilDate(year: 1970, month: 0, day: 1) == nil)
    #expect(CivilDate(year: 1970, month: 13, day: 1) == nil)
    #expect(CivilDate(year: 1970, month: 1, day: 0) == nil)
  }
}
