import Testing
import WakeEvents
import WakeImport

@Suite("Lines that are wrong")
struct JSONLinesErrorTests {
  @Test(
    "name the field, and say what is wrong with it",
    arguments: [
      // Missing.
      (#"{}"#, #"field "t": is missing"#),
      (#"{"t":1}"#, #"field "k": is missing"#),
      (#"{"t":null,"k":"lock"}"#, #"field "t": is missing"#),
      (#"{"t":1,"k":null}"#, #"field "k": is missing"#),
      (#"{"t":1,"k":"save","source":"S"}"#, #"field "type": is missing"#),
      (#"{"t":1,"k":"save","type":"T"}"#, #"field "source": is missing"#),
      (#"{"t":1,"k":"delete","type":"T","source":null}"#, #"field "source": is missing"#),
      (#"{"t":1,"k":"enable","app":"A","type":"T"}"#, #"field "frequency": is missing"#),
      (#"{"t":1,"k":"disable","app":"A"}"#, #"field "type": is missing"#),
      (#"{"t":1,"k":"disableAll"}"#, #"field "app": is missing"#),
      (#"{"t":1,"k":"execute","app":"A","type":"T"}"#, #"field "query": is missing"#),
      (#"{"t":1,"k":"stop","app":"A"}"#, #"field "query": is missing"#),
      (#"{"t":1,"k":"complete"}"#, #"field "app": is missing"#),
      (#"{"t":1,"k":"push","app":"A"}"#, #"field "id": is missing"#),
      (#"{"t":1,"k":"refreshInterval","app":"A"}"#, #"field "interval": is missing"#),
      (#"{"t":1,"k":"refreshStatus","app":"*"}"#, #"field "status": is missing"#),
      (#"{"t":1,"k":"complication","app":"A"}"#, #"field "active": is missing"#),
      (#"{"t":1,"k":"entitlement","app":"A"}"#, #"field "granted": is missing"#),
      (#"{"t":1,"k":"network"}"#, #"field "good": is missing"#),
      (#"{"t":1,"k":"power","good":null}"#, #"field "good": is missing"#),
      // Of the wrong type.
      (
        #"{"t":"1970-01-01T00:00:00.000000000Z","k":"lock"}"#,
        #"field "t": expected whole nanoseconds since 1970, found a string, as --times iso writes them"#
      ),
      (#"{"t":1,"k":5}"#, #"field "k": expected a string, found a number"#),
      (
        #"{"t":1,"k":"lock","device":5}"#, #"field "device": expected a string, found a number"#
      ),
      (
        #"{"t":1,"k":"launch","app":["A"]}"#, #"field "app": expected a string, found an array"#
      ),
      (
        #"{"t":1,"k":"save","type":"T","source":"S","value":"1"}"#,
        #"field "value": expected a number, found a string"#
      ),
      (
        #"{"t":1,"k":"save","type":"T","source":"S","start":{}}"#,
        #"field "start": expected a whole number, found an object"#
      ),
      (
        #"{"t":1,"k":"complication","app":"A","active":1}"#,
        #"field "active": expected a boolean, found a number"#
      ),
      (
        #"{"t":1,"k":"execute","app":"A","query":"q","type":"T","predicate":[]}"#,
        #"field "predicate": expected an object, found an array"#
      ),
      (
        #"{"t":1,"k":"execute","app":"A","query":"q","type":"T","predicate":{"min":true}}"#,
        #"field "predicate.min": expected a number, found a boolean"#
      ),
      (
        #"{"t":1,"k":"execute","app":"A","query":"q","type":"T","predicate":{"strictEnd":0}}"#,
        #"field "predicate.strictEnd": expected a boolean, found a number"#
      ),
      (
        #"{"t":1,"k":"execute","app":"A","query":"q","type":"T","predicate":{"source":1}}"#,
        #"field "predicate.source": expected a string, found a number"#
      ),
      (
        #"{"t":1,"k":"execute","app":"A","query":"q","type":"T","predicate":{"end":2.0}}"#,
        #"field "predicate.end": 2.0 is not a whole number written without fraction and exponent"#
      ),
      (
        #"{"t":1,"k":"complete","app":"A","item":false}"#,
        #"field "item": expected a string, found a boolean"#
      ),
      (
        #"{"t":1,"k":"push","app":"A","id":7}"#, #"field "id": expected a string, found a number"#
      ),
      (
        #"{"t":1,"k":"push","app":"A","id":"p","aps":"{}"}"#,
        #"field "aps": expected an object, found a string"#
      ),
      (
        #"{"t":1,"k":"push","app":"A","id":"p","aps":{"content-available":"1"}}"#,
        #"field "aps.content-available": expected a number, found a string"#
      ),
      (
        #"{"t":1,"k":"push","app":"A","id":"p","aps":{"alert":1,"content-available":true}}"#,
        #"field "aps.content-available": expected a number, found a boolean"#
      ),
      (
        #"{"t":1,"k":"push","app":"A","id":"p","pushType":1}"#,
        #"field "pushType": expected a string, found a number"#
      ),
      (
        #"{"t":1,"k":"push","app":"A","id":"p","priority":"5"}"#,
        #"field "priority": expected a number, found a string"#
      ),
      (
        #"{"t":1,"k":"refreshInterval","app":"A","interval":true}"#,
        #"field "interval": expected a number of seconds, never or minimum, found a boolean"#
      ),
      // Out of range.
      (
        #"{"t":1.0,"k":"lock"}"#,
        #"field "t": 1.0 is not a whole number written without fraction and exponent"#
      ),
      (
        #"{"t":1e3,"k":"lock"}"#,
        #"field "t": 1e3 is not a whole number written without fraction and exponent"#
      ),
      (
        #"{"t":4000000000000000001,"k":"lock"}"#,
        #"field "t": 4000000000000000001 is not within ±4000000000000000000"#
      ),
      (
        #"{"t":-4000000000000000001,"k":"lock"}"#,
        #"field "t": -4000000000000000001 is not within ±4000000000000000000"#
      ),
      (
        #"{"t":18446744073709551617,"k":"lock"}"#,
        #"field "t": 18446744073709551617 is not within ±4000000000000000000"#
      ),
      (
        #"{"t":1,"k":"save","type":"T","source":"S","end":9223372036854775808}"#,
        #"field "end": 9223372036854775808 is not within ±4000000000000000000"#
      ),
      (
        #"{"t":1,"k":"save","type":"T","source":"S","value":1e309}"#,
        #"field "value": 1e309 is not a finite double"#
      ),
      (
        #"{"t":1,"k":"push","app":"A","id":"p","priority":-1e400}"#,
        #"field "priority": -1e400 is not a finite double"#
      ),
      (
        #"{"t":1,"k":"refreshInterval","app":"A","interval":-0.5}"#,
        #"field "interval": -0.5 is not from 0 to 1000000000"#
      ),
      (
        #"{"t":1,"k":"refreshInterval","app":"A","interval":1000000000.5}"#,
        #"field "interval": 1000000000.5 is not from 0 to 1000000000"#
      ),
      // Words that are not listed.
      (
        #"{"t":1,"k":"Save"}"#,
        #"field "k": "Save" is not one of save, delete, enable, disable, disableAll, execute, "#
          + "stop, complete, launch, background, terminate, forceQuit, push, refreshInterval, "
          + "refreshStatus, complication, entitlement, network, power, lock, unlock, reboot, observed"
      ),
      (
        #"{"t":1,"k":"enable","app":"A","type":"T","frequency":"fortnightly"}"#,
        #"field "frequency": "fortnightly" is not one of immediate, hourly, daily, weekly"#
      ),
      (
        #"{"t":1,"k":"enable","app":"A","type":"T","frequency":"hourly\u0000"}"#,
        #"field "frequency": "hourly\u0000" is not one of immediate, hourly, daily, weekly"#
      ),
      (
        #"{"t":1,"k":"complete","app":"A","result":"newdata"}"#,
        #"field "result": "newdata" is not one of newData, noData, failed"#
      ),
      (
        #"{"t":1,"k":"refreshStatus","app":"A","status":""}"#,
        #"field "status": "" is not one of available, denied, restricted"#
      ),
      (
        #"{"t":1,"k":"refreshInterval","app":"A","interval":"soon\n"}"#,
        #"field "interval": "soon\n" is not one of never, minimum"#
      ),
      // Keys that stand twice.
      (#"{"t":1,"k":"lock","t":1}"#, #"field "t": stands twice in one object"#),
      (#"{"t":1,"k":"lock","\u006b":"lock"}"#, #"field "k": stands twice in one object"#),
      (#"{"t":1,"k":"lock","x":1,"x":2}"#, #"field "x": stands twice in one object"#),
      (#"{"t":1,"k":"lock","a\nb":1,"a\nb":2}"#, #"field "a\nb": stands twice in one object"#),
      (
        #"{"t":1,"k":"execute","app":"A","query":"q","type":"T","predicate":{"min":1,"min":1}}"#,
        #"field "predicate.min": stands twice in one object"#
      ),
      (
        #"{"t":1,"k":"lock","x":[0,{"y":{"":1,"":2}}]}"#,
        #"field "x[1].y.": stands twice in one object"#
      ),
    ])
  func fieldErrors(line: String, expected: String) {
    #expect(errorText(line) == "input.jsonl:1: " + expected)
  }

  @Test(
    "that are no JSON say where",
    arguments: [
      (#"[]"#, "expected an object, found an array"),
      (#"null"#, "expected an object, found null"),
      (#""x""#, "expected an object, found a string"),
      (#"x"#, "invalid JSON at byte 1: expected a value"),
      (#"{"#, #"invalid JSON at byte 2: expected a key or "}", found the end"#),
      (#"{"t""#, #"invalid JSON at byte 5: expected ":", found the end"#),
      (#"{"t":"#, #"field "t": invalid JSON at byte 6: expected a value, found the end"#),
      (#"{"t":1"#, #"invalid JSON at byte 7: expected "," or "}", found the end"#),
      (#"{"t":1,}"#, #"invalid JSON at byte 8: expected a key"#),
      (#"{,}"#, #"invalid JSON at byte 2: expected a key or "}""#),
      (#"{t:1}"#, #"invalid JSON at byte 2: expected a key or "}""#),
      (#"{"t":1 "k":"lock"}"#, #"invalid JSON at byte 8: expected "," or "}""#),
      (#"{"t":1,"k":"lock"} x"#, "invalid JSON at byte 20: expected nothing more"),
      (#"{"t":1,"k":"lock"}{}"#, "invalid JSON at byte 19: expected nothing more"),
      (
        #"{"t":01,"k":"lock"}"#,
        #"field "t": invalid JSON at byte 7: a number has no leading zeros"#
      ),
      (#"{"t":-,"k":"lock"}"#, #"field "t": invalid JSON at byte 7: expected a digit"#),
      (#"{"t":+1,"k":"lock"}"#, #"field "t": invalid JSON at byte 6: expected a value"#),
      (#"{"t":.5,"k":"lock"}"#, #"field "t": invalid JSON at byte 6: expected a value"#),
      (#"{"t":1.,"k":"lock"}"#, #"field "t": invalid JSON at byte 8: expected a digit"#),
      (#"{"t":1e,"k":"lock"}"#, #"field "t": invalid JSON at byte 8: expected a digit"#),
      (#"{"t":1e+,"k":"lock"}"#, #"field "t": invalid JSON at byte 9: expected a digit"#),
      (#"{"t":0x1,"k":"lock"}"#, #"invalid JSON at byte 7: expected "," or "}""#),
      (#"{"t":NaN,"k":"lock"}"#, #"field "t": invalid JSON at byte 6: expected a value"#),
      (#"{"t":1,"k":"lock","x":tru}"#, #"field "x": invalid JSON at byte 23: expected a value"#),
      (#"{"t":1,"k":"lock","x":nullx}"#, #"invalid JSON at byte 27: expected "," or "}""#),
      (
        #"{"t":1,"k":"lock","x":[1,]}"#, #"field "x[1]": invalid JSON at byte 26: expected a value"#
      ),
      (
        #"{"t":1,"k":"lock","x":[1 2]}"#,
        #"field "x": invalid JSON at byte 26: expected "," or "]""#
      ),
      (#"{"t":1,"k":"lock","x":[1}"#, #"field "x": invalid JSON at byte 25: expected "," or "]""#),
      (
        #"{"t":1,"k":"lock"#,
        #"field "k": invalid JSON at byte 17: expected a closing quotation mark, found the end"#
      ),
      (#"{"t":1,"k":"lo\ck"}"#, #"field "k": invalid JSON at byte 15: no such escape"#),
      (
        #"{"t":1,"k":"\u12G4"}"#,
        #"field "k": invalid JSON at byte 13: expected four hexadecimal digits after "\u""#
      ),
      (
        "{\"t\":1,\"k\":\"a\u{1}\"}",
        #"field "k": invalid JSON at byte 14: a control character must be escaped"#
      ),
      (
        "{\"t\":1,\"k\":\"lock\u{0}\"}",
        #"field "k": invalid JSON at byte 17: a control character must be escaped"#
      ),
      (
        #"{"t":1,"k":"launch","app":"\uD800"}"#,
        #"field "app": invalid JSON at byte 28: "#
          + "a surrogate without its other half is no valid Unicode"
      ),
      (
        #"{"t":1,"k":"launch","app":"x\uDC00"}"#,
        #"field "app": invalid JSON at byte 29: "#
          + "a surrogate without its other half is no valid Unicode"
      ),
      (
        #"{"t":1,"k":"lock","x":{"y":"\uD800\u0041"}}"#,
        #"field "x.y": invalid JSON at byte 29: "#
          + "a surrogate without its other half is no valid Unicode"
      ),
    ])
  func syntaxErrors(line: String, expected: String) {
    #expect(errorText(line) == "input.jsonl:1: " + expected)
  }

  @Test(
    "that are no UTF-8 are refused, in a name, a key and an ignored field",
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x9F, 0xBF],
      [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF0, 0x9F, 0x98], [0xF0, 0x9F, 0x98, 0xC0], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) {
    let name = Array(#"{"t":1,"k":"launch","app":"ab"#.utf8) + bytes + Array(#"cdefghijklm"}"#.utf8)
    #expect(
      errorText(name) == #"input.jsonl:1: field "app": invalid JSON at byte 30: invalid UTF-8"#)
    let key = Array(#"{"t":1,"k":"lock","ab"#.utf8) + bytes + Array(#"":1}"#.utf8)
    #expect(errorText(key) == #"input.jsonl:1: invalid JSON at byte 22: invalid UTF-8"#)
    let ignored = Array(#"{"t":1,"k":"lock","x":["ab"#.utf8) + bytes + Array(#""]}"#.utf8)
    #expect(
      errorText(ignored) == #"input.jsonl:1: field "x[0]": invalid JSON at byte 27: invalid UTF-8"#)
  }

  @Test("every byte below the space must be escaped, wherever in a string it stands")
  func controlCharacters() {
    for byte in 0..<0x20 as Range<UInt8> where byte != 0x0A {
      for place in 0..<20 {
        var name = [UInt8](repeating: UInt8(ascii: "n"), count: 20)
        name[place] = byte
        let line = Array(#"{"t":1,"k":"launch","app":""#.utf8) + name + Array(#""}"#.utf8)
        #expect(
          errorText(line) == #"input.jsonl:1: field "app": invalid JSON at byte \#(28 + place): "#
            + "a control character must be escaped")
      }
    }
  }

  @Test("objects and arrays are nested 128 deep at most")
  func depth() {
    func line(_ depth: Int, _ open: String, _ close: String) -> String {
      #"{"t":1,"k":"lock","x":"# + String(repeating: open, count: depth - 2) + "[]"
        + String(repeating: close, count: depth - 2) + "}"
    }
    #expect(errorText(line(128, "[", "]")) == "no error")
    #expect(errorText(line(128, #"{"":"#, "}")) == "no error")
    for text in [line(129, "[", "]"), line(129, #"{"":"#, "}"), line(100_000, "[", "]")] {
      #expect(errorText(text).hasSuffix("more than 128 objects and arrays within each other"))
    }
  }

  @Test("long values are shortened in messages")
  func shortened() {
    let digits = String(repeating: "9", count: 50)
    #expect(
      errorText(#"{"t":\#(digits),"k":"lock"}"#)
        == #"input.jsonl:1: field "t": \#(digits.prefix(40))… is not within ±4000000000000000000"#)
    let word = String(repeating: "é", count: 81)
    #expect(
      errorText(#"{"t":1,"k":"enable","app":"","type":"","frequency":"\#(word)"}"#)
        == #"input.jsonl:1: field "frequency": "\#(word.dropLast())"… is not one of "#
        + "immediate, hourly, daily, weekly")
  }
}
