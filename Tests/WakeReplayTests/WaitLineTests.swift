import Testing
import WakeEvents
import WakeJSON

@testable import WakeReplay
@testable import WakeScheduling

@Suite("A line of the wait log")
struct WaitLineTests {
  /// Numbers of the greatest length, of both signs, and the least.
  private static let numbers: [Int64] = [.min, -1, 0, 9, 10, .max]

  @Test("has room for the longest numbers and all reasons", arguments: JSONTimeForm.allCases)
  func longest(times: JSONTimeForm) {
    let all = WaitReason.allCases.reduce(into: WaitReasons()) { $0.insert($1) }
    for device in ["", String(repeating: "\"d\"", count: 300)] {
      let symbols = Symbols()
      var line = WaitLine(symbols: symbols, times: times)
      line.start(device: device)
      let app = symbols.apps.intern("app")
      let type = symbols.types.intern(String(repeating: "t", count: 500))
      var bytes: [UInt8] = []
      var expected = ""
      for number in Self.numbers {
        for (item, saves) in [
          (Wait.Item.type(type), Int(number)), (.push("p\u{1}"), 0), (.refresh, 0),
        ] {
          for wake in [nil, Int(number)] {
            for reasons in [[], [WaitReasons(.period)], [all, WaitReasons(.inFlight), all]] {
              let wait = Wait(
                app: app, item: item, saves: saves, since: number, until: number, wake: wake,
                stretches: reasons.map { Wait.Stretch(nanoseconds: number, reasons: $0) })
              line.append(wait, to: &bytes)
              expected += text(wait, device: device, symbols, times)
            }
          }
        }
      }
      let difference = LineDifference.first(of: bytes, from: expected)
      #expect(difference == nil, "\(times): \(difference ?? "")")
    }
  }

  /// The line, written member by member.
  private func text(
    _ wait: Wait, device: String, _ symbols: Symbols, _ times: JSONTimeForm
  ) -> String {
    var json = JSONWriter(.line, times: times)
    json.object { json in
      if !device.isEmpty { json.member("device", device) }
      json.member("wake", wait.wake)
      json.member("t", time: wait.wake == nil ? nil : wait.until)
      json.member("app", symbols.apps.name(of: wait.app))
      switch wait.item {
      case .type(let type):
        json.member("item", "type")
        json.member("name", symbols.types.name(of: type))
        json.member("saves", wait.saves)
      case .push(let id):
        json.member("item", "push")
        json.member("name", id)
      case .refresh:
        json.member("item", "refresh")
      }
      json.member("since", time: wait.since)
      json.member("waits", wait.stretches) { json, stretch in
        json.object { json in
          json.member("ns", stretch.nanoseconds)
          json.member("why", Array(stretch.reasons)) { $0.value($1.word) }
        }
      }
    }
    return json.text
  }
}
