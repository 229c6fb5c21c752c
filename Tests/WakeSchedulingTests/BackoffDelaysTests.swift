import Testing
import WakeScheduling

@Suite("Delays after strikes")
struct BackoffDelaysTests {
  /// The delay of each strike by rule 6.5, or nil where the app is stopped.
  private func delays(_ policy: Policy, strikes: Int) -> [Int64?] {
    var last: Int64?
    return (1...strikes).map { strike in
      guard strike < policy.maxStrikes else { return nil }
      let grown = last.map { Double($0) * policy.backoffFactor } ?? Double(policy.backoffBase)
      let delay = min(grown, Double(policy.backoffMax))
      last = Int64(delay.rounded(.toNearestOrEven))
      return last
    }
  }

  @Test("are those of the rule", arguments: [1, 2, 3, 64, 65, 66, 67, 1_000])
  func followRule(maxStrikes: Int) {
    var policy = Policy.iOS
    policy.maxStrikes = maxStrikes
    for base in [0, 1, 3, 333_333_333, 60_000_000_000] as [Int64] {
      for factor in [1, 1.000_1, 1.1, 2, 1_000] {
        for most in [0, 1, 7_000_000_000, .max / 4] as [Int64] {
          (policy.backoffBase, policy.backoffFactor, policy.backoffMax) = (base, factor, most)
          let expected = delays(policy, strikes: 200)
          #expect(policy.delays(ofStrikes: 200) == expected, "\(base) ns, \(factor), \(most) ns")
        }
      }
    }
  }
}
