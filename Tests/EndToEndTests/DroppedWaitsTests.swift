import Foundation
import Testing
import WakeTestSupport

@Suite("Waits that end without a wake")
struct DroppedWaitsTests {
  /// A line of an input at a second.
  private static func line(_ second: Int, _ members: String) -> String {
    #"{"t":\#(second * 1_000_000_000),"app":"app",\#(members)}"# + "\n"
  }

  private static func save(_ second: Int, _ type: String) -> String {
    #"{"t":\#(second * 1_000_000_000),"k":"save","type":"\#(type)","source":"S"}"# + "\n"
  }

  /// On a locked device whose app has used up its pushes and refreshes, so that each of the five ends comes.
  private static let lines =
    #"{"t":0,"k":"lock"}"# + "\n" + #"{"t":0,"k":"network","good":false}"# + "\n"
    + line(0, #""k":"enable","type":"X","frequency":"immediate""#)
    + line(0, #""k":"enable","type":"Y","frequency":"immediate""#)
    + line(0, #""k":"refreshInterval","interval":900"#)
    + (1...3).map {
      line($0, #""k":"push","id":"\#($0)""#) + line($0, #""k":"complete","item":"push""#)
    }
    .joined()
    + save(10, "X") + save(20, "Y") + save(21, "Y")
    + line(30, #""k":"push","id":"old""#) + line(40, #""k":"push","id":"new""#)
    + line(100, #""k":"disable","type":"X""#)
    + line(1_000, #""k":"refreshInterval","interval":"never""#)
    + line(1_100, #""k":"terminate""#) + line(1_200, #""k":"launch""#)

  /// What each ending has: waits, saves, and seconds.
  private static let endings:
    [(name: String, waits: Int, saves: Int, seconds: Int, words: String)] = [
      (
        "deliveredLive", 1, 2, 1_180,
        "1 delivered live at a launch before a wake, with 2 saves and 19 min 40 s"
      ),
      ("disabled", 1, 1, 90, "1 disabled before a wake, with 1 save and 1 min 30 s"),
      (
        "discarded", 1, 0, 1_060,
        "1 discarded as the app ended before a wake, with 0 saves and 17 min 40 s"
      ),
      ("superseded", 1, 0, 10, "1 superseded by a newer push before a wake, with 0 saves and 10 s"),
      (
        "notOverdue", 1, 0, 100,
        "1 overdue no more by a new interval before a wake, with 0 saves and 1 min 40 s"
      ),
    ]

  @Test("are counted by what ended them, in the result, its text, the page and the table")
  func counted() throws {
    let shop = try Workshop()
    try shop.importing(Self.lines, as: "in")
    let result = try shop.rouse(
      "replay", "in.wtrace", "--json", "--waits", "waits.jsonl", "--no-latency")
    let all = try result.json()["waiting"]?["all"]
    let text = try shop.rouse("replay", "in.wtrace", "--waits", "/dev/null").output
    _ = try shop.rouse("report", "in.wtrace", "-o", "page.html")
    let page = String(decoding: try shop.read("page.html"), as: UTF8.self)
    let rows = try shop.rouse("export", "csv", "in.wtrace", "--table", "waits").output
      .split(separator: "\r\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let columns = try #require(rows.first)
    let ending = try #require(columns.firstIndex(of: "ending"))
    let length = try #require(columns.firstIndex(of: "ns"))
    #expect(all?["dropped"]?.keys == Set(Self.endings.map(\.name)), "\(result.output)")
    for (name, waits, saves, seconds, words) in Self.endings {
      let sums = all?["dropped"]?[name]
      #expect(sums?["waits"] == .integer(waits) && sums?["saves"] == .integer(saves), "\(name)")
      #expect(sums?["waited"] == .integer(seconds * 1_000_000_000), "\(name)")
      #expect(text.contains(" and \(words) of waiting in all\n"), "\(name): \(text)")
      // Not the whole page in a failure's message.
      let isThere = page.contains("<p>And \(words) of waiting in all.</p>")
      #expect(isThere, "\(name)")
      let sum = rows.filter { $0[ending] == name }.reduce(0) { $0 + (Int($1[length]) ?? 0) }
      #expect(sum == seconds * 1_000_000_000, "\(name)")
    }
    // No other figure counts them.
    #expect(all?["waitingAtEnd"] == .integer(0), "\(text)")
    let log = String(decoding: try shop.read("waits.jsonl"), as: UTF8.self)
    #expect(!log.contains("\"wake\":null"), "\(log)")
  }

  @Test("add up where results are merged, which refuses counts that cannot be")
  func merged() throws {
    let shop = try Workshop()
    try shop.importing(Self.lines, as: "in")
    let result = try shop.rouse(
      "replay", "in.wtrace", "--json", "--waits", "/dev/null", "--no-latency"
    ).output
    try shop.write(result, to: "one")
    let other = try shop.rouse("export", "in.wtrace").output.replacingOccurrences(
      of: #"{"t""#, with: #"{"device":"other","t""#)
    try shop.importing(other, as: "other")
    let two = try shop.rouse(
      "replay", "other.wtrace", "--json", "--waits", "/dev/null", "--no-latency"
    ).output
    try shop.write(two, to: "two")
    let all = try shop.rouse("merge", "one", "two", "--json").json()["waiting"]?["all"]
    for (name, waits, saves, seconds, _) in Self.endings {
      let sums = all?["dropped"]?[name]
      #expect(sums?["waits"] == .integer(2 * waits) && sums?["saves"] == .integer(2 * saves))
      #expect(sums?["waited"] == .integer(2 * seconds * 1_000_000_000), "\(name)")
    }
    let forged = result.replacingOccurrences(
      of: #""waited" : 90000000000"#, with: #""waited" : -1"#)
    try #require(forged != result)
    try shop.write(forged, to: "forged")
    let refused = try shop.rouse("merge", "two", "forged")
    #expect(refused.status == .exited(1) && refused.output == "")
    #expect(
      refused.errors.hasPrefix("rouse: forged:1: field \"waiting\": count is negative"),
      "\(refused.errors)")
  }
}
