import Foundation
import Testing
import WakeTestSupport

@Suite("Memory of reasons, and of logs of wakes and waits")
struct LogMemoryTests {
  /// Each app has waits of a few lengths.
  @Test("is small for the reasons of each of many apps")
  func manyApps() throws {
    let shop = try Workshop()
    let enables = (0..<2_000).map {
      #"{"t":0,"k":"enable","app":"app\#($0)","type":"T","frequency":"hourly"}"# + "\n"
    }
    let saves = (0..<20).map {
      #"{"t":\#($0 * 600_000_000_000),"k":"save","type":"T","source":"S"}"# + "\n"
    }
    try shop.importing(enables.joined() + saves.joined(), as: "many")
    let replayed = try shop.rouse(
      "replay", "many.wtrace", "--waits", "/dev/null", "--json", "--no-latency")
    let waiting = try replayed.json()["waiting"]
    #expect(waiting?["items"]?.elements.count == 2_000)
    let peak = try replayed.json()["performance"]?["peakMemoryBytes"]?.wholeNumber ?? .max
    // With a whole histogram for each it was 290 MB.
    #expect(peak < 100 << 20)
  }

  /// Each wake that is not answered repeats what its saves waited for before, and all of them come with the last input.
  @Test("is small for many waits after one input, which are written before it ends")
  func manyWakesAfterOneInput() throws {
    let shop = try Workshop()
    let enables = (0..<3).map {
      #"{"t":0,"k":"enable","app":"a","type":"T\#($0)","frequency":"immediate"}"# + "\n"
    }
    let saves = (0..<3).map {
      #"{"t":1000000000,"k":"save","type":"T\#($0)","source":"S"}"# + "\n"
    }
    try shop.importing(
      enables.joined() + saves.joined() + #"{"t":3000000000000000000,"k":"lock"}"#, as: "few")
    try shop.write(#"{"maxStrikes":600,"backoffMax":60}"#, to: "policy.json")
    let replayed = try shop.rouse(
      "replay", "few.wtrace", "--policy", "policy.json", "--waits", "waits.jsonl", "--json",
      "--no-latency")
    let written = try shop.read("waits.jsonl").count
    #expect(written > 30 << 20)
    let peak = try replayed.json()["performance"]?["peakMemoryBytes"]?.wholeNumber ?? .max
    // It was twice what is written.
    #expect(peak < 40 << 20, "\(peak) bytes for \(written) written")
    let full = try shop.rouse(
      "replay", "few.wtrace", "--policy", "policy.json", "--waits", "/dev/full", "--no-latency")
    #expect(full.status == .exited(1))
    #expect(full.errors.contains("/dev/full"), "\(full.errors)")
  }

  @Test("is small for many wakes after one input, which are written before it ends")
  func manyWakesLogged() throws {
    let shop = try Workshop()
    try shop.importing(
      #"{"t":0,"k":"refreshInterval","app":"a","interval":"minimum"}"# + "\n"
        + #"{"t":400000000000000,"k":"unlock"}"#, as: "gap")
    try shop.write(
      #"{"minimumRefreshInterval":1,"behaviour":{"completesAfter":0.5}}"#, to: "policy.json")
    let replayed = try shop.rouse(
      "replay", "gap.wtrace", "--policy", "policy.json", "--wakes", "wakes.jsonl", "--json",
      "--no-latency")
    let wakes = try replayed.json()["summary"]?["wakes"]?.wholeNumber
    let written = try shop.read("wakes.jsonl")
    #expect(wakes == 400_000 && written.count { $0 == UInt8(ascii: "\n") } == 400_000)
    let peak = try replayed.json()["performance"]?["peakMemoryBytes"]?.wholeNumber ?? .max
    // It was more than what is written.
    #expect(peak < 40 << 20, "\(peak) bytes for \(written.count) written")
    // A table of them is written in the same way.
    let table = try shop.rouse(
      "export", "csv", "gap.wtrace", "--policy", "policy.json", "--table", "wakes", "-o",
      "wakes.csv")
    #expect(table.status == .exited(0), "\(table.errors)")
    #expect(try shop.read("wakes.csv").count { $0 == UInt8(ascii: "\n") } == 400_001)
    for outputs in [
      ["replay", "--no-latency", "--wakes", "/dev/full"],
      ["export", "csv", "--table", "wakes", "-o", "/dev/full"],
    ] {
      let full = try RouseCommand.run(
        outputs + ["gap.wtrace", "--policy", "policy.json"], folder: shop.path)
      #expect(full.status == .exited(1), "\(outputs)")
      #expect(full.errors.contains("/dev/full"), "\(outputs): \(full.errors)")
    }
  }
}
