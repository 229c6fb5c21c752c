import Testing
import WakeEvents
import WakeReplay
import WakeScheduling
import WakeTestSupport
@testable import WakeTrace

@Suite("Replays without a wake log, whose wakes are only counted")
struct CountedReplayTests {
  @Test(
    "count what those with one do, and what the reference does", arguments: 0..<12 as Range<UInt64>)
  func agree(seed: UInt64) throws {
    let given = AnsweringApps(seed: seed, count: 600)
    let reference = ReferenceScheduler.run(
      events: given.events, policy: given.policy, symbols: given.symbols)
    let passage = try Passage()
    let trace = passage.folder.file("trace.wtrace")
    // Few to a block, so that threads hand the device on while answers are counted ahead.
    let output = try FileOutput(path: trace)
    let writer = try TraceWriter(
      output: output, symbols: given.symbols, level: 1, eventsPerBlock: 7)
    for event in given.events { try writer.append(event) }
    try writer.finish()
    try output.commit()
    let told = try passage.replay([trace], given.policy).result
    for (threads, skipsQuiet) in [(1, false), (2, false), (3, false), (1, true)] {
      let counted = try passage.replay([trace], given.policy, threads: threads) {
        $0.wakeLog = nil
        $0.skipsQuiet = skipsQuiet
      }
      let at: Comment = "seed \(seed), \(threads) threads, skipping: \(skipsQuiet)"
      let difference = counted.summaryDifference(from: reference.summary)
      #expect(difference == nil, at)
      #expect(counted.result.savesPerWake.count == reference.summary.wakesWithHealth, at)
      #expect(counted.result.savesPerWake == told.savesPerWake, at)
      #expect(counted.result.staleness == told.staleness, at)
      #expect(counted.result.wakesByCause == told.wakesByCause, at)
      #expect(counted.result.apps == told.apps, at)
    }
  }
}
