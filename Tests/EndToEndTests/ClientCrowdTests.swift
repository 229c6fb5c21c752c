import Foundation
import Testing
import WakeEvents
import WakeImport
import WakeRecorder
import WakeTrace

@Suite("Many clients of a socket")
struct ClientCrowdTests {
  @Test("60 that wait are accepted together, not one a poll")
  func waiting() throws {
    let shop = try Workshop()
    let symbols = Symbols()
    let listener = try UnixListener(path: shop.path + "/s")
    let trace = try TraceCapture(to: shop.path + "/out", symbols: symbols)
    let capture = LineCapture(to: trace, symbols: symbols) { _ in }
    capture.listen(on: listener)
    let clients = try (0..<60).map { _ in try #require(SocketClient(shop.path + "/s")) }
    for client in clients { client.send(Workshop.saves(1)) }
    // Programs that other tests start must not keep it open.
    var stop = try #require(SystemCalls.pipe())
    defer { close(stop.reader) }
    var polls = 0
    let report = try capture.run(until: stop.reader) { events in
      polls += 1
      // Readable from now on. No more polls are needed to see that they are too many.
      if events == 60 || polls > 50, stop.writer >= 0 {
        close(stop.writer)
        stop.writer = -1
      }
    }
    #expect(report.inputs == 60 && report.rejected == 0)
    #expect(polls <= 5, "\(polls) polls")
  }
}
