import Testing
import WakeEvents

@Suite("Instants in ISO 8601")
struct TimestampISO8601Tests {
  /// Checked against GNU date.
  static let instants: [(Int64, String)] = [
    (0, "1970-01-01T00:00:00Z"),
    (1, "1970-01-01T00:00:00.000000001Z"),
    (-1, "1969-12-31T23:59:59.999999999Z"),
    (-1_000_000_000, "1969-12-31T23:59:59Z"),
    (1_767_225_605_250_000_000, "2026-01-01T00:00:05.25Z"),
    (1_709_208_000_000_000_000, "2024-02-29T12:00:00Z"),
    (1_000_000_000_000_000_000, "2001-09-09T01:46:40Z"),
    (-2_203_891_201_000_000_000, "1900-02-28T23:59:59Z"),
    (-2_203_891_200_000_000_000, "1900-03-01T00:00:00Z"),
    (4_000_000_000_000_000_000, "2096-10-02T07:06:40Z"),
    (-4_000_000_000_000_000_000, "1843-03-31T16:53:20Z"),
  ]

  @Test("To text and back", arguments: instants)
  func roundTrip(nanoseconds: Int64, text: String) throws {
    let time = Timestamp(nanoseconds: nanoseconds)
    #expect(time.iso8601 == text)
    #expect(try Timestamp(iso8601: text) == time)
    #expect(try Timestamp(parsing: text) == time)
    #expect(try Timestamp(parsing: String(nanoseconds)) == time)
  }

  @Test("Any valid instant comes back")
  func randomRoundTrips() throws {
    // A walk in steps of about 17 days and an odd rest, which meets every part of the clock.
    let range = Timestamp.validRange
    let step = 1_443_971_234_567_891
    for nanoseconds in stride(from: range.lowerBound, to: range.upperBound, by: step) {
      let time = Timestamp(nanoseconds: nanoseconds)
      let text = time.iso8601
      guard try Timestamp(iso8601: text) == time else {
        Issue.record("\(nanoseconds), \(text), became \(try Timestamp(iso8601: text))")
        return
      }
    }
  }

  @Test("Every Int64 has a text")
  func extremes() {
    #expect(Timestamp(nanoseconds: .max).iso8601 == "2262-04-11T23:47:16.854775807Z")
    #expect(Timestamp(nanoseconds: .min).iso8601 == "1677-09-21T00:12:43.145224192Z")
  }

  @Test("The long text has nine digits of a fraction, and is the same for the rest")
  func longTexts() {
    // A walk through all of Int64, which meets every part of the clock.
    let walk = stride(from: Int64.min, to: .max - 1_443_971_234_567_891, by: 1_443_971_234_567_891)
    for nanoseconds in [.max, -1, 0, 1, 999_999_999, 1_000_000_000] + Array(walk) {
      let time = Timestamp(nanoseconds: nanoseconds)
      let parts = time.iso8601.dropLast().split(separator: ".")
      let fraction = parts.count == 1 ? "" : parts[1]
      let padding = String(repeating: "0", count: 9 - fraction.count)
      let expected = "\(parts[0]).\(fraction)\(padding)Z"
      var bytes = Array("before ".utf8)
      time.appendISO8601(to: &bytes)
      guard String(decoding: bytes, as: UTF8.self) == "before " + expected else {
        Issue.record("\(nanoseconds): \(String(decoding: bytes, as: UTF8.self)), not \(expected)")
        return
      }
    }
  }

  @Test(
    "Other ways to write an instant",
    arguments: [
      ("2026-01-01", "2026-01-01T00:00:00Z"),
      ("2026-01-01T02:00:05+02:00", "2026-01-01T00:00:05Z"),
      ("2025-12-31T18:30:05.5-05:30", "2026-01-01T00:00:05.5Z"),
      ("2026-01-01T00:00:05.250000000Z", "2026-01-01T00:00:05.25Z"),
      ("2026-01-01T00:00:00-00:00", "2026-01-01T00:00:00Z"),
      ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.5Z"),
      ("2026-01-01T08:30", "2026-01-01T08:30:00Z"), ("2026-01-01T08:30Z", "2026-01-01T08:30:00Z"),
      ("2026-01-01T08:30+01:00", "2026-01-01T07:30:00Z"),
      ("2026-01-01T08:30:05", "2026-01-01T08:30:05Z"),
      ("2026-01-01T08:30:05.5", "2026-01-01T08:30:05.5Z"),
    ])
  func variants(text: String, canonical: String) throws {
    #expect(try Timestamp(iso8601: text).iso8601 == canonical)
    // As people write it on a command line.
    let spaced = text.replacing("T", with: " ")
    #expect(try Timestamp(parsing: spaced).iso8601 == canonical)
  }

