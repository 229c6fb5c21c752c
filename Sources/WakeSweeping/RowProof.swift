import WakeEvents
import WakeScheduling

/// Whether a policy has the wakes of another one that was replayed, without a replay.
///
/// A parameter cannot matter where the rules never ask for it, or where each answer would have been the same. The policy
/// that was replayed has shown every question that is asked until an answer differs, so if none does, the wakes are the
/// same: by induction over the inputs and the due times.
struct RowProof {
  /// A part of a policy that is proved, or not, by itself.
  enum Part: CaseIterable, Hashable, Sendable {
    case frequencies, behaviour, budget, completionTimeout, strikes, pushes, refresh, carry
    case forceQuit, lock
    /// Parts that no proof is known for.
    case rest
  }

  /// The policy that was replayed, and what its replay showed.
  let policy: Policy
  let witness: RowWitness
  let facts: InputFacts
  /// The names of all types that occur.
  let types: [String]

  /// What a comparison says.
  struct Verdict {
    /// Why parts that differ cannot matter, in words.
    var reasons: [String] = []
    /// The parts for which that is not known.
    var open: Set<Part> = []
  }

  /// Compares with another policy.
  func verdict(on other: Policy) -> Verdict {
    var verdict = Verdict()
    // What is proved becomes equal; what is unequal at the end is not proved.
    var rest = other
    func settle(_ part: Part, _ reason: String?) {
      if let reason { verdict.reasons.append(reason) } else { verdict.open.insert(part) }
    }
    if other.caps != policy.caps || other.defaultCap != policy.defaultCap
      || other.subscriptions != policy.subscriptions
    {
      settle(.frequencies, sameFrequencies(other))
      (rest.caps, rest.defaultCap) = (policy.caps, policy.defaultCap)
      rest.subscriptions = policy.subscriptions
    }
    if other.behaviour != policy.behaviour {
      settle(.behaviour, sameBehaviour(other))
      rest.behaviour = policy.behaviour
    }
    if other.budget != policy.budget {
      settle(.budget, sameBudget(other))
      rest.budget = policy.budget
    }
    if other.completionTimeout != policy.completionTimeout {
      settle(.completionTimeout, sameTimeout(other))
      rest.completionTimeout = policy.completionTimeout
    }
    if other.maxStrikes != policy.maxStrikes || other.backoffBase != policy.backoffBase
      || other.backoffFactor != policy.backoffFactor || other.backoffMax != policy.backoffMax
    {
      settle(.strikes, sameStrikes(other))
      rest.maxStrikes = policy.maxStrikes
      rest.backoffBase = policy.backoffBase
      rest.backoffFactor = policy.backoffFactor
      rest.backoffMax = policy.backoffMax
    }
    if other.pushLimit != policy.pushLimit || other.pushWindow != policy.pushWindow {
      settle(.pushes, samePushes(other))
      (rest.pushLimit, rest.pushWindow) = (policy.pushLimit, policy.pushWindow)
    }
    if other.minimumRefreshInterval != policy.minimumRefreshInterval {
      settle(.refresh, sameRefresh(other))
      rest.minimumRefreshInterval = policy.minimumRefreshInterval
    }
    if other.carry != policy.carry {
      settle(.carry, sameCarry(other))
      rest.carry = policy.carry
    }
    if other.forceQuitBlocksHealth != policy.forceQuitBlocksHealth {
      settle(.forceQuit, facts.has(.forceQuit) ? nil : "no app is force-quit")
      rest.forceQuitBlocksHealth = policy.forceQuitBlocksHealth
    }
    if other.lockBlocksHealth != policy.lockBlocksHealth {
      let isLocked = facts.has(.lock) || facts.has(.reboot)
      settle(.lock, isLocked ? nil : "no device is locked")
      rest.lockBlocksHealth = policy.lockBlocksHealth
    }
    if rest != policy { verdict.open.insert(.rest) }
    return verdict
  }

  // MARK: - Parts: why they cannot matter, or nil

