import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("A trace of inputs without fields or sources")
struct InputsWithoutFieldsTests {
  @Test("is written and read, alone and beside samples")
  func roundTrip() throws {
    for samples in 0...1 {
      var made = SecondBySecond()
      for second in 0..<samples { made.save("steps", at: second) }
      made.add(.lock, at: 4)
      made.add(.unlock, at: 5, device: "watch")
      let trace = try QueryTrace(made.events, symbols: made.symbols)
      let read = try TraceContents(trace.path, symbols: made.symbols)
      let got = read.order.flatMap { read.events[$0] ?? [] }
      #expect(got == made.events, "\(samples) samples")
    }
  }
}
