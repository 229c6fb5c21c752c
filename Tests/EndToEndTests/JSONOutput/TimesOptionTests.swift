import Testing
import WakeTestSupport

@Suite("--times")
struct TimesOptionTests {
  private static let lines = """
    {"t":0,"k":"enable","app":"app","type":"T","frequency":"immediate"}
    {"t":1767225605250000001,"k":"save","type":"T","source":"S","start":-1,"end":1767225605250000000}
    {"t":1767225700000000000,"k":"lock"}\n
    """

  @Test("iso prints points in time to the nanosecond, and durations as they are")
  func iso() throws {
    let shop = try Workshop()
    try shop.importing(Self.lines, as: "trace")
    let wakes = try shop.rouse("replay", "trace.wtrace", "--wakes", "-", "--times", "iso")
    let first = try #require(wakes.output.split(separator: "\n").first)
    #expect(
      first == """
        {"t":"2026-01-01T00:00:05.250000001Z","app":"app","types":["T"],"saves":1,\
        "oldest":"2026-01-01T00:00:05.250000001Z","push":null,"refresh":false,\
        "outcome":"expired","end":"2026-01-01T00:00:35.250000001Z"}
        """)
    let waits = try shop.rouse(
      "replay", "trace.wtrace", "--waits", "-", "--times=iso", "--without", "backoff")
    let last = try #require(JSONValue.parsingLines(waits.output).last)
    #expect(last["since"] == .string("2026-01-01T00:00:05.250000001Z"))
    #expect(last["waits"]?.elements.first?["ns"]?.wholeNumber != nil, "\(waits.output)")
    let query = try shop.rouse("query", "trace.wtrace", "--times", "iso")
    #expect(
      query.output == """
        {"t":"2026-01-01T00:00:05.250000001Z","k":"save","type":"T","source":"S",\
        "start":"1969-12-31T23:59:59.999999999Z","end":"2026-01-01T00:00:05.250000000Z"}\n
        """, "\(query.errors)")
    // The result has no points in time, and is merged as ever.
    for form in ["ns", "iso"] {
      let result = try shop.rouse(
        "replay", "trace.wtrace", "--json", "--waits", "\(form).waits", "--times", form,
        "--no-latency")
      try shop.write(result.output, to: "\(form).json")
    }
    let merged = try ["ns", "iso"].map { try shop.rouse("merge", "\($0).json", "--json").output }
    #expect(merged[0] == merged[1] && merged[0].contains(#""waiting""#))
  }

  @Test("iso lines are refused by an import, which says why; those in ns are the same trace again")
  func imports() throws {
    let shop = try Workshop()
    let trace = try shop.importing(Self.lines, as: "trace")
    let plain = try shop.rouse("export", "trace.wtrace", "--times", "ns")
    #expect(plain.output == Self.lines)
    #expect(try shop.importing(plain.output, as: "again") == trace)
    try shop.write(try shop.rouse("export", "trace.wtrace", "--times", "iso").output, to: "iso")
    let refused = try shop.rouse("import", "jsonl", "iso", "-o", "other")
    #expect(refused.status == .exited(1) && !shop.files.contains("other"))
    #expect(
      refused.errors == """
        rouse: iso:1: field "t": expected whole nanoseconds since 1970, found a string, as \
        --times iso writes them\n
        """)
  }

  @Test(
    "is refused where nothing has it, or as a word that it does not know",
    arguments: [
      ("info trace.wtrace --times iso", "--times requires --json"),
      ("explain trace.wtrace --app app --times ns", "--times requires --json"),
      ("replay trace.wtrace --times iso", "--times requires --wakes or --waits"),
      ("replay trace.wtrace --json --times iso", "--times requires --wakes or --waits"),
      ("replay trace.wtrace --bounds - --times ns", "--times requires --wakes or --waits"),
      ("query trace.wtrace --times utc", "--times: 'utc' is neither ns nor iso"),
      (
        "export csv trace.wtrace --table wakes --times iso",
        "--times requires JSON Lines: rouse export TRACE"
      ),
      ("verify trace.wtrace --json --times iso", "unknown option '--times'"),
    ])
  func refused(call: String, message: String) throws {
    let shop = try Workshop()
    try shop.importing(Self.lines, as: "trace")
    let result = try shop.shell("\"$ROUSE\" \(call)")
    #expect(result.status == .exited(64) && result.output == "", "\(call)")
    #expect(result.errors.hasPrefix("rouse: \(message)\n"), "\(result.errors)")
  }
}
