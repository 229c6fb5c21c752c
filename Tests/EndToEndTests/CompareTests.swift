import Foundation
import Testing
import WakeTestSupport

@Suite("rouse compare")
struct CompareTests {
  private static let hour = 3_600_000_000_000

  /// A capture of an app with a subscription for an hour, which gets pushes before and after, and of one without any.
  private func capture(pushes: Int) -> String {
    var lines: [(Int, String)] = []
    func add(_ time: Int, _ rest: String) { lines.append((time, rest)) }
    add(0, #""k":"push","app":"run","id":"p","aps":{"content-available":1}"#)
    add(Self.hour, #""k":"enable","app":"run","type":"T","frequency":"immediate""#)
    // A save at the time of the enable, one later, and one at the time of the disable.
    add(Self.hour, #""k":"save","type":"T","source":"S""#)
    add(Self.hour + Self.hour / 2, #""k":"save","type":"T","source":"S""#)
    add(2 * Self.hour, #""k":"save","type":"T","source":"S""#)
    add(2 * Self.hour, #""k":"disable","app":"run","type":"T""#)
    for push in 0..<pushes {
      for app in ["run", "pushy"] {
        add(
          (30 + push) * Self.hour,
          #""k":"push","app":"\#(app)","id":"p","aps":{"content-available":1}"#)
      }
    }
    return lines.map { #"{"t":\#($0.0),\#($0.1)}"# }.joined(separator: "\n") + "\n"
  }

  @Test("captures of which one has more wakes are a difference, alike ones are none")
  func status() throws {
    let shop = try Workshop()
    for (name, gap) in [("a", "6"), ("b", "60")] {
      _ = try shop.rouse(
        "generate", "iphone-day", "--events", "80000", "--mean-gap", gap, "-o", "\(name).wtrace")
    }
    let other = try shop.rouse("compare", "a.wtrace", "b.wtrace")
    let isTold = other.output.contains(" more") || other.output.contains(" fewer")
    #expect(isTold && other.status == .exited(2), "\(other.status) \(other.output)")
    let same = try shop.rouse("compare", "a.wtrace", "a.wtrace")
    #expect(same.status == .exited(0), "\(same.output)")
  }

  @Test("wakes while an app has no subscription are told and in no rate, as are apps without any")
  func outside() throws {
    let shop = try Workshop()
    try shop.importing(capture(pushes: 4), as: "a")
    try shop.importing(capture(pushes: 6), as: "b")
    try shop.write(#"{"behaviour":{"completesAfter":0}}"#, to: "p.json")
    let result = try shop.rouse("compare", "a.wtrace", "b.wtrace", "--policy", "p.json")
    #expect(result.status == .exited(0), "\(result.errors)")
    for (name, wakes) in [("a", 12), ("b", 16)] {
      let replay = try shop.rouse("replay", "\(name).wtrace", "--policy", "p.json", "--json")
      #expect(try replay.json()["summary"]?["wakes"]?.wholeNumber == Int64(wakes), "\(replay)")
    }
    let rows = result.output.split(separator: "\n").map { line in
      line.split(separator: " ").joined(separator: " ")
    }
    for row in [
      "run wakes 3 1 3 3 1 3 1 - cannot tell", "run outside 5 - - 7 - - - - not compared",
      "pushy outside 4 - - 6 - - - - not compared",
      "pushy: 0 days of devices in A, 0 in B",
      "outside: wakes while the app had no subscription, which are in no rate",
    ] {
      #expect(rows.contains(row), "\(row) is not in\n\(result.output)")
    }
    #expect(!rows.contains { $0.hasPrefix("pushy wakes") }, "\(result.output)")
    let json = try shop.rouse("compare", "a.wtrace", "b.wtrace", "--policy", "p.json", "--json")
      .json()
    let apps = json["apps"]?.elements ?? []
    #expect(apps.map { $0["outsideOfA"]?.wholeNumber } == [4, 5])
    #expect(apps.map { $0["outsideOfB"]?.wholeNumber } == [6, 7])
  }
}