  @Test(
    "What is no instant says where and why",
    arguments: [
      ("", .unexpectedCharacter, 0), ("yesterday", .unexpectedCharacter, 0),
      ("26-01-01", .unexpectedCharacter, 2), ("2026", .unexpectedCharacter, 4),
      ("2026/01/01", .unexpectedCharacter, 4), ("2026-1-01", .unexpectedCharacter, 6),
      ("2026-13-01", .noSuchField, 5), ("2026-00-01", .noSuchField, 5),
      ("2026-01-32", .noSuchField, 8), ("2026-02-29", .noSuchField, 8),
      ("2026-01-00", .noSuchField, 8), ("1900-02-29", .noSuchField, 8),
      ("2026-01-01 ", .unexpectedCharacter, 10), ("2026-01-01T", .unexpectedCharacter, 11),
      ("2026-01-01 00:00:00Z", .unexpectedCharacter, 10),
      ("2026-01-01T00", .unexpectedCharacter, 13), ("2026-01-01T00:00:", .unexpectedCharacter, 17),
      ("2026-01-01T00:00.5", .unexpectedCharacter, 16), ("2026-01-01T24:00:00Z", .noSuchField, 11),
      ("2026-01-01T00:60:00Z", .noSuchField, 14), ("2026-12-31T23:59:60Z", .noSuchField, 17),
      ("2026-01-01T00:00:00.Z", .unexpectedCharacter, 20),
      ("2026-01-01T00:00:00.1234567890Z", .tooPrecise, 29),
      ("2026-01-01T00:00:00Zx", .unexpectedCharacter, 20),
      ("2026-01-01T00:00:00+2:00", .unexpectedCharacter, 21),
      ("2026-01-01T00:00:00+24:00", .noSuchField, 20),
      ("2026-01-01T00:00:00+00:60", .noSuchField, 23),
      ("2026-01-01T00:00:00+0200", .unexpectedCharacter, 22),
      ("2026-01-01T00:00:00z", .unexpectedCharacter, 19), ("２026-01-01", .unexpectedCharacter, 0),
      ("2096-10-02T07:06:40.000000001Z", .outOfRange, 0),
      ("1843-03-31T16:53:19.999999999Z", .outOfRange, 0), ("9999-12-31", .outOfRange, 0),
      ("0000-01-01", .outOfRange, 0),
    ] as [(String, TimestampSyntaxError.Code, Int)])
  func mistakes(text: String, code: TimestampSyntaxError.Code, offset: Int) {
    do {
      let time = try Timestamp(iso8601: text)
      Issue.record("\(text) was taken as \(time.iso8601)")
    } catch {
      #expect(error.code == code, "of \(text)")
      #expect(error.offset == offset, "of \(text)")
    }
  }

  @Test("A message names what is expected and where")
  func message() {
    let error = #expect(throws: TimestampSyntaxError.self) { try Timestamp(iso8601: "2026-02-29") }
    #expect(error?.description == "expected a day from 01 to 28 at byte 8")
  }

  @Test("A number is nanoseconds, within the valid range")
  func numbers() throws {
    #expect(try Timestamp(parsing: "2026") == Timestamp(nanoseconds: 2026))
    #expect(try Timestamp(parsing: "-5") == Timestamp(nanoseconds: -5))
    for text in ["4000000000000000001", "-4000000000000000001", "99999999999999999999"] {
      let error = #expect(throws: TimestampSyntaxError.self) { try Timestamp(parsing: text) }
      #expect(error?.code == .outOfRange, "of \(text)")
    }
    for text in ["", "-", "+5", "1.5", "1e9", "--1", " 1", "٣"] {
      let error = #expect(throws: TimestampSyntaxError.self) { try Timestamp(parsing: text) }
      #expect(error?.code == .unexpectedCharacter, "of '\(text)'")
    }
  }
}
