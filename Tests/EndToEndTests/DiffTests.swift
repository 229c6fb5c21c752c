import Foundation
import Testing
import WakeTestSupport

@Suite("rouse diff")
struct DiffTests {
  /// An app that is woken hourly, and answers.
  private static let inputs = """
    {"t":0,"device":"watch","k":"enable","app":"run","type":"T","frequency":"hourly"}
    {"t":10000000000,"device":"watch","k":"save","type":"T","source":"S"}
    {"t":11000000000,"device":"watch","k":"complete","app":"run"}
    {"t":20000000000,"device":"watch","k":"save","type":"T","source":"S"}
    {"t":3620000000000,"device":"watch","k":"complete","app":"run"}
    {"t":8000000000000,"device":"watch","k":"lock"}\n
    """
  /// What the rules make of it: wakes at 10 s and 3,610 s.
  private static let late =
    #"{"t":10000200000,"device":"watch","k":"observed","app":"run","types":["T"],"outcome":"completed","end":11000300000}"#
  private static let early =
    #"{"t":25000000000,"device":"watch","k":"observed","app":"run","types":["T"]}"#
  private static let other =
    #"{"t":5000000000000,"device":"watch","k":"observed","app":"swim","types":["U"],"refresh":true}"#

  private func shop() throws -> Workshop {
    let shop = try Workshop()
    try shop.importing(
      Self.inputs + [Self.late, Self.early, Self.other].joined(separator: "\n") + "\n",
      as: "observed")
    try shop.importing(Self.inputs, as: "plain")
    try shop.write(
      [Self.late, Self.early, Self.other].joined(separator: "\n") + "\n", to: "log.jsonl")
    return shop
  }

  @Test("observations and the rules: same within a tolerance, moved with its reasons, extra")
  func observed() throws {
    let shop = try shop()
    let exact = try shop.rouse("diff", "--observed", "observed.wtrace", "--json").json()
    #expect(exact["all"]?["same"]?.wholeNumber == 0)
    let result = try shop.rouse("diff", "--observed", "observed.wtrace", "--within", "250us")
    #expect(result.status == .exited(2), "\(result.errors)")
    for line in [
      "  watch: run: 1970-01-01T00:00:10Z; other end\n",
      "  watch: run: 1970-01-01T01:00:10Z moved to 1970-01-01T00:00:25Z, 59 min 45 s earlier; "
        + "the rules held it back: period\n",
      "  watch: swim: 1970-01-01T01:23:20Z in observed alone with U; nothing waited by the rules\n",
      "\nperiod              1\nnothing waited      1\n", "\n3 differences, 0 the same\n",
    ] {
      #expect(result.output.contains(line), "\(result.output)")
    }
  }

  @Test("a log and the rules, whatever compresses it, and from standard input")
  func log() throws {
    let shop = try shop()
    let plain = try shop.rouse("diff", "log.jsonl", "--trace", "plain.wtrace", "--within", "1ms")
    #expect(plain.status == .exited(2), "\(plain.errors)")
    let counts = try shop.rouse(
      "diff", "log.jsonl", "--trace", "plain.wtrace", "--within", "1ms", "--json"
    ).json()
    #expect(counts["all"]?["same"]?.wholeNumber == 1)
    #expect(counts["all"]?["earlier"]?.wholeNumber == 1)
    #expect(counts["reasons"]?["period"]?.wholeNumber == 1)
    #expect(counts["unwaited"]?.wholeNumber == 1)
    for line in [
      "gzip -k log.jsonl; $ROUSE diff log.jsonl.gz --trace plain.wtrace --within 1ms",
      "cat log.jsonl | $ROUSE diff - --trace plain.wtrace --within 1ms",
    ] {
      let result = try shop.shell(line)
      #expect(result.status == .exited(2) && result.output == plain.output, "\(result.errors)")
    }
  }

