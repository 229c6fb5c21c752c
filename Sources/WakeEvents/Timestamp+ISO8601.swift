extension Timestamp {
  /// The instant in ISO 8601, in UTC: `2026-01-01T00:00:05.25Z`.
  ///
  /// The fraction has as many digits as it needs, up to 9, and is left out if it is zero. Every
  /// `Int64` of nanoseconds lies in a year of four digits (1677 to 2262).
  ///
  /// - Complexity: O(1).
  public var iso8601: String {
    let (date, nanosecondOfDay) = civil
    let (second, fraction) = nanosecondOfDay.quotientAndRemainder(dividingBy: 1_000_000_000)
    let day = "\(Self.padded(date.year, 4))-\(Self.padded(date.month))-\(Self.padded(date.day))"
    let minutes = "\(Self.padded(second / 3600)):\(Self.padded(second / 60 % 60))"
    var digits = fraction == 0 ? "" : "." + Self.padded(fraction, 9)
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(day)T\(minutes):\(Self.padded(second % 60))\(digits)Z"
  }

  /// ``iso8601`` with nine digits of a fraction always, so that later instants are greater texts:
  /// `2026-01-01T00:00:05.250000000Z`.
  ///
  /// - Complexity: O(1).
  package var longISO8601: InlineArray<30, UInt8> {
    let (date, nanosecondOfDay) = civil
    let (second, nanosecond) = nanosecondOfDay.quotientAndRemainder(dividingBy: 1_000_000_000)
    var text = InlineArray<30, UInt8>(repeating: UInt8(ascii: "Z"))
    var place = 0
    @inline(__always)
    func set(_ number: Int, digits: Int, before separator: Unicode.Scalar) {
      var rest = UInt32(truncatingIfNeeded: number)
      for digit in (place..<place + digits).reversed() {
        text[digit] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      place += digits
      text[place] = UInt8(ascii: separator)
      place += 1
    }
    set(date.year, digits: 4, before: "-")
    set(date.month, digits: 2, before: "-")
    set(date.day, digits: 2, before: "T")
    set(second / 3600, digits: 2, before: ":")
    set(second / 60 % 60, digits: 2, before: ":")
    set(second % 60, digits: 2, before: ".")
    set(nanosecond, digits: 9, before: "Z")
    return text
  }

  /// Appends ``longISO8601``.
  ///
  /// - Complexity: O(1).
  package func appendISO8601(to bytes: inout [UInt8]) {
    let text = longISO8601
    bytes.append(addingCapacity: 30) { free in
      for place in text.indices { free.append(text[place]) }
    }
  }

  /// The instant that `text` gives in ISO 8601.
  ///
  /// It is a date, `2026-01-01`, meaning its midnight, or a date with a time: `2026-01-01T08:30`, `2026-01-01T08:30:05Z`,
  /// `2026-01-01T00:00:05.25+02:00`. Without an offset it is in UTC. The fraction has up to 9 digits. The leap second
  /// `:60` and hour 24, which Unix time does not have, are errors.
  ///
  /// - Throws: where `text` is not such an instant, or lies outside ``validRange``.
  /// - Complexity: O(length of the text).
  public init(iso8601 text: some StringProtocol) throws(TimestampSyntaxError) {
    var reader = TimestampReader(Array(text.utf8)[...])
    self = try reader.readISO8601()
  }

  /// The instant as Apple's Health app writes it: `2021-05-02 10:36:11 +0200`.
  package init(healthDate text: ArraySlice<UInt8>) throws(TimestampSyntaxError) {
    var reader = TimestampReader(text)
    self = try reader.readHealthDate()
  }

  /// The instant that `text` gives as whole nanoseconds since the Unix epoch, `1767225605250000000`,
  /// or in ISO 8601 as in ``init(iso8601:)``, where a space may stand for the T: what a command line takes for a time.
  ///
  /// A number, with or without a minus, is always nanoseconds: `2026` is not a year.
  ///
  /// - Throws: where `text` is neither, or lies outside ``validRange``.
  /// - Complexity: O(length of the text).
  public init(parsing text: some StringProtocol) throws(TimestampSyntaxError) {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
      var reader = TimestampReader(Array(text.utf8)[...])
      self = try reader.readISO8601(allowsSpace: true)
      return
    }
    guard let nanoseconds = Int64(text), Self.validRange ~= nanoseconds else {
      throw TimestampSyntaxError(.outOfRange, offset: 0, TimestampSyntaxError.validInstants)
    }
    self.init(nanoseconds: nanoseconds)
  }

  /// The day in UTC and the nanoseconds since its midnight.
  package var civil: (date: CivilDate, nanosecondOfDay: Int) {
    let nanosecondsPerDay = 86_400_000_000_000
    var (day, rest) = Int(nanoseconds).quotientAndRemainder(dividingBy: nanosecondsPerDay)
    if rest < 0 { (day, rest) = (day - 1, rest + nanosecondsPerDay) }
    return (CivilDate(daysSince1970: day), rest)
  }

  /// `number` with leading zeros.
  private static func padded(_ number: Int, _ digits: Int = 2) -> String {
    let significant = String(number)
    return String(repeating: "0", count: max(digits - significant.utf8.count, 0)) + significant
  }
}
