import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("A trace gives back what was written")
struct RoundTripTests {
  @Test("random events of every kind, several devices", arguments: RandomSeeds.orFirst(15))
  func randomEvents(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 1_500)
    try expectBack(random.events, random)
  }

  @Test("random events with observations among them", arguments: RandomSeeds.orFirst(15))
  func observations(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 1_000)
    try expectBack(random.eventsWithObservations, random)
  }

  private func expectBack(_ events: [Event], _ random: RandomInputs) throws {
    let seed = random.seed
    let folder = try ScratchFolder()
    let path = folder.file("random.wtrace")
    let output = try FileOutput(path: path)
    let assembler = try TraceAssembler(to: output, symbols: random.symbols, sorted: false)
    for event in events { try assembler.append(event) }
    let statistics = try assembler.finish()
    try output.commit()
    #expect(statistics.events == events.count, "seed \(seed)")

    let read = try TraceContents(path, symbols: random.symbols)
    let difference = read.difference(from: TraceContents(events), random.symbols)
    #expect(difference == nil, "seed \(seed): \(difference ?? "")")
    #expect(TraceVerification(of: try TraceFile(path: path)).isWhole, "seed \(seed)")
  }
}
