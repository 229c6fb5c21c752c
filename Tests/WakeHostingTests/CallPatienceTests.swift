import Testing

@testable import WakeHosting

@Suite("Patience with a call")
struct CallPatienceTests {
  private func call(_ number: Int64, _ function: CallWatch.Function = .take) -> CallWatch.Call {
    CallWatch.Call(function: function, first: 1, last: 9, time: 0, device: "", number: number)
  }

  @Test("ends when looks have seen the same call for longer than the timeout")
  func timeout() {
    var patience = CallPatience(timeout: 1, now: 100)
    for (now, number) in [(100.0, 1), (100.5, 1), (101.0, 1), (101.25, 2), (101.75, 2)] {
      #expect(patience.overdue([(3, call(Int64(number)))], now: now) == nil, "\(now)")
    }
    #expect(patience.overdue([], now: 102) == nil)
    for now in [102.25, 102.75, 103.25] {
      #expect(patience.overdue([(3, call(2))], now: now) == nil, "\(now)")
    }
    let message = patience.overdue([(3, call(2))], now: 103.5)?.message
    #expect(message?.hasPrefix("does not return for 1 s; in take") == true, "\(message ?? "")")
  }

  @Test("does not end while the looking process itself is stopped")
  func stopped() {
    var patience = CallPatience(timeout: 10, now: 0)
    #expect(patience.overdue([(0, call(1))], now: 0) == nil)
    #expect(patience.overdue([(0, call(1))], now: 3_600) == nil)
  }

  @Test("is a second at least for the end of the process")
  func exit() {
    var patience = CallPatience(timeout: 0.1, now: 0)
    for look in 0...4 {
      #expect(patience.overdue([(0, call(1, .exit))], now: Double(look) / 4) == nil)
    }
    let message = patience.overdue([(0, call(1, .exit))], now: 1.25)?.message
    #expect(message == "does not end its process for 1 s; after the last device")
  }
}