  private func sameFrequencies(_ other: Policy) -> String? {
    guard other.subscriptions.count == policy.subscriptions.count else { return nil }
    for (one, another) in zip(policy.subscriptions, other.subscriptions) {
      guard one.app == another.app, one.type == another.type,
        policy.frequency(of: one.type, asked: one.frequency)
          == other.frequency(of: another.type, asked: another.frequency)
      else { return nil }
    }
    if facts.has(.enable) {
      guard types.allSatisfy({ policy.cap(of: $0) == other.cap(of: $0) }) else { return nil }
    }
    return "each subscription has the same period"
  }

  private func sameBehaviour(_ other: Policy) -> String? {
    let (one, another) = (policy.behaviour, other.behaviour)
    guard one.completesAfter == another.completesAfter else { return nil }
    if one.completesAfter == nil { return "no answer is modelled" }
    guard one.coldStart == another.coldStart else { return nil }
    // A wake is ignored if its number is a multiple.
    let most = witness.mostWakes
    let areBeyond = [one.ignoresEvery, another.ignoresEvery].allSatisfy { $0 == 0 || $0 > most }
    return areBeyond ? "no app has more than \(most) wakes on a device" : nil
  }

  /// A budget that kept nothing back is like none; another one is alike if it would have allowed each wake.
  private func sameBudget(_ other: Policy) -> String? {
    if let one = policy.budget, let another = other.budget, !facts.hasComplication,
      one.window == another.window, one.limitWithoutComplication == another.limitWithoutComplication
    {
      return "no complication is ever active"
    }
    func least(_ budget: Policy.Budget) -> Int {
      facts.hasComplication
        ? min(budget.limit, budget.limitWithoutComplication) : budget.limitWithoutComplication
    }
    if let budget = policy.budget {
      guard let peak = witness.charged[budget.window], peak < least(budget) else { return nil }
    }
    guard let budget = other.budget else {
      return "the budget keeps no wake back"
    }
    guard let peak = witness.charged[budget.window], peak <= least(budget) else { return nil }
    return "at most \(peak) charged wakes of an app in a window"
  }

  private func samePushes(_ other: Policy) -> String? {
    guard facts.hasPush else { return "there is no background push" }
    guard let own = witness.pushes[policy.pushWindow], own < policy.pushLimit,
      let peak = witness.pushes[other.pushWindow], peak <= other.pushLimit
    else { return nil }
    return "at most \(peak) wakes of an app with a push in a window"
  }

  private func sameTimeout(_ other: Policy) -> String? {
    let least = min(policy.completionTimeout, other.completionTimeout)
    if policy.answersEachWake {
      // Both sums are at most 2 · 10^18.
      let longest = (policy.behaviour.completesAfter ?? 0) + policy.behaviour.coldStart
      return longest < least ? "each wake is answered before its deadline" : nil
    }
    guard witness.expired == 0, witness.longestFlight < other.completionTimeout else { return nil }
    return "no wake is in flight up to its deadline"
  }

  private func sameStrikes(_ other: Policy) -> String? {
    let most = witness.unanswered == 0 ? 0 : witness.mostStrikes
    if most == 0 { return "there is no strike" }
    guard policy.delays(ofStrikes: most) == other.delays(ofStrikes: most) else { return nil }
    return "at most \(most) strikes in a row, with the same delays"
  }

  private func sameRefresh(_ other: Policy) -> String? {
    guard facts.has(.refreshInterval) else { return "no app asks for a refresh" }
    let greater = max(policy.minimumRefreshInterval, other.minimumRefreshInterval)
    guard !facts.asksMinimumRefresh, facts.leastRefresh >= greater else { return nil }
    return "no app asks for a shorter refresh interval"
  }

  /// `due` carries the least, `always` the most.
  private func sameCarry(_ other: Policy) -> String? {
    guard !witness.leftSome,
      policy.carry == .due || (policy.carry, other.carry) == (.launch, .always)
    else { return nil }
    return "no wake leaves anything pending"
  }
}
