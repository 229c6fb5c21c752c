import Testing
import WakeEvents
import WakeReplay
import WakeScheduling
import WakeTestSupport

@Suite("Replays without a wake log, whose wakes are only counted")
struct CountedReplayTests {
  @Test(
    "count what those with one do, and what the reference does", arguments: 0..<12 as Range<UInt64>)
  func agree(seed: UInt64) throws {
    let given = AnsweringApps(seed: seed, count: 600)
    let reference = ReferenceScheduler.run(
      events: given.events, policy: given.policy, symbols: given.symbols)
    let passage = try Passage()
    let trace = try passage.importing(given.events, symbols: given.symbols)
    let told = try passage.replay([trace], given.policy).result
    for (threads, skipsQuiet) in [(1, false), (2, false), (1, true)] {
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
