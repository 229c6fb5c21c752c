import Foundation
import Testing
import WakeTestSupport

@Suite("Memory of reasons")
struct WaitMemoryTests {
  /// Each app has waits of a few lengths.
  @Test("is small for each of many apps")
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
}
