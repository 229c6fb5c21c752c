import WakeEvents
import WakeScheduling

/// Draws policies that JSON can express: a preset with any of its keys changed (rules, 3).
enum RandomPolicy {
  static func draw(names: RandomNames, using random: inout SplitMix64) -> Policy {
    var policy = random.chance(60) ? Policy.iOS : Policy.watchOS
    if random.chance(50) { changeBudget(of: &policy, using: &random) }
    if random.chance(40) {
      for type in names.types where random.chance(40) {
        policy.caps[ExactName(type)] = frequency(using: &random)
      }
    }
    if random.chance(40) { policy.defaultCap = frequency(using: &random) }
    if random.chance(50) {
      policy.completionTimeout = seconds(of: [1, 1.000000001, 2, 10, 120, 3600], using: &random)
    }
    changeBackoff(of: &policy, using: &random)
    if random.chance(60) {
      policy.pushLimit = random.pick([0, 1, 1, 2, 2, 5, 1000])
      policy.pushWindow = seconds(of: [0, 0.000000001, 1, 60, 600, 90000], using: &random)
    }
    if random.chance(60) {
      policy.minimumRefreshInterval = seconds(of: [1, 60, 60, 300, 7200], using: &random)
    }
    policy.carry = random.pick([.launch, .launch, .due, .always])
    if random.chance(30) { policy.forceQuitBlocksHealth = false }
    if random.chance(30) { policy.lockBlocksHealth = false }
    if random.chance(60) {
      policy.subscriptions = (0..<random.below(8)).map { _ in
        Policy.Subscription(
          app: random.pick(names.apps), type: random.pick(names.types),
          frequency: frequency(using: &random))
      }
    }
    if random.chance(50) { changeBehaviour(of: &policy, using: &random) }
    if random.chance(30) { makeAlike(&policy, names: names, using: &random) }
    return policy
  }

  /// Gives apps the subscriptions of the first, in any order.
  private static func makeAlike(
    _ policy: inout Policy, names: RandomNames, using random: inout SplitMix64
  ) {
    let first = policy.subscriptions.first?.app
    let pattern = policy.subscriptions.filter { $0.app == first }
    for app in names.apps where random.chance(70) {
      for subscription in random.chance(50) ? pattern : pattern.reversed() {
        policy.subscriptions.append(
          .init(app: app, type: subscription.type, frequency: subscription.frequency))
      }
    }
  }

  /// A frequency; the fast ones are common, as the slow ones let nothing happen.
  static func frequency(using random: inout SplitMix64) -> Frequency {
    Frequency.allCases[random.weighted([60, 25, 10, 5])]
  }

  private static func changeBudget(of policy: inout Policy, using random: inout SplitMix64) {
    if random.chance(30) {
      policy.budget = nil
    } else {
      policy.budget = Policy.Budget(
        window: seconds(of: [0, 1, 60, 600, 3600, 86400], using: &random),
        limit: random.pick([0, 1, 2, 4, 9, 1000]),
        limitWithoutComplication: random.pick([0, 1, 1, 2, 4]))
    }
  }

  private static func changeBackoff(of policy: inout Policy, using random: inout SplitMix64) {
    if random.chance(60) { policy.maxStrikes = random.pick([1, 2, 2, 3, 4, 5, 9, 60]) }
    if random.chance(60) {
      policy.backoffBase = seconds(of: [0, 0.000000001, 1, 7.3, 60, 7200], using: &random)
    }
    if random.chance(60) { policy.backoffFactor = random.pick([1, 1.37, 1.5, 3, 1000]) }
    if random.chance(60) {
      policy.backoffMax = seconds(of: [0, 5, 12.1, 30, 900, 1_000_000_000], using: &random)
    }
    if random.chance(20) {
      // Delays that must be rounded at each strike, ties among them.
      policy.maxStrikes = random.pick([4, 5, 9])
      policy.backoffBase = seconds(of: [0.000000001, 0.000000005, 0.333333333], using: &random)
      policy.backoffFactor = random.pick([1.37, 1.5, 2.5])
      policy.backoffMax = Policy.iOS.backoffMax
    }
  }

  private static func changeBehaviour(of policy: inout Policy, using random: inout SplitMix64) {
    let timeout = policy.completionTimeout
    policy.behaviour = Policy.Behaviour(
      completesAfter: random.pick([
        0, 500_000_000, 1_000_000_000, 1_000_000_000, timeout / 2, timeout - 1, timeout,
        timeout + 1,
      ]),
      coldStart: random.chance(50) ? 0 : seconds(of: [0.000000001, 0.8, 5, 40], using: &random),
      ignoresEvery: random.pick([0, 0, 1, 2, 2, 3, 7]))
  }

  private static func seconds(of choices: [Double], using random: inout SplitMix64) -> Int64 {
    Seconds.nanoseconds(random.pick(choices))
  }
}
