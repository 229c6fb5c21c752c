import WakeScheduling

/// Which rows of a sweep are replayed, round by round.
///
/// A round has rows of which none may be proved by another one of them, as far as is known: the rows under which less is
/// kept back come first, as more follows from them.
struct SweepPlan {
  private let policies: [Policy]
  private let proves: Bool
  /// By row: the proof that makes its replay unnecessary.
  private(set) var proofs: [SweepResult.Proof?]
  /// Rows that are neither replayed nor proved, those that keep least back first.
  private var left: [Int]
  /// By row and part, a number that equal values share.
  private var values: [[Int]]
  /// Values of a part that were not proved to be like one under which less is kept back; others hardly prove it either.
  private var failed: Set<Value> = []
  /// The same before anything is replayed.
  private var hopeless: [Pair: Bool] = [:]

  private struct Value: Hashable {
    var part: Int
    var number: Int
  }

  private struct Pair: Hashable {
    var part: Int
    var replayed: Int
    var other: Int
  }

  init(_ policies: [Policy], proves: Bool) {
    self.policies = policies
    self.proves = proves
    proofs = policies.map { _ in nil }
    let permissions = policies.map(\.permissions)
    left = policies.indices.sorted {
      permissions[$0] == permissions[$1]
        ? $0 < $1 : permissions[$1].lexicographicallyPrecedes(permissions[$0])
    }
    var numbers: [Policy: Int] = [:]
    values = policies.map { policy in
      RowProof.Part.allCases.map { part in
        let alone = policy.keeping(part)
        return numbers[alone]
          ?? {
            numbers[alone] = numbers.count
            return numbers.count - 1
          }()
      }
    }
  }

  /// The rows of the next round, in order; none if all are known.
  ///
  /// - Complexity: O(rows left × rows chosen).
  mutating func next() -> [Int] {
    guard proves else {
      defer { left = [] }
      return left.sorted()
    }
    var chosen: [Int] = []
    for row in left where !chosen.contains(where: { mayProve($0, row) }) { chosen.append(row) }
    let taken = Set(chosen)
    left.removeAll(where: taken.contains)
    return chosen.sorted()
  }

  /// Takes what the replay of a row has shown.
  mutating func add(_ row: Int, _ witness: RowWitness, _ facts: InputFacts, types: [String]) {
    guard proves else { return }
    let proof = RowProof(policy: policies[row], witness: witness, facts: facts, types: types)
    var rest: [Int] = []
    for other in left {
      let verdict = proof.verdict(on: policies[other])
      if verdict.open.isEmpty {
        proofs[other] = SweepResult.Proof(
          row: row, reasons: verdict.reasons.isEmpty ? ["the policy is the same"] : verdict.reasons)
        continue
      }
      rest.append(other)
      for (place, part) in RowProof.Part.allCases.enumerated() where verdict.open.contains(part) {
        failed.insert(Value(part: place, number: values[other][place]))
      }
    }
    left = rest
  }

  /// Whether a replay of a row may prove another one, as far as is known.
  private mutating func mayProve(_ row: Int, _ other: Int) -> Bool {
    for place in values[row].indices where values[row][place] != values[other][place] {
      if failed.contains(Value(part: place, number: values[other][place])) { return false }
      let pair = Pair(part: place, replayed: values[row][place], other: values[other][place])
      if isHopeless(pair, row, other) { return false }
    }
    return true
  }

  /// Whether no replay could prove that the values are alike.
  private mutating func isHopeless(_ pair: Pair, _ row: Int, _ other: Int) -> Bool {
    if let known = hopeless[pair] { return known }
    let part = RowProof.Part.allCases[pair.part]
    let (one, another) = (policies[row].keeping(part), policies[other].keeping(part))
    let best = RowProof(
      policy: one, witness: .best(for: [one, another]), facts: InputFacts(), types: [])
    let isHopeless = !best.verdict(on: another).open.isEmpty
    hopeless[pair] = isHopeless
    return isHopeless
  }
}

extension RowWitness {
  /// What a replay would show from which most follows.
  fileprivate static func best(for policies: [Policy]) -> RowWitness {
    var witness = RowWitness()
    for policy in policies {
      if let budget = policy.budget { witness.charged[budget.window] = 0 }
      witness.pushes[policy.pushWindow] = 0
    }
    return witness
  }
}

extension Policy {
  /// A policy that has one part of this one, and is the same for all in every other.
  fileprivate func keeping(_ kept: RowProof.Part) -> Policy {
    var policy = kept == .rest ? self : Policy.iOS
    if kept == .rest {
      for part in RowProof.Part.allCases where part != .rest { policy.copy(part, of: .iOS) }
    } else {
      policy.copy(kept, of: self)
    }
    return policy
  }

  private mutating func copy(_ part: RowProof.Part, of other: Policy) {
    switch part {
    case .frequencies:
      (caps, defaultCap) = (other.caps, other.defaultCap)
      subscriptions = other.subscriptions
    case .behaviour: behaviour = other.behaviour
    case .budget: budget = other.budget
    case .completionTimeout: completionTimeout = other.completionTimeout
    case .strikes:
      maxStrikes = other.maxStrikes
      backoffBase = other.backoffBase
      backoffFactor = other.backoffFactor
      backoffMax = other.backoffMax
    case .pushes: (pushLimit, pushWindow) = (other.pushLimit, other.pushWindow)
    case .refresh: minimumRefreshInterval = other.minimumRefreshInterval
    case .carry: carry = other.carry
    case .forceQuit: forceQuitBlocksHealth = other.forceQuitBlocksHealth
    case .lock: lockBlocksHealth = other.lockBlocksHealth
    case .rest: break
    }
  }

  /// Numbers that are greater where less is kept back, and so more follows from a replay.
  fileprivate var permissions: [Double] {
    let carried: Double =
      switch carry {
      case .due: 2
      case .launch: 1
      case .always: 0
      }
    return [
      Double(budget?.limitWithoutComplication ?? .max), -Double(budget?.window ?? 0),
      Double(budget?.limit ?? .max), Double(pushLimit), -Double(pushWindow),
      Double(completionTimeout), Double(maxStrikes), carried, -Double(minimumRefreshInterval),
    ]
  }
}
