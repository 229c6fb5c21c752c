import Testing
import WakeEvents
import WakeJSON

@Suite("The JSON writer")
struct JSONWriterTests {
  private func text(_ layout: JSONWriter.Layout = .line, _ value: some JSONWritable) -> String {
    var json = JSONWriter(layout)
    json.value(value)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  @Test(
    "escapes strings where JSON demands it, and nowhere else",
    arguments: [
      ("", #""""#),
      ("HKWorkoutTypeIdentifier", #""HKWorkoutTypeIdentifier""#),
      ("a/b 'c' <d>&\u{7F}", "\"a/b 'c' <d>&\u{7F}\""),
      (#"say "hi" \o/"#, #""say \"hi\" \\o/""#),
      ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
      ("\0\u{1}\u{B}\u{1F} ", #""\u0000\u0001\u000b\u001f ""#),
      ("Zoë\u{2028}🏃‍♀️", "\"Zoë\u{2028}🏃‍♀️\""),
    ])
  func strings(string: String, expected: String) {
    #expect(text(.line, string) == expected)
  }

  @Test("writes whole numbers to the last digit")
  func wholeNumbers() {
    for number in [0, 1, -1, 9, 10, -10, 1_767_225_600_000_000_000, Int64.max, Int64.min] {
      #expect(text(.line, number) == String(number))
    }
    for number in [0, 7, 100, UInt64.max] {
      #expect(text(.line, number) == String(number))
    }
    // Each number of digits, and each digit in each place.
    var power = 1 as UInt64
    for _ in 1...19 {
      for digit in 1...9 as ClosedRange<UInt64> {
        for number in [digit * power - 1, digit * power, digit &* power &* 11] {
          #expect(text(.line, number) == String(number))
        }
      }
      power *= 10
    }
  }

  @Test(
    "writes doubles as short as they can be; only lines keep a fraction of zero",
    arguments: [
      (0.0, "0", "0"), (-0.0, "-0.0", "-0"), (1.0, "1", "1"), (-69.0, "-69", "-69"),
      (0.1, "0.1", "0.1"), (-2.5, "-2.5", "-2.5"),
      (999_999_999_999_999.0, "999999999999999", "999999999999999"),
      (-999_999_999_999_999.0, "-999999999999999", "-999999999999999"),
      (1e15, "1000000000000000.0", "1000000000000000"), (1e16, "1e+16", "1e+16"),
      (1e-5, "1e-05", "1e-05"), (.leastNonzeroMagnitude, "5e-324", "5e-324"),
      (1.7976931348623157e308, "1.7976931348623157e+308", "1.7976931348623157e+308"),
      (0.30000000000000004, "0.30000000000000004", "0.30000000000000004"),
      (.infinity, "null", "null"), (-.infinity, "null", "null"), (.nan, "null", "null"),
    ])
  func doubles(number: Double, inLine: String, indented: String) {
    #expect(text(.line, number) == inLine)
    #expect(text(.indented, number) == indented)
  }

  @Test("writes points in time as nanoseconds or in ISO 8601, and never loses one")
  func times() {
    func text(_ time: Timestamp?, _ form: JSONTimeForm) -> String {
      var json = JSONWriter(.line, times: form)
      json.object { $0.member("t", time: time) }
      return String(decoding: json.bytes, as: UTF8.self)
    }
    for (nanoseconds, date) in [
      (0, "1970-01-01T00:00:00.000000000Z"), (-1, "1969-12-31T23:59:59.999999999Z"),
      (1_767_225_605_250_000_001, "2026-01-01T00:00:05.250000001Z"),
      (951_825_600_000_000_000, "2000-02-29T12:00:00.000000000Z"),
      (.max, "2262-04-11T23:47:16.854775807Z"), (.min, "1677-09-21T00:12:43.145224192Z"),
    ] as [(Int64, String)] {
      let time = Timestamp(nanoseconds: nanoseconds)
      #expect(text(time, .nanoseconds) == "{\"t\":\(nanoseconds)}")
      #expect(text(time, .iso) == "{\"t\":\"\(date)\"}")
    }
    #expect(text(nil, .nanoseconds) == "{\"t\":null}" && text(nil, .iso) == "{\"t\":null}")
  }

  private func sample(_ layout: JSONWriter.Layout) -> String {
    var json = JSONWriter(layout)
    json.object {
      $0.member("none", nil as Int?)
      $0.member("empty") { _ in }
      $0.member("list", ["a", "b"]) { $0.value($1) }
      $0.member("objects", [1, 2]) { json, number in json.object { $0.member("n", number) } }
      $0.member("nothing", [] as [Int]) { $0.value($1) }
      $0.member("text", text: Array("[true]".utf8))
      $0.key(escaping: "a \"key\"")
      $0.value(true)
    }
    return json.text
  }

  @Test("lays out a line, and an indented text as Foundation's encoder does")
  func layouts() {
    #expect(
      sample(.line)
        == #"{"none":null,"empty":{},"list":["a","b"],"objects":[{"n":1},{"n":2}],"#
        + #""nothing":[],"text":[true],"a \"key\"":true}"# + "\n")
    #expect(
      sample(.indented) == #"""
        {
          "none" : null,
          "empty" : {

          },
          "list" : [
            "a",
            "b"
          ],
          "objects" : [
            {
              "n" : 1
            },
            {
              "n" : 2
            }
          ],
          "nothing" : [

          ],
          "text" : [true],
          "a \"key\"" : true
        }

        """#)
  }

  @Test("writes what the reader reads")
  func isReadBack() throws {
    for layout in [JSONWriter.Layout.line, .indented] {
      try Array(sample(layout).utf8).withJSONBytes { bytes in
        var parser = JSONParser(bytes)
        var keys: [String] = []
        let document = try parser.readDocument()
        try bytes.forEachMember(of: try bytes.object(document)) { key, _ in
          keys.append(bytes.string(key))
        }
        #expect(keys == ["none", "empty", "list", "objects", "nothing", "text", "a \"key\""])
      }
    }
  }
}
