import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("A trace gives back what was written")
struct RoundTripTests {
  @Test("random events of every kind, several devices", arguments: RandomSeeds.orFirst(15))
  func randomEvents(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 1_500)
    let folder = try ScratchFolder()
    let path = folder.file("random.wtrace")
    let output = try FileOutput(path: path)
    let assembler = try TraceAssembler(to: output, symbols: random.symbols, sorted: false)
    for event in random.events { try assembler.append(event) }
    let statistics = try assembler.finish()
    try output.commit()
    #expect(statistics.events == random.events.count, "seed \(seed)")

    let read = try TraceContents(path, symbols: random.symbols)
    let difference = read.difference(from: TraceContents(random.events), random.symbols)
    #expect(difference == nil, "seed \(seed): \(difference ?? "")")
  }
}
