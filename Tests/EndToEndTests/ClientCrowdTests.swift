import Foundation
import Testing
import WakeEvents
import WakeImport
import WakeRecorder

@Suite("Many clients of a socket", .timeLimit(.minutes(2)))
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
    var stop: [Int32] = [-1, -1]
    #expect(unsafe pipe(&stop) == 0)
    defer { close(stop[0]) }
    var polls = 0
    let report = try capture.run(until: stop[0]) { events in
      polls += 1
      // Readable from now on.
      if events == 60, stop[1] >= 0 {
        close(stop[1])
        stop[1] = -1
      }
    }
    #expect(report.inputs == 60 && report.rejected == 0)
    #expect(polls <= 5, "\(polls) polls")
  }
}
