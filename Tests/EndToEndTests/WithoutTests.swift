import Foundation
import Testing
import WakeTestSupport

@Suite("Replays without a reason")
struct WithoutTests {
  /// A watch on which the budget of one wake an hour keeps the second and third save back.
  private static func lines(of device: String) -> String {
    """
    {"t":0,"device":"\(device)","k":"enable","app":"app","type":"T","frequency":"immediate"}
    {"t":0,"device":"\(device)","k":"save","type":"T","source":"S"}
    {"t":600000000000,"device":"\(device)","k":"save","type":"T","source":"S"}
    {"t":1200000000000,"device":"\(device)","k":"save","type":"T","source":"S"}
    {"t":7200000000000,"device":"\(device)","k":"unlock"}\n
    """
  }

  private static let policy =
    #"{"preset":"watchos","caps":{"default":"immediate"},"behaviour":{"completesAfter":1}}"#

  @Test("say so, and wake when the page says")
  func replay() throws {
    let shop = try Workshop()
    try shop.importing(Self.lines(of: "watch"), as: "trace")
    try shop.write(Self.policy, to: "policy.json")
    func replay(_ options: String...) throws -> RouseCommand.Result {
      try RouseCommand.run(
        ["replay", "trace.wtrace", "--policy", "policy.json"] + options, folder: shop.path)
    }
    func wakes(_ options: String...) throws -> [Int64?] {
      let result = try RouseCommand.run(
        ["replay", "trace.wtrace", "--policy", "policy.json", "--wakes", "-"] + options,
        folder: shop.path)
      return try JSONValue.parsingLines(result.output).map {
        $0["t"]?.wholeNumber.map { $0 / 1_000_000_000 }
      }
    }
    #expect(try wakes() == [0, 3_600])
    #expect(try wakes("--without", "budget") == [0, 600, 1_200])
    #expect(try wakes("--without", "locked,backoff") == [0, 3_600])

    let plain = try replay("--json").json()
    #expect(plain["without"] == nil)
    #expect(try !replay().output.contains("Without"))
    let lifted = try replay("--json", "--without", "period,budget").json()
    #expect(lifted["without"] == .array([.string("budget"), .string("period")]))
    #expect(lifted["summary"]?["wakes"] == .integer(3))
    let text = try replay("--without=lock,budget")
    #expect(
      text.output.contains(
        "\nWithout          locked, budget: not what the rules give, but a what-if\n"))
    #expect(try replay("--verify", "--without", "budget").output.hasPrefix("equal: 3 wakes"))

    for (words, message) in [
      ("speed", "--without: 'speed' is not a reason that can be lifted: use words, separated "),
      ("foreground", "--without: foreground cannot be lifted"),
    ] {
      let refused = try replay("--without", words)
      #expect(refused.status == .exited(64) && refused.output == "")
      #expect(refused.errors.hasPrefix("rouse: \(message)"), "\(refused.errors)")
    }
  }

  @Test("are merged with their like alone")
  func merge() throws {
    let shop = try Workshop()
    try shop.write(Self.policy, to: "policy.json")
    for device in ["one", "two"] {
      try shop.importing(Self.lines(of: device), as: device)
      for (name, options) in [("all", []), ("free", ["--without", "budget"])] {
        let result = try RouseCommand.run(
          ["replay", "\(device).wtrace", "--policy", "policy.json", "--json"] + options,
          folder: shop.path)
        try shop.write(result.output, to: "\(device)-\(name).json")
      }
    }
    let merged = try shop.rouse("merge", "one-free.json", "two-free.json", "--json").json()
    #expect(merged["without"] == .array([.string("budget")]))
    #expect(merged["summary"]?["wakes"] == .integer(6))
    for (first, second, message) in [
      (
        "one-all", "two-free",
        "two-free.json:1: field \"without\": the replay was without budget, but the others by all "
          + "rules: merge results of the same rules"
      ),
      (
        "one-free", "two-all",
        "two-all.json:1: field \"without\": the replay was by all rules, but the others without "
          + "budget: merge results of the same rules"
      ),
    ] {
      let refused = try shop.rouse("merge", "\(first).json", "\(second).json")
      #expect(refused.status == .exited(1) && refused.output == "")
      #expect(refused.errors == "rouse: \(message)\n")
    }
    let forged = try String(decoding: shop.read("one-free.json"), as: UTF8.self)
      .replacingOccurrences(of: #""budget""#, with: #""gravity""#)
    try shop.write(forged, to: "forged.json")
    let refused = try shop.rouse("merge", "forged.json")
    #expect(refused.status == .exited(1), "\(refused.output)")
  }
}
