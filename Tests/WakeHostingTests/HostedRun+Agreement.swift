import Testing
import WakeHosting
import WakeScheduling
import WakeTestSupport

extension HostedRun {
  /// Expects the wakes and the summary of the reference, and tells the first random inputs that give others.
  ///
  /// - Parameters:
  ///   - seeds: How many random inputs and policies, unless `ROUSE_SEEDS` says which.
  ///   - batch: The most rows of a batch, by seed.
  func expectAgreement(seeds: UInt64, feeding: Feeding, batch: (UInt64) -> Int) {
    for seed in RandomSeeds.orFirst(seeds) {
      let batch = batch(seed)
      let failure = Differential.failure(seed: seed, inputs: 1_000) { events, policy, symbols in
        do {
          return try run(
            events, policy: policy, symbols: symbols, batch: batch, feeding: feeding)
        } catch {
          Issue.record("seed \(seed), \(feeding): \(error)")
          return ([], Summary())
        }
      }
      if let failure {
        Issue.record("\(feeding): \(failure)")
        return
      }
    }
  }
}
