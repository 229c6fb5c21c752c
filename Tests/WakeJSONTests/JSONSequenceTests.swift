import Testing
import WakeJSON

@Suite("A sequence of objects")
struct JSONSequenceTests {
  private func objects(_ text: String, pieces: Int) throws -> [String] {
    var sequence = JSONSequence()
    var found: [String] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      sequence.append(rest.prefix(pieces))
      rest = rest.dropFirst(pieces)
      while let element = try sequence.next() {
        found.append("\(element.line)" + String(decoding: element.bytes, as: UTF8.self))
      }
    }
    return found + (sequence.isUnfinished ? ["unfinished"] : [])
  }

  @Test("is found in lines, arrays and any layout, in pieces of any size", arguments: 1...9)
  func pieces(pieces: Int) throws {
    for (text, expected) in [
      ("{}", ["1{}"]), ("{\"a\":1}\n{\"b\":[{}]}\n", ["1{\"a\":1}", "2{\"b\":[{}]}"]),
      ("[\n{\"a\":\"}\\\"{\"},\n {}]\n", ["2{\"a\":\"}\\\"{\"}", "3{}"]),
      ("{\n\"a\":\n[1]}{}", ["1{\n\"a\":\n[1]}", "3{}"]), (" \n", []), ("[]", []),
      ("{}{\"a\":[", ["1{}", "unfinished"]), ("[{}", ["1{}", "unfinished"]),
      ("[{},", ["1{}", "unfinished"]), ("[", ["unfinished"]), ("[[{}]]", ["1{}"]),
    ] {
      #expect(try objects(text, pieces: pieces) == expected, "\(text)")
    }
    for text in ["x", "{}1", "\"{}\"", "null", "]", "{}}", "[{}]]"] {
      #expect(throws: JSONError.self, "\(text)") { try objects(text, pieces: pieces) }
    }
  }
}
