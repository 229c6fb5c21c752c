import WakeEvents

// Page Rules, 6.1: the conditions of a wake, each by itself. `Wakes.swift` decides by them, and `Waiting/` asks them what
// kept a wake back (rule 9.2).
//
// What changes nothing is mutating for speed alone: for another call the compiler moves the whole struct through memory.
extension SchedulerCore {
  /// From when the budget is open for an app, if no further wake comes: `Int64.min` if always, `Int64.max` if never.
  ///
  /// It changes with each charged wake (``charge(_:)``) and with the complication (``updateBudget(_:)``).
  @inline(__always)
  mutating func budgetOpens(_ app: Int) -> Int64 { apps[app].budgetOpens }

  /// Notes from when the budget is open.
  mutating func updateBudget(_ app: Int) {
    guard let budget = policy.budget else { return }
    updateOpening(app, of: budget)
  }

  /// Charges the wake that begins to the budget.
  @inline(__always)
  mutating func charge(_ app: Int) {
    guard let budget = policy.budget else { return }
    windows.append(
      present, to: &apps[app].chargedWakes,
      capacity: max(budget.limit, budget.limitWithoutComplication))
    updateOpening(app, of: budget)
  }

  @inline(__always)
  private mutating func updateOpening(_ app: Int, of budget: Policy.Budget) {
    let limit = apps[app].hasComplication ? budget.limit : budget.limitWithoutComplication
    apps[app].budgetOpens = windows.opens(
      apps[app].chargedWakes, limit: limit, length: budget.window)
  }

  /// From when a wake of an app may carry a push, if no further wake comes. It changes with each wake that carries one
  /// (``notePushWake(_:)``).
  @inline(__always)
  mutating func pushWindowOpens(_ app: Int) -> Int64 { apps[app].pushOpens }

  /// Counts the wake that begins against the limit of wakes with a push.
  mutating func notePushWake(_ app: Int) {
    windows.append(present, to: &apps[app].pushWakes, capacity: policy.pushLimit)
    updatePushOpening(app)
  }

  /// Notes from when a wake may carry a push.
  @inline(__always)
  mutating func updatePushOpening(_ app: Int) {
    apps[app].pushOpens = windows.opens(
      apps[app].pushWakes, limit: policy.pushLimit, length: policy.pushWindow)
  }

  /// Whether the network and the power are good.
  @inline(__always)
  var areConditionsGood: Bool { holds.isDisjoint(with: .conditions) }

  /// What of the device's state keeps apps back.
  var conditions: DeviceConditions {
    DeviceConditions(
      isLocked: isLocked, isPowerGood: isPowerGood, isNetworkGood: isNetworkGood)
  }

  /// An app's refresh status.
  mutating func refreshStatus(of app: Int) -> RefreshStatus {
    apps[app].refresh.status(commonStatus)
  }

  /// Whether an app gets no health data because it is force-quit.
  @inline(__always)
  mutating func isHealthBlockedByForceQuit(_ app: Int) -> Bool {
    apps[app].isForceQuit && policy.forceQuitBlocksHealth
  }

  /// Whether no app gets health data because the device is locked.
  @inline(__always)
  mutating func isHealthBlockedByLock() -> Bool { isLocked && policy.lockBlocksHealth }

  /// Whether an app gets no health data, whatever the time.
  @inline(__always)
  mutating func isHealthBlocked(_ app: Int) -> Bool {
    apps[app].backoff.isStopped || isHealthBlockedByForceQuit(app) || isHealthBlockedByLock()
  }
}
