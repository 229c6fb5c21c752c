import Testing
import WakeEvents
import WakeJSON
import WakeTestSupport

@testable import WakeReplay
@testable import WakeScheduling

@Suite("A line of the wake log")
struct WakeLineTests {
  @Test("has room for the longest numbers, names and ids", arguments: JSONTimeForm.allCases)
  func longest(times: JSONTimeForm) {
    let symbols = Symbols()
    let names = ["", "\"t\"", String(repeating: "\u{1}t", count: 300)]
    let types = names.map { symbols.types.intern($0) }
    let apps = names.map { symbols.apps.intern($0) }
    // One writer for the lines of several devices.
    var line = WakeLine(symbols: symbols, times: times)
    var bytes: [UInt8] = []
    var expected = ""
    for device in ["", String(repeating: "\"d\"", count: 300), "d"] {
      line.start(device: device)
      // `Int64.min` is no time (`WakeHistory.Entry.never`).
      for number in [Int64.min + 1, -1, 0, 9, 10, .max] {
        let time = Timestamp(nanoseconds: number)
        for (place, app) in apps.enumerated() {
          for outcome in WakeOutcome.allCases {
            let wake = Wake(
              number: 1, time: time, app: app, types: Array(types.dropFirst(place)),
              saves: Int(number), oldest: place == 0 ? nil : time,
              push: place == 1 ? nil : names[place], refresh: place == 0, outcome: outcome,
              end: outcome == .open ? nil : time)
            append(wake, with: &line, to: &bytes)
            expected += text(wake, device: device, symbols, times)
          }
        }
      }
    }
    let difference = LineDifference.first(of: bytes, from: expected)
    #expect(difference == nil, "\(times): \(difference ?? "")")
  }

  @Test(
    "has the text of each time, also where texts of others were kept",
    arguments: JSONTimeForm.allCases)
  func manyTimes(times: JSONTimeForm) {
    let symbols = Symbols()
    let app = symbols.apps.intern("app")
    let type = symbols.types.intern("type")
    var random = SplitMix64(seed: 18)
    var line = WakeLine(symbols: symbols, times: times)
    line.start(device: "")
    var bytes: [UInt8] = []
    var expected = ""
    // Few times, so that most are there again, and the most different ones.
    let some = (0..<40).map { _ in Int64(bitPattern: random.next()) >> random.below(64) }
    for _ in 1...2_000 {
      let (time, oldest, end) = (
        random.pick(some), random.pick(some), random.pick(some)
      )
      let wake = Wake(
        number: 1, time: Timestamp(nanoseconds: time), app: app,
        types: random.chance(50) ? [] : [type], saves: 1,
        oldest: Timestamp(nanoseconds: oldest), push: nil, refresh: false,
        outcome: random.pick(WakeOutcome.allCases), end: Timestamp(nanoseconds: end))
      append(wake, with: &line, to: &bytes)
      expected += text(wake, device: "", symbols, times)
    }
    let difference = LineDifference.first(of: bytes, from: expected)
    #expect(difference == nil, "\(times): \(difference ?? "")")
  }

  @Test("has the names of its app and type, however many others were written")
  func manyPairs() {
    let symbols = Symbols()
    var random = SplitMix64(seed: 19)
    var line = WakeLine(symbols: symbols, times: .nanoseconds)
    line.start(device: "device")
    var bytes: [UInt8] = []
    var expected = ""
    for number in 0..<4_000 {
      let name = String(repeating: "name", count: random.below(60)) + "\(random.below(30))"
      let wake = Wake(
        number: 1, time: Timestamp(nanoseconds: Int64(number)), app: symbols.apps.intern(name),
        types: [symbols.types.intern(name + "\(random.below(3))")], saves: 1,
        oldest: Timestamp(nanoseconds: 0), push: nil, refresh: false, outcome: .completed,
        end: Timestamp(nanoseconds: 1))
      append(wake, with: &line, to: &bytes)
      expected += text(wake, device: "device", symbols, .nanoseconds)
    }
    let difference = LineDifference.first(of: bytes, from: expected)
    #expect(difference == nil, "\(difference ?? "")")
  }

  private func append(_ wake: Wake, with line: inout WakeLine, to bytes: inout [UInt8]) {
    var wakes = WakeHistory()
    wakes.append(wake)
    let start = bytes.count
    line.append(0..<1, of: wakes, to: &bytes)
    // The same line again, as those of a cohort.
    var again: [UInt8] = []
    wakes.beginLikeLast(wake.app)
    line.append(0..<2, of: wakes, to: &again)
    let once = Array(bytes[start...])
    #expect(again == once + once, "the lines of a cohort: \(wake)")
  }

  /// The line, written member by member.
  private func text(
    _ wake: Wake, device: String, _ symbols: Symbols, _ times: JSONTimeForm
  ) -> String {
    var json = JSONWriter(.line, times: times)
    json.object { json in
      if !device.isEmpty { json.member("device", device) }
      json.member("t", time: wake.time)
      json.member("app", symbols.apps.name(of: wake.app))
      json.member("types", wake.types) { $0.value(symbols.types.name(of: $1)) }
      json.member("saves", wake.saves)
      json.member("oldest", time: wake.oldest)
      json.member("push", wake.push)
      json.member("refresh", wake.refresh)
      json.member("outcome", wake.outcome.word)
      json.member("end", time: wake.end)
    }
    return json.text
  }
}
