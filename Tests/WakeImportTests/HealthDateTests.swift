import Testing
import WakeEvents

@testable import WakeImport

@Suite("Dates of Health exports")
struct HealthDateTests {
  private func parse(_ text: String) -> Int64? {
    try? Timestamp(healthDate: Array(text.utf8)[...]).nanoseconds
  }

  @Test(
    "Known instants",
    arguments: [
      ("1970-01-01 00:00:00 +0000", 0),
      ("2021-05-02 10:36:11 +0200", 1_619_944_571),
      ("2019-07-19 10:36:11 -0700", 1_563_557_771),
      ("2020-02-29 23:59:59 +0545", 1_583_000_099),
      ("2000-02-29 00:00:00 -0330", 951_795_000),
      ("1969-12-31 23:59:59 +0000", -1),
      ("1900-03-01 00:00:00 +0000", -2_203_891_200),
      ("2096-10-02 07:06:40 +0000", 4_000_000_000),
      ("1843-03-31 16:53:20 +0000", -4_000_000_000),
    ] as [(String, Int64)])
  func known(text: String, seconds: Int64) {
    #expect(parse(text) == seconds * 1_000_000_000, "\(text)")
  }

  @Test("Every month of the calendar begins after the end of the one before")
  func everyMonth() {
    // 1843-04-01 is 46,296 days before the epoch.
    var (year, month, days) = (1843, 4, -46_296)
    func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    while year < 2096 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
      for day in [1, length] {
        let text = "\(year)-\(pad(month))-\(pad(day)) 00:00:00 +0000"
        let expected = Int64(days + day - 1) * 86_400_000_000_000
        #expect(parse(text) == expected, "\(text)")
      }
      #expect(parse("\(year)-\(pad(month))-\(pad(length + 1)) 00:00:00 +0000") == nil)
      days += length
      (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
    }
    #expect(parse("2096-01-01 00:00:00 +0000") == Int64(days) * 86_400_000_000_000)
  }

  @Test(
    "Anything else is no date",
    arguments: [
      "", "2021-05-02", "2021-05-02 10:36:11", "2021-05-02T10:36:11+0200",
      " 2021-05-02 10:36:11 +0200", "2021-05-02 10:36:11 +0200 ", "2021-05-02  10:36:11 +020",
      "2021-13-02 10:36:11 +0200", "2021-00-02 10:36:11 +0200", "2021-05-00 10:36:11 +0200",
      "2021-05-32 10:36:11 +0200", "2021-04-31 10:36:11 +0200", "2021-02-29 10:36:11 +0200",
      "1900-02-29 10:36:11 +0200", "2021-05-02 24:00:00 +0200", "2021-05-02 10:60:11 +0200",
      "2021-05-02 10:36:60 +0200", "2021-05-02 10:36:11 +0260", "2021-05-02 10:36:11 +2400",
      "2021-05-02 10:36:11 00200", "2021-05-02 10:36:11 Z0200", "2021/05/02 10:36:11 +0200",
      "2O21-05-02 10:36:11 +0200", "2021-05-02 10:36:11 +02:00", "-021-05-02 10:36:11 +0200",
      "2096-10-02 07:06:41 +0000", "1843-03-31 16:53:19 +0000", "0000-01-01 00:00:00 +0000",
      "9999-12-31 23:59:59 +0000",
    ])
  func notADate(text: String) {
    #expect(parse(text) == nil, "\(text)")
  }
}
