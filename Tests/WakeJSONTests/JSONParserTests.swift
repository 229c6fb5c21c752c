import Testing
import WakeJSON

@Suite("The JSON reader")
struct JSONParserTests {
  /// The error of a text, nil if it is JSON.
  private func error(_ text: [UInt8]) -> JSONError? {
    text.withJSONBytes { bytes in
      do throws(JSONError) {
        var parser = JSONParser(bytes)
        _ = try parser.readDocument()
        return nil
      } catch {
        return error
      }
    }
  }

  @Test(
    "accepts what RFC 8259 allows",
    arguments: [
      "null", " true ", "false", "0", "-0", "-0.5e+10", "1E5", #""""#, #""a\/\u00e9\ud83c\udfc3""#,
      "[]", "[1,[2],{}]", #"{"a":{"b":[null]}}"#, "\t[\r\n]", "\"é🏃\"",
    ])
  func accepts(text: String) {
    #expect(error(Array(text.utf8)) == nil)
  }

  @Test(
    "rejects the rest, with the place",
    arguments: [
      ("", 0), ("nul", 0), ("01", 1), ("+1", 0), ("1.", 2), (".5", 0), ("1e", 2), ("NaN", 0),
      ("[1,]", 3), ("[1 2]", 3), (#"{"a" 1}"#, 5), (#"{"a":1,}"#, 7), ("{a:1}", 1),
      (#""\x""#, 1), (#""\u12"#, 1), (#""\ud800""#, 1), ("\"a\nb\"", 2), (#""abc"#, 4), ("1 2", 2),
    ])
  func rejects(text: String, offset: Int) {
    let error = error(Array(text.utf8))
    #expect(error?.code == .invalidJSON)
    #expect(error?.offset == offset)
  }

  @Test(
    "rejects ill-formed UTF-8",
    arguments: [
      [0x80], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xFF],
    ] as [[UInt8]])
  func rejectsIllFormed(bytes: [UInt8]) {
    #expect(error([0x22] + bytes + [0x22])?.message == "invalid UTF-8")
  }

  @Test("rejects a key that stands twice, escaped or not, among few and many keys")
  func rejectsDuplicates() {
    let many = (0..<40).map { "\"k\($0)\":0" }.joined(separator: ",")
    #expect(error(Array("{\(many)}".utf8)) == nil)
    for text in [#"{"a":1,"\u0061":2}"#, "{\(many),\"k39\":1}", "{\(many),\"k3\":1}"] {
      #expect(error(Array(text.utf8))?.code == .duplicateKey)
    }
  }

  @Test("bounds the nesting")
  func boundsNesting() {
    func nested(_ depth: Int) -> [UInt8] {
      Array(
        (String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    #expect(error(nested(JSONParser.maximumDepth)) == nil)
    #expect(error(nested(JSONParser.maximumDepth + 1))?.code == .invalidJSON)
    #expect(error(nested(100_000))?.code == .invalidJSON)
  }

  @Test("names the path of an error")
  func namesThePath() {
    #expect(error(Array(#"{"a":[1,{"b":01}]}"#.utf8))?.path == "a[1].b")
    #expect(error(Array("[[1,nul]]".utf8))?.path == "[0][1]")
  }
}