  @Test("two logs: a replay's own is the same, with other lines it is not")
  func logs() throws {
    let shop = try shop()
    let wakes = try shop.rouse("replay", "plain.wtrace", "--wakes", "a.jsonl")
    #expect(wakes.status == .exited(0), "\(wakes.errors)")
    let same = try shop.rouse("diff", "a.jsonl", "a.jsonl")
    #expect(same.status == .exited(0) && same.output.hasSuffix("the same: 2 wakes\n"), "\(same)")
    #expect(try shop.rouse("diff", "a.jsonl", "--trace", "plain.wtrace").status == .exited(0))
    let other = try shop.rouse(
      "diff", "a.jsonl", "log.jsonl", "--show", "1", "--times", "iso", "--json")
    #expect(other.status == .exited(2), "\(other.errors)")
    let json = try other.json()
    #expect(json["differences"]?.elements.count == 1)
    #expect(json["differences"]?.elements.first?["reasons"] == nil)
    // Devices on one side alone.
    try shop.write(#"{"t":1,"app":"run","types":["T"]}"# + "\n", to: "nameless.jsonl")
    let lonely = try shop.rouse("diff", "a.jsonl", "nameless.jsonl")
    #expect(
      lonely.output.contains("1 device with wakes in A alone\n1 device with wakes in B alone\n"))
    #expect(try shop.rouse("diff", "a.jsonl", "a.jsonl", "--device", "none").status == .exited(0))
    // Lines out of order are sorted, which is told.
    let lines = String(decoding: try shop.read("a.jsonl"), as: UTF8.self).split(separator: "\n")
    try shop.write(lines.reversed().joined(separator: "\n"), to: "reversed.jsonl")
    let reversed = try shop.rouse("diff", "a.jsonl", "reversed.jsonl")
    #expect(reversed.status == .exited(0))
    #expect(
      reversed.errors.contains("reversed.jsonl: 1 wake earlier than the one before"),
      "\(reversed.errors)")
  }

  @Test("two types at one instant in another order, and a type that moved past another, in words")
  func pairs() throws {
    let shop = try Workshop()
    func log(_ name: String, _ wakes: [(Int, String)]) throws {
      let lines = wakes.map { #"{"t":\#($0.0)000000000,"app":"a","types":[\#($0.1)]}"# }
      try shop.write(lines.joined(separator: "\n") + "\n", to: name)
    }
    try log("a", [(10, #""T""#), (10, #""U""#), (20, #""T""#), (22, #""U""#), (50, #""T""#)])
    try log("b", [(10, #""U""#), (22, #""U""#), (25, #""T""#), (50, "")])
    let result = try shop.rouse("diff", "a", "b")
    #expect(result.status == .exited(2), "\(result.errors)")
    let lines = [
      "  a: 1970-01-01T00:00:10Z moved to 1970-01-01T00:00:25Z, 15 s later",
      "  a: 1970-01-01T00:00:20Z in A alone with T",
      "  a: 1970-01-01T00:00:50Z with T in A, with no types in B",
      "a    5  4     2            1              0        0      1        15 s        1      0",
      "3 differences, 2 the same",
    ]
    for line in lines { #expect(result.output.contains(line + "\n"), "\(result.output)") }
    // All differences are those of a few, and more.
    let all = try shop.rouse("diff", "a", "b", "--show", "all").output
    #expect(all == result.output)
    let one = try shop.rouse("diff", "a", "b", "--show", "1").output
    #expect(one.hasPrefix("The first difference:\n" + lines[0] + "\n\nAPP"), "\(one)")
  }

  @Test(
    "a device that nothing has, or that was not observed, is told, and so are times without a wake")
  func devices() throws {
    let shop = try Workshop()
    try shop.importing(
      Self.inputs + Self.late + "\n" + Self.inputs.replacing(#""watch""#, with: #""phone""#),
      as: "both")
    try shop.write(Self.late + "\n", to: "a")
    let nothing = "the same: 0 wakes\n"
    for (call, message) in [
      ("a a --device wach", "rouse: no wake has the device 'wach'; the nearest: 'watch'\n"),
      (
        "a --trace both.wtrace --device phon",
        "rouse: no wake or input has the device 'phon'; the nearest: 'phone'\n"
      ),
      (
        "--observed both.wtrace --device phones",
        "rouse: no input has the device 'phones'; the nearest: 'phone'\n"
      ),
      (
        "--observed both.wtrace --device phone",
        "rouse: the device 'phone' has no observation and is left out\n"
      ),
      ("a a --from 2026-01-01", "rouse: no wake is within --from and --to\n"),
    ] {
      let result = try RouseCommand.run(
        ["diff"] + call.split(separator: " ").map(String.init), folder: shop.path)
      #expect(result.status == .exited(0) && result.output.hasSuffix(nothing), "\(call): \(result)")
      #expect(result.errors == message, "\(call): \(result.errors)")
    }
    // What is on one side alone is told by the counts.
    let one = try shop.rouse("diff", "a", "--trace", "both.wtrace", "--device", "phone")
    #expect(one.errors.isEmpty && one.output.contains("1 device with wakes in rules alone\n"))
    let both = try shop.rouse(
      "diff", "--observed", "both.wtrace", "--device", "phone", "--device", "watch")
    let watch = try shop.rouse("diff", "--observed", "both.wtrace", "--device", "watch")
    #expect(both.output == watch.output && watch.errors.isEmpty, "\(watch)")
    #expect(both.errors == "rouse: the device 'phone' has no observation and is left out\n")
  }

  @Test("bad inputs end with 1 and a line, wrong usage with 64")
  func refusals() throws {
    let shop = try shop()
    let bad: [(String, String)] = [
      (#"{"t":1,"app":"run"}"#, #"bad.jsonl:2: field "types": is missing"#),
      (#"{"t":1,"app":"run","types":"T"}"#, #"field "types": expected an array, found a string"#),
      (#"{"t":1,"app":"run","types":["T",7]}"#, #"field "types[1]": expected a string"#),
      (#"{"t":1,"app":"run","types":[],"outcome":"fine"}"#, "is not one of completed, expired"),
      (#"{"t":1,"app":"run","types":[],"saves":-1}"#, #"field "saves": -1 is not a count"#),
      (#"{"t":"2026-01-01","app":"run","types":[]}"#, "as --times iso writes them"),
      (#"{"t":1,"k":"save","app":"run","types":[]}"#, #"field "k": is that of an input"#),
      (#"{"t":1,"app":"run","types":[]"#, "invalid JSON"),
      (#"{"t":1,"t":2,"app":"run","types":[]}"#, "stands twice"),
    ]
    for (line, message) in bad {
      try shop.write(#"{"t":0,"app":"run","types":[]}"# + "\n" + line + "\n", to: "bad.jsonl")
      for call in [["bad.jsonl", "log.jsonl"], ["bad.jsonl", "--trace", "plain.wtrace"]] {
        let result = try RouseCommand.run(["diff"] + call, folder: shop.path)
        #expect(result.status == .exited(1), "\(line)")
        #expect(result.errors.contains(message), "\(line): \(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
      }
    }
    let none = try shop.rouse("diff", "--observed", "plain.wtrace")
    #expect(none.status == .exited(1) && none.errors.contains("holds no observations"))
    let usage: [[String]] = [
      [], ["log.jsonl"], ["a", "b", "--trace", "plain.wtrace"],
      ["log.jsonl", "--observed", "observed.wtrace"],
      ["--trace", "plain.wtrace", "--observed", "observed.wtrace"],
      ["log.jsonl", "log.jsonl", "--policy", "ios"], ["-", "-"],
      ["log.jsonl", "log.jsonl", "--within", "soon"], ["log.jsonl", "log.jsonl", "--within", "-1"],
      ["log.jsonl", "log.jsonl", "--within", "1e300"], ["log.jsonl", "log.jsonl", "--show", "-1"],
      ["log.jsonl", "log.jsonl", "--times", "iso"], ["a", "b", "c"],
    ]
    for arguments in usage {
      let result = try RouseCommand.run(["diff"] + arguments, folder: shop.path)
      #expect(result.status == .exited(64), "\(arguments): \(result.errors)")
    }
  }
}
