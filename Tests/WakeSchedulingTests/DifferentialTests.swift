import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

@Suite("The scheduler and the reference scheduler on random inputs")
struct DifferentialTests {
  /// At least 200 seeds of 2,000 inputs; the environment's `ROUSE_SEEDS` (`from..<to`) says others.
  @Test("agree", arguments: SchedulerRun.Feeding.allCases)
  func agree(feeding: SchedulerRun.Feeding) {
    for seed in RandomSeeds.orFirst(200) {
      let failure = Differential.failure(seed: seed, inputs: 2_000) { events, policy, symbols in
        SchedulerRun.run(events: events, policy: policy, symbols: symbols, feeding: feeding)
      }
      if let failure {
        Issue.record("\(feeding): \(failure)")
        return
      }
    }
  }
}
