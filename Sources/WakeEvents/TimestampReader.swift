/// Reads an instant from left to right; see ``Timestamp/init(iso8601:)``.
struct TimestampReader {
  private let bytes: ArraySlice<UInt8>
  /// The index of the next byte.
  private var next: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    next = bytes.startIndex
  }

  /// - Parameter allowsSpace: Whether a space may stand for the T (RFC 3339, 5.6).
  mutating func readISO8601(
    allowsSpace: Bool = false
  ) throws(TimestampSyntaxError) -> Timestamp {
    var seconds = try readDate()
    var fraction = 0
    if !isAtEnd {
      if !allowsSpace || !takes(" ") { try expect("T", "T and a time, or nothing more") }
      let start = next
      seconds += try readTimeOfDay(needsSeconds: false)
      let hasSeconds = next - start > "hh:mm".utf8.count
      if hasSeconds { fraction = try readFraction() }
      if !isAtEnd, !takes("Z") { seconds -= try readOffset() }
    }
    return try instant(seconds, fraction)
  }

  /// Reads `2021-05-02 10:36:11 +0200`, as Apple's Health app writes dates.
  mutating func readHealthDate() throws(TimestampSyntaxError) -> Timestamp {
    var seconds = try readDate()
    try expect(" ", "a space after the date")
    seconds += try readTimeOfDay()
    try expect(" ", "a space after the time")
    seconds -= try readOffset(hasColon: false)
    return try instant(seconds)
  }

  /// The instant at the end of the text, in seconds since 1970 and nanoseconds.
  private func instant(
    _ seconds: Int, _ fraction: Int = 0
  ) throws(TimestampSyntaxError) -> Timestamp {
    guard isAtEnd else { throw unexpected("nothing more") }
    let (scaled, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (nanoseconds, overflowsToo) = scaled.addingReportingOverflow(fraction)
    guard !overflows, !overflowsToo, Timestamp.validRange ~= Int64(nanoseconds) else {
      throw TimestampSyntaxError(.outOfRange, offset: 0, TimestampSyntaxError.validInstants)
    }
    return Timestamp(nanoseconds: Int64(nanoseconds))
  }

  /// The seconds from 1970 to a day; at most 9999-12-31, far from overflow.
  private mutating func readDate() throws(TimestampSyntaxError) -> Int {
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
    return date.daysSince1970 * 86_400
  }

  /// The seconds of `hh:mm:ss`, or of `hh:mm`.
  private mutating func readTimeOfDay(
    needsSeconds: Bool = true
  ) throws(TimestampSyntaxError) -> Int {
    let hour = try readField(0...23, "an hour from 00 to 23")
    try expect(":", "a colon after the hour")
    let minute = try readField(0...59, "a minute from 00 to 59")
    guard needsSeconds || !isAtEnd && bytes[next] == UInt8(ascii: ":") else {
      return (hour * 60 + minute) * 60
    }
    try expect(":", "a colon after the minute")
    let second = try readField(0...59, "a second from 00 to 59")
    return (hour * 60 + minute) * 60 + second
  }

  /// The nanoseconds of `.` and 1 to 9 digits, 0 if there is no fraction.
  private mutating func readFraction() throws(TimestampSyntaxError) -> Int {
    guard takes(".") else { return 0 }
    var nanoseconds = try readNumber(digits: 1, "a digit after the point")
    var digits = 1
    while let digit {
      guard digits < 9 else {
        throw TimestampSyntaxError(
          .tooPrecise, offset: offset, "at most 9 digits of a fraction, as times are nanoseconds,")
      }
      nanoseconds = nanoseconds * 10 + digit
      digits += 1
      next += 1
    }
    for _ in digits..<9 { nanoseconds *= 10 }
    return nanoseconds
  }

  /// The seconds that local time is ahead of UTC, of `±hh:mm` or `±hhmm`.
  private mutating func readOffset(
    hasColon: Bool = true
  ) throws(TimestampSyntaxError) -> Int {
    let isBehind = takes("-")
    if !isBehind { try expect("+", "Z or an offset such as +02:00") }
    let hours = try readField(0...23, "an offset's hours from 00 to 23")
    if hasColon { try expect(":", "a colon in the offset") }
    let minutes = try readField(0...59, "an offset's minutes from 00 to 59")
    let seconds = (hours * 60 + minutes) * 60
    return isBehind ? -seconds : seconds
  }

  private var isAtEnd: Bool { next == bytes.endIndex }

  /// Bytes from the start of the text.
  private var offset: Int { next - bytes.startIndex }

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
      guard let digit else { throw unexpected(expected) }
      number = number * 10 + digit
      next += 1
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
    guard !isAtEnd, bytes[next] == UInt8(ascii: character) else { return false }
    next += 1
    return true
  }

  /// The digit that is next, if one is.
  private var digit: Int? {
    guard !isAtEnd, case let value = bytes[next] &- UInt8(ascii: "0"), value < 10 else {
      return nil
    }
    return Int(value)
  }

  private func unexpected(_ expected: String) -> TimestampSyntaxError {
    TimestampSyntaxError(.unexpectedCharacter, offset: offset, expected)
  }
}
