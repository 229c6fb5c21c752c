import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("A trace gives back what was written")
struct RoundTripTests {
  @Test("random events of every kind, several devices", arguments: UInt64(0)..<40)
  func randomEvents(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 3_000)
    let folder = try ScratchFolder()
    let path = folder.path + "/random.wtrace"
    let output = try FileOutput(path: path)
    let assembler = try TraceAssembler(to: output, symbols: random.symbols, sorted: false)
    for event in random.events { try assembler.append(event) }
    let statistics = try assembler.finish()
    try output.commit()
    #expect(statistics.events == random.events.count, "seed \(seed)")

    let read = try TraceContents.read(path, symbols: random.symbols)
    let expected = TraceContents.byDevice(random.events)
    #expect(read.order == expected.order, "seed \(seed): order of devices")
    for device in expected.order {
      let (given, got) = (expected.events[device] ?? [], read.events[device] ?? [])
      let difference = zip(given, got).enumerated().first { $0.element.0 != $0.element.1 }
      #expect(
        given.count == got.count && difference == nil,
        "seed \(seed), device \(device): first difference \(String(describing: difference))")
    }
  }
}
