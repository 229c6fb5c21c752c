import Testing
import WakeEvents
import WakeJSON

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
      for number in [Int64.min, -1, 0, 9, 10, .max] {
        let time = Timestamp(nanoseconds: number)
        for (place, app) in apps.enumerated() {
          for outcome in WakeOutcome.allCases {
            let wake = Wake(
              number: 1, time: time, app: app, types: Array(types.dropFirst(place)),
              saves: Int(number), oldest: place == 0 ? nil : time,
              push: place == 1 ? nil : names[place], refresh: place == 0, outcome: outcome,
              end: outcome == .open ? nil : time)
            line.append(wake, to: &bytes)
            expected += text(wake, device: device, symbols, times)
          }
        }
      }
    }
    let difference = LineDifference.first(of: bytes, from: expected)
    #expect(difference == nil, "\(times): \(difference ?? "")")
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
