import WakeEvents
import WakeScheduling

/// State of one app on one device (rules, 1), and the conditions of rule 6.1 that depend on
/// it, the policy and the device alone.
struct ReferenceApp {
  /// The state of an app (rules, 1); *force-quit* is a flag beside it.
  enum State {
    case terminated
    case suspended
    case awake(Flight)
    case foreground
  }

  /// A wake in flight.
  struct Flight {
    /// Its place in the scheduler's list of wakes.
    var place: Int
    var deadline: Int64
    /// When the modelled app answers everything (rule 6.4), if it does.
    var answer: Int64?
    /// Whether it carried types at its start (rule 6.6).
    var carriedTypes: Bool
    /// The types outstanding, with the times of the saves that they carry.
    var types: [SampleType: [Int64]]
    /// The waiting of those saves up to this wake, by type (rule 9.4).
    var waits: [SampleType: [ReferenceWait.Stretch]] = [:]
    var hasPush: Bool
    var hasRefresh: Bool

    var isAnswered: Bool { types.isEmpty && !hasPush && !hasRefresh }

    /// Takes `item` off what is outstanding; false if it was not.
    mutating func answer(_ item: CompletionItem) -> Bool {
      switch item {
      case .everything:
        types = [:]
        hasPush = false
        hasRefresh = false
        return true
      case .push:
        defer { hasPush = false }
        return hasPush
      case .refresh:
        defer { hasRefresh = false }
        return hasRefresh
      case .type(let type):
        return types.removeValue(forKey: type) != nil
      }
    }
  }

  struct Subscription {
    var type: SampleType
    var period: Int64
    /// The times at which the pending saves and deletes happened, in their order.
    var pending: [Int64] = []
    /// The waiting of the pending saves so far.
    var waits: [ReferenceWait.Stretch] = []
    var lastWake: Int64?
  }

  struct ObserverQuery {
    var type: SampleType
    var predicate: Predicate?
  }

  /// The conditions on the device (rules, 6).
  struct Conditions {
    var networkIsGood = true
    var powerIsGood = true
    var isLocked = false
  }

  var app: App
  var state = State.terminated
  var isForceQuit = false
  var isEntitled = true
  var hasComplication = false
  var subscriptions: [Subscription] = []
  var queries: [Query: ObserverQuery] = [:]

  var strikes = 0
  var isStopped = false
  var backedOffUntil: Int64?
  var lastDelay: Int64?

  var heldPush: String?
  var heldSince: Int64?
  var pushWaits: [ReferenceWait.Stretch] = []
  var refreshInterval: Int64?
  var lastRefresh: Int64?
  var refreshStatus = RefreshStatus.available
  /// Since when a refresh is overdue (rule 9.1).
  var overdueSince: Int64?
  var refreshWaits: [ReferenceWait.Stretch] = []

  var wakes = 0
  /// The times of the wakes that were charged to the budget, and of those with a push.
  var chargedWakes: [Int64] = []
  var pushWakes: [Int64] = []

  init(app: App) {
    self.app = app
  }
}

// MARK: - What is due at a time (rule 6.1)

extension ReferenceApp {
  func budgetLimit(_ budget: Policy.Budget) -> Int {
    hasComplication ? budget.limit : budget.limitWithoutComplication
  }

  func isBudgetOpen(at time: Int64, _ policy: Policy) -> Bool {
    guard let budget = policy.budget else { return true }
    return hasFewer(
      than: budgetLimit(budget), of: chargedWakes, within: budget.window, endingAt: time)
  }

  func isHealthBlocked(_ policy: Policy, _ conditions: Conditions) -> Bool {
    isStopped || (isForceQuit && policy.forceQuitBlocksHealth)
      || (conditions.isLocked && policy.lockBlocksHealth)
  }

  /// The conditions of rule 6.1 on a subscription, and on the app's backoff, for it to be due by itself.
  func isDue(_ subscription: Subscription, at time: Int64) -> Bool {
    if subscription.pending.isEmpty { return false }
    if let lastWake = subscription.lastWake, time < lastWake + subscription.period { return false }
    if let backedOffUntil, time < backedOffUntil { return false }
    return true
  }

  func isHealthDue(at time: Int64, _ policy: Policy, _ conditions: Conditions) -> Bool {
    isBudgetOpen(at: time, policy) && !isHealthBlocked(policy, conditions)
      && subscriptions.contains { isDue($0, at: time) }
  }

  func isRefreshDue(at time: Int64, _ policy: Policy, _ conditions: Conditions) -> Bool {
    guard let refreshInterval, let lastRefresh else { return false }
    return isBudgetOpen(at: time, policy) && refreshStatus == .available
      && conditions.networkIsGood && conditions.powerIsGood && !isForceQuit
      && time >= lastRefresh + refreshInterval
  }

  func isPushDue(at time: Int64, _ policy: Policy) -> Bool {
    heldPush != nil && !isForceQuit
      && hasFewer(
        than: policy.pushLimit, of: pushWakes, within: policy.pushWindow, endingAt: time)
  }

  /// Whether fewer than `limit` of `times`, which rise and are not after `end`, lie in
  /// (end − window, end].
  private func hasFewer(
    than limit: Int, of times: [Int64], within window: Int64, endingAt end: Int64
  ) -> Bool {
    var count = 0
    for time in times.reversed() {
      if count >= limit || time <= end - window { break }
      count += 1
    }
    return count < limit
  }
}

// MARK: - The time at which something will be due (rule 4.4)

extension ReferenceApp {
  /// The earliest time, not before `present`, at which rule 6.1 would wake the app, which is neither
  /// awake nor in the foreground, if nothing else happened; nil is never.
  ///
  /// Each condition of rule 6.1 is either apart from time or holds from some time on, so each part
  /// is due from the latest of its conditions' times on.
  func earliestWake(
    from present: Int64, _ policy: Policy, _ conditions: Conditions
  ) -> Int64? {
    var earliest: Int64?
    func offer(_ time: Int64) {
      earliest = min(earliest ?? .max, max(time, present))
    }

    if let budgetOpens = budgetOpens(policy) {
      if !isHealthBlocked(policy, conditions) {
        for subscription in subscriptions where !subscription.pending.isEmpty {
          let periodEnds = subscription.lastWake.map { $0 + subscription.period } ?? .min
          offer(max(budgetOpens, periodEnds, backedOffUntil ?? .min))
        }
      }
      if let refreshInterval, let lastRefresh, refreshStatus == .available,
        conditions.networkIsGood, conditions.powerIsGood, !isForceQuit
      {
        offer(max(budgetOpens, lastRefresh + refreshInterval))
      }
    }
    if heldPush != nil, !isForceQuit,
      let windowOpens = opening(pushWakes, limit: policy.pushLimit, window: policy.pushWindow)
    {
      offer(windowOpens)
    }
    return earliest
  }

  /// From when on the budget is open; nil is never, the least number is always.
  private func budgetOpens(_ policy: Policy) -> Int64? {
    guard let budget = policy.budget else { return .min }
    return opening(chargedWakes, limit: budgetLimit(budget), window: budget.window)
  }

  /// From when on fewer than `limit` of `times` lie in a half-open window: when the last but
  /// `limit` of them leaves it.
  private func opening(_ times: [Int64], limit: Int, window: Int64) -> Int64? {
    if limit == 0 { return nil }
    if times.count < limit { return .min }
    return times[times.count - limit] + window
  }
}
