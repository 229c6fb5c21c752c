import WakeEvents

/// The reasons for which something waits, while nothing happens: some hold throughout, others until a time (rules, 9.2).
struct WaitConditions {
  /// The reasons that hold until something happens.
  var lasting = WaitReasons()
  /// When the reasons end that time alone ends.
  var budget = Int64.min
  var backoff = Int64.min
  var period = Int64.min
  var throttle = Int64.min
  /// When a completion comes that is counted ahead (``Accelerations/answersAhead``).
  var inFlight = Int64.min

  /// Adds the stretches between two times.
  func add(to stretches: inout [Wait.Stretch], from start: Int64, to end: Int64) {
    var time = start
    while time < end {
      var reasons = lasting
      var next = end
      func hold(_ reason: WaitReason, until limit: Int64) {
        guard time < limit else { return }
        reasons.insert(reason)
        next = min(next, limit)
      }
      hold(.budget, until: budget)
      hold(.backoff, until: backoff)
      hold(.period, until: period)
      hold(.throttle, until: throttle)
      hold(.inFlight, until: inFlight)
      stretches.add(next - time, reasons)
      time = next
    }
  }
}

extension SchedulerCore {
  /// What keeps any subscription of an app from a wake; `period` is left to the subscription.
  mutating func healthConditions(_ app: Int) -> WaitConditions {
    var conditions = WaitConditions()
    conditions.lasting.insert(.stopped, if: apps[app].backoff.isStopped)
    conditions.lasting.insert(.forceQuit, if: isHealthBlockedByForceQuit(app))
    conditions.lasting.insert(.locked, if: isHealthBlockedByLock())
    conditions.lasting.insert(.inFlight, if: apps[app].activity == .awake)
    conditions.budget = budgetOpens(app)
    conditions.backoff = apps[app].backoff.until
    conditions.inFlight = apps[app].answeredAt
    return conditions
  }

  /// What keeps the push that an app holds from a wake.
  mutating func pushConditions(_ app: Int) -> WaitConditions {
    var conditions = WaitConditions()
    conditions.lasting.insert(.forceQuit, if: apps[app].isForceQuit)
    conditions.lasting.insert(.inFlight, if: apps[app].activity == .awake)
    conditions.throttle = pushWindowOpens(app)
    conditions.inFlight = apps[app].answeredAt
    return conditions
  }

  /// What keeps an overdue refresh of an app from a wake.
  mutating func refreshConditions(_ app: Int) -> WaitConditions {
    var conditions = WaitConditions()
    conditions.lasting.insert(.forceQuit, if: apps[app].isForceQuit)
    conditions.lasting.insert(.status, if: refreshStatus(of: app) != .available)
    conditions.lasting.insert(.network, if: !isNetworkGood)
    conditions.lasting.insert(.power, if: !isPowerGood)
    conditions.lasting.insert(.foreground, if: apps[app].activity == .foreground)
    conditions.lasting.insert(.inFlight, if: apps[app].activity == .awake)
    conditions.budget = budgetOpens(app)
    conditions.inFlight = apps[app].answeredAt
    return conditions
  }
}
