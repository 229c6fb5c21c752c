import Kernels
import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

@Suite("The scheduler and the reference scheduler on random inputs")
struct DifferentialTests {
  /// At least 200 seeds of 2,000 inputs; the environment's `ROUSE_SEEDS` (`from..<to`) chooses others. Each seed draws
  /// a set of accelerations and a processor path.
  @Test("agree", arguments: 0..<4 as Range<UInt64>)
  func agree(quarter: UInt64) {
    for seed in RandomSeeds.orFirst(200) where seed % 4 == quarter {
      var random = SplitMix64(seed: seed ^ 0xACCE_1E8A)
      let accelerations = Accelerations.drawn(by: &random)
      let path = random.pick(ProcessorPath.available)
      let runs = SchedulerRun.Feeding.allCases.map { feeding in
        (
          name: feeding.rawValue,
          run: { (events: [Event], policy: Policy, symbols: Symbols) in
            var hasher = WakeHasher()
            hasher.path = path
            return SchedulerRun.run(
              events: events, policy: policy, symbols: symbols, feeding: feeding,
              accelerations: accelerations, hasher: hasher)
          }
        )
      }
      if let failure = Differential.failure(seed: seed, inputs: 2_000, runs: runs) {
        Issue.record("accelerations \(accelerations.names): \(failure)")
        return
      }
    }
  }

  @Test("agree where apps answer while much happens")
  func answeringApps() {
    for seed in RandomSeeds.orFirst(60) {
      let given = AnsweringApps(seed: seed, count: 400)
      var random = SplitMix64(seed: seed ^ 0xACCE_1E8A)
      let feeding = random.pick(SchedulerRun.Feeding.allCases)
      let accelerations = Accelerations.drawn(by: &random)
      let run = SchedulerRun.run(
        events: given.events, policy: given.policy, symbols: given.symbols, feeding: feeding,
        accelerations: accelerations, hasher: WakeHasher())
      let reference = ReferenceScheduler.run(
        events: given.events, policy: given.policy, symbols: given.symbols)
      let difference = Differential.difference(of: run, from: reference, given.symbols)
      #expect(
        difference == nil,
        "seed \(seed), \(feeding), accelerations \(accelerations.names): \(difference ?? "")")
    }
  }
}
