import Testing
import WakeEvents

@Suite("The pieces of JSON text")
struct JSONTextTests {
  private func text(_ append: (inout [UInt8]) -> Void) -> String {
    var buffer = Array("before:".utf8)
    append(&buffer)
    return String(decoding: buffer.dropFirst(7), as: UTF8.self)
  }

  @Test(
    "strings are escaped where JSON demands it, and nowhere else",
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
    #expect(text { JSONText.append(string, to: &$0) } == expected)
  }

  @Test("whole numbers are written to the last digit")
  func wholeNumbers() {
    for number in [0, 1, -1, 9, 10, -10, 1_767_225_600_000_000_000, Int64.max, Int64.min] {
      #expect(text { JSONText.append(number, to: &$0) } == String(number))
    }
    for number in [0, 7, 100, UInt64.max] {
      #expect(text { JSONText.append(number, to: &$0) } == String(number))
    }
  }

  @Test(
    "doubles are as short as they can be",
    arguments: [
      (0.0, "0"), (-0.0, "-0.0"), (1.0, "1"), (-69.0, "-69"), (0.1, "0.1"), (-2.5, "-2.5"),
      (999_999_999_999_999.0, "999999999999999"), (-999_999_999_999_999.0, "-999999999999999"),
      (1e15, "1000000000000000.0"), (1e16, "1e+16"), (1e-5, "1e-05"),
      (.leastNonzeroMagnitude, "5e-324"),
      (1.7976931348623157e308, "1.7976931348623157e+308"),
      (0.30000000000000004, "0.30000000000000004"),
      (.infinity, "null"), (-.infinity, "null"), (.nan, "null"),
    ])
  func doubles(number: Double, expected: String) {
    #expect(text { JSONText.append(number, to: &$0) } == expected)
  }
}
