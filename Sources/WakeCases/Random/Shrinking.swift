public import WakeEvents
public import WakeScheduling

/// Makes a failing case smaller while it fails: fewer events, then a policy nearer to the default.
///
/// - Parameters:
///   - runs: how often `fails` may be asked at most.
///   - fails: whether a case still fails; it does for the case given.
/// - Returns: the smallest failing case found.
/// - Complexity: at most `runs` calls of `fails`.
public func shrink(
  _ events: [Event], _ policy: Policy, runs: Int = 3000,
  fails: @escaping ([Event], Policy) -> Bool
) -> (events: [Event], policy: Policy) {
  var shrinker = Shrinker(events: events, policy: policy, runs: runs, fails: fails)
  var size: Int
  repeat {
    size = shrinker.events.count
    shrinker.removeEvents()
    shrinker.simplifyPolicy()
    shrinker.simplifyEvents()
  } while shrinker.events.count < size
  return (shrinker.events, shrinker.policy)
}

private struct Shrinker {
  var events: [Event]
  var policy: Policy
  var runs: Int
  let fails: ([Event], Policy) -> Bool

  init(
    events: [Event], policy: Policy, runs: Int, fails: @escaping ([Event], Policy) -> Bool
  ) {
    self.events = events
    self.policy = policy
    self.runs = runs
    self.fails = fails
  }

  /// Keeps the smaller case if it fails.
  private mutating func attempt(_ events: [Event], _ policy: Policy) -> Bool {
    if runs == 0 { return false }
    runs -= 1
    guard fails(events, policy) else { return false }
    self.events = events
    self.policy = policy
    return true
  }

  /// Removes chunks, from the end, where what happens after the failure stands, to the start.
  mutating func removeEvents() {
    var chunk = max(events.count / 2, 1)
    while true {
      var end = events.count
      while end > 0 {
        let start = max(end - chunk, 0)
        var rest = events
        rest.removeSubrange(start..<end)
        _ = attempt(rest, policy)
        end = min(start, events.count)
      }
      if chunk == 1 { return }
      chunk = (chunk + 1) / 2
    }
  }

  /// Puts key after key back to the default, and removes subscriptions one by one.
  mutating func simplifyPolicy() {
    let simple = Policy.iOS
    func attempt(_ change: (inout Policy) -> Void) {
      var changed = policy
      change(&changed)
      if changed != policy { _ = self.attempt(events, changed) }
    }
    attempt { $0 = simple }
    attempt {
      $0.caps = simple.caps
      $0.defaultCap = simple.defaultCap
    }
    attempt { $0.budget = nil }
    attempt { $0.completionTimeout = simple.completionTimeout }
    attempt { $0.maxStrikes = simple.maxStrikes }
    attempt { $0.backoffBase = simple.backoffBase }
    attempt { $0.backoffFactor = simple.backoffFactor }
    attempt { $0.backoffMax = simple.backoffMax }
    attempt {
      $0.pushLimit = simple.pushLimit
      $0.pushWindow = simple.pushWindow
    }
    attempt { $0.minimumRefreshInterval = simple.minimumRefreshInterval }
    attempt { $0.carry = simple.carry }
    attempt { $0.forceQuitBlocksHealth = simple.forceQuitBlocksHealth }
    attempt { $0.lockBlocksHealth = simple.lockBlocksHealth }
    attempt { $0.behaviour = simple.behaviour }
    attempt { $0.behaviour.coldStart = 0 }
    attempt { $0.behaviour.ignoresEvery = 0 }
    for place in policy.subscriptions.indices.reversed() {
      attempt { $0.subscriptions.remove(at: place) }
    }
  }

  /// Takes optional fields away from saves and queries.
  mutating func simplifyEvents() {
    for place in events.indices {
      var changed = events
      switch events[place].input {
      case .save(let sample):
        changed[place].input = .save(Sample(type: sample.type, source: sample.source))
      case .execute(let app, let query, let type, _):
        changed[place].input = .execute(app: app, query: query, type: type, predicate: nil)
      case .complete(let app, _, _):
        changed[place].input = .complete(app: app, item: .everything, result: nil)
      default: continue
      }
      if changed != events { _ = attempt(changed, policy) }
    }
  }
}
