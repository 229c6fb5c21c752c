/// Reads an instant in ISO 8601 from left to right; see ``Timestamp/init(iso8601:)``.
struct TimestampReader {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ text: some StringProtocol) {
    bytes = Array(text.utf8)
  }

  mutating func readISO8601() throws(TimestampSyntaxError) -> Timestamp {
    let date = try readDate()
    // At most 9999-12-31: far from overflow in seconds.
    var seconds = date.daysSince1970 * 86_400
    var fraction = 0
    if !isAtEnd {
      try expect("T", "T and a time, or nothing more")
      seconds += try readTimeOfDay()
      fraction = try readFraction()
      seconds -= try readOffset()
      guard isAtEnd else { throw unexpected("nothing more") }
    }
    let (scaled, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (nanoseconds, overflowsToo) = scaled.addingReportingOverflow(fraction)
    guard !overflows, !overflowsToo, Timestamp.validRange ~= Int64(nanoseconds) else {
      throw TimestampSyntaxError(.outOfRange, offset: 0, TimestampSyntaxError.validInstants)
    }
    return Timestamp(nanoseconds: Int64(nanoseconds))
  }

  private mutating func readDate() throws(TimestampSyntaxError) -> CivilDate {
    let year = try readNumber(digits: 4, "a date such as 2026-01-31")
    try expect("-", "a hyphen after the year")
    let month = try readField(1...12, "a month from 01 to 12")
    try expect("-", "a hyphen after the month")
    let start = offset
    let day = try readField(1...31, "a day from 01 to 31")
    guard let date = CivilDate(year: year, month: month, day: day) else {
      throw TimestampSyntaxError(
        .noSuchField, offset: start,
        "a day from 01 to \(CivilDate.days(inMonth: month, ofYear: year))")
    }
    return date
  }

  /// The seconds of `hh:mm:ss`.
  private mutating func readTimeOfDay() throws(TimestampSyntaxError) -> Int {
    let hour = try readField(0...23, "an hour from 00 to 23")
    try expect(":", "a colon after the hour")
    let minute = try readField(0...59, "a minute from 00 to 59")
    try expect(":", "a colon after the minute")
    let second = try readField(0...59, "a second from 00 to 59")
    return (hour * 60 + minute) * 60 + second
  }

  /// The nanoseconds of `.` and 1 to 9 digits, 0 if there is no fraction.
  private mutating func readFraction() throws(TimestampSyntaxError) -> Int {
    guard takes(".") else { return 0 }
    var nanoseconds = try readNumber(digits: 1, "a digit after the point")
    var digits = 1
    while let digit = digit(at: offset) {
      guard digits < 9 else {
        throw TimestampSyntaxError(
          .tooPrecise, offset: offset, "at most 9 digits of a fraction, as times are nanoseconds,")
      }
      nanoseconds = nanoseconds * 10 + digit
      digits += 1
      offset += 1
    }
    for _ in digits..<9 { nanoseconds *= 10 }
    return nanoseconds
  }

  /// The seconds that local time is ahead of UTC, of `Z` or `±hh:mm`.
  private mutating func readOffset() throws(TimestampSyntaxError) -> Int {
    if takes("Z") { return 0 }
    let isBehind = takes("-")
    if !isBehind { try expect("+", "Z or an offset such as +02:00") }
    let hours = try readField(0...23, "an offset's hours from 00 to 23")
    try expect(":", "a colon in the offset")
    let minutes = try readField(0...59, "an offset's minutes from 00 to 59")
    let seconds = (hours * 60 + minutes) * 60
    return isBehind ? -seconds : seconds
  }

  private var isAtEnd: Bool { offset == bytes.count }

  /// A number of two digits in `range`.
  private mutating func readField(
    _ range: ClosedRange<Int>, _ expected: String
  ) throws(TimestampSyntaxError) -> Int {
    let start = offset
    let number = try readNumber(digits: 2, expected)
    guard range ~= number else {
      throw TimestampSyntaxError(.noSuchField, offset: start, expected)
    }
    return number
  }

  /// A number of exactly `digits` digits.
  private mutating func readNumber(
    digits: Int, _ expected: String
  ) throws(TimestampSyntaxError) -> Int {
    var number = 0
    for _ in 0..<digits {
      guard let digit = digit(at: offset) else { throw unexpected(expected) }
      number = number * 10 + digit
      offset += 1
    }
    return number
  }

  private mutating func expect(
    _ character: Unicode.Scalar, _ expected: String
  ) throws(TimestampSyntaxError) {
    guard takes(character) else { throw unexpected(expected) }
  }

  /// Steps over `character` if it stands here.
  private mutating func takes(_ character: Unicode.Scalar) -> Bool {
    guard !isAtEnd, bytes[offset] == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private func digit(at offset: Int) -> Int? {
    guard offset < bytes.count else { return nil }
    let value = Int(bytes[offset]) - 0x30
    return 0...9 ~= value ? value : nil
  }

  private func unexpected(_ expected: String) -> TimestampSyntaxError {
    TimestampSyntaxError(.unexpectedCharacter, offset: offset, expected)
  }
}
