public import WakeEvents
public import WakeScheduling

// Why a wake came no sooner (rules, 9).
//
// The state changes only when something happens. So whenever time goes on, every instant until then is asked for its
// reasons, with the state as it is: those at which one of the reasons may end, as all instants up to the next of them
// are alike.

extension ReferenceScheduler {
  /// Notes the waiting from the present, when everything up to it has happened, until a time.
  mutating func wait(until end: Int64) {
    guard logsWaits else { return }
    for number in apps.indices {
      let app = apps[number]
      let overdue = overdueTime(app)
      if let overdue, overdue <= end, app.overdueSince == nil {
        apps[number].overdueSince = overdue
      }
      let instants = turns(of: app).filter { present < $0 && $0 < end }.sorted()
      for (start, next) in zip([present] + instants, instants + [end]) where start < next {
        for place in app.subscriptions.indices where !app.subscriptions[place].pending.isEmpty {
          let why = reasons(app, app.subscriptions[place], at: start)
          apps[number].subscriptions[place].waits.append(from: start, to: next, why)
        }
        if app.heldPush != nil {
          apps[number].pushWaits.append(from: start, to: next, pushReasons(app, at: start))
        }
        if let overdue, overdue <= start {
          apps[number].refreshWaits.append(from: start, to: next, refreshReasons(app, at: start))
        }
      }
    }
  }

  /// An input may have made a refresh overdue, or overdue no more (rule 9.1).
  mutating func noteOverdue() {
    for number in apps.indices {
      if let overdue = overdueTime(apps[number]), overdue <= present {
        apps[number].overdueSince = apps[number].overdueSince ?? present
      } else {
        if let since = apps[number].overdueSince {
          drop(number, .refresh, since: since, apps[number].refreshWaits, "notOverdue")
        }
        apps[number].overdueSince = nil
        apps[number].refreshWaits = []
      }
    }
  }

  /// The lines of what waits after the last input, after the lines so far (rule 9.3).
  public func finishedWaitLog() -> [ReferenceWait] {
    var finished = self
    for (number, app) in apps.enumerated() {
      let pending = Dictionary(
        uniqueKeysWithValues: app.subscriptions.filter { !$0.pending.isEmpty }
          .map { ($0.type, $0) })
      for type in sorted(pending.keys) {
        guard let subscription = pending[type] else { continue }
        finished.logWait(
          number, .type(type, saves: subscription.pending.count), since: subscription.pending[0],
          subscription.waits, isCarried: false)
      }
      if let push = app.heldPush, let since = app.heldSince {
        finished.logWait(number, .push(push), since: since, app.pushWaits, isCarried: false)
      }
      if let since = app.overdueSince {
        finished.logWait(number, .refresh, since: since, app.refreshWaits, isCarried: false)
      }
    }
    return finished.waitLog
  }

  /// Adds a line; of a wake it is the one that begins now.
  mutating func logWait(
    _ number: Int, _ item: ReferenceWait.Item, since: Int64,
    _ stretches: [ReferenceWait.Stretch], isCarried: Bool
  ) {
    guard logsWaits else { return }
    waitLog.append(
      ReferenceWait(
        wake: isCarried ? (wakes.count + 1, present) : nil, app: apps[number].app, item: item,
        since: since, stretches: stretches))
  }

  /// Notes the pending saves of types that no wake will carry.
  mutating func dropTypes(of number: Int, _ ending: String, where isGone: (SampleType) -> Bool) {
    let gone = apps[number].subscriptions.filter { isGone($0.type) && !$0.pending.isEmpty }
    for subscription in gone {
      drop(
        number, .type(subscription.type, saves: subscription.pending.count),
        since: subscription.pending[0], subscription.waits, ending)
    }
  }

  /// Notes a held push that no wake will carry, if there is one.
  mutating func dropPush(of number: Int, _ ending: String) {
    guard let push = apps[number].heldPush, let since = apps[number].heldSince else { return }
    drop(number, .push(push), since: since, apps[number].pushWaits, ending)
  }

  private mutating func drop(
    _ number: Int, _ item: ReferenceWait.Item, since: Int64, _ stretches: [ReferenceWait.Stretch],
    _ ending: String
  ) {
    guard logsWaits else { return }
    droppedWaits.append(
      ReferenceWait(
        app: apps[number].app, item: item, since: since, stretches: stretches, ending: ending))
  }

  /// Notes that the saves of a type came back, which the wake of that number carried (rule 9.4).
  mutating func noteReturn(of type: SampleType, wake: Int) {
    for place in waitLog.indices.reversed() {
      guard waitLog[place].wake?.number ?? .max >= wake else { return }
      if case .type(type, _) = waitLog[place].item, waitLog[place].wake?.number == wake {
        waitLog[place].cameBack = true
      }
    }
  }

  /// The wait logs of all devices, in the order of first appearance.
  ///
  /// - Parameter isDropped: The waits without a wake instead, which have no line there.
  public static func waitLog(
    events: [Event], policy: Policy, symbols: Symbols, without lifted: Set<String> = [],
    isDropped: Bool = false
  ) -> [(device: Device, wait: ReferenceWait)] {
    SchedulerRun.byDevice(events).flatMap { device, events in
      var scheduler = ReferenceScheduler(
        policy: policy, symbols: symbols, device: device, without: lifted)
      scheduler.logsWaits = true
      for event in events { scheduler.take(event.input, at: event.time) }
      let waits = isDropped ? scheduler.droppedWaits : scheduler.finishedWaitLog()
      return waits.map { (device, $0) }
    }
  }
}

// MARK: - The table of reasons (rule 9.2)

extension ReferenceScheduler {
  private func overdueTime(_ app: ReferenceApp) -> Int64? {
    guard let interval = app.refreshInterval, let last = app.lastRefresh else { return nil }
    return last + interval
  }

  private func isAwake(_ app: ReferenceApp) -> Bool {
    if case .awake = app.state { return true }
    return false
  }

  /// The instants after the present at which a reason may begin or end by itself.
  private func turns(of app: ReferenceApp) -> [Int64] {
    func leaving(_ wakes: [Int64], _ window: Int64) -> [Int64] {
      wakes.reversed().prefix { $0 + window > present }.map { $0 + window }
    }
    var turns = leaving(app.pushWakes, policy.pushWindow)
    if let window = policy.budget?.window { turns += leaving(app.chargedWakes, window) }
    if let until = app.backedOffUntil { turns.append(until) }
    for subscription in app.subscriptions {
      if let last = subscription.lastWake { turns.append(last + subscription.period) }
    }
    if let overdue = overdueTime(app) { turns.append(overdue) }
    return turns
  }

  private func reasons(
    _ app: ReferenceApp, _ subscription: ReferenceApp.Subscription, at time: Int64
  ) -> [String] {
    var why: [String] = []
    if app.isStopped { why.append("stopped") }
    if app.isForceQuit && policy.forceQuitBlocksHealth { why.append("forceQuit") }
    if conditions.isLocked && policy.lockBlocksHealth { why.append("locked") }
    if !app.isBudgetOpen(at: time, policy) { why.append("budget") }
    if let until = app.backedOffUntil, time < until { why.append("backoff") }
    if let last = subscription.lastWake, time < last + subscription.period { why.append("period") }
    if isAwake(app) { why.append("inFlight") }
    return why
  }

  private func pushReasons(_ app: ReferenceApp, at time: Int64) -> [String] {
    var why: [String] = []
    if app.isForceQuit { why.append("forceQuit") }
    let recent = app.pushWakes.reversed().prefix { time - policy.pushWindow < $0 }
    if recent.count >= policy.pushLimit { why.append("throttle") }
    if isAwake(app) { why.append("inFlight") }
    return why
  }

  private func refreshReasons(_ app: ReferenceApp, at time: Int64) -> [String] {
    var why: [String] = []
    if app.isForceQuit { why.append("forceQuit") }
    if !app.isBudgetOpen(at: time, policy) { why.append("budget") }
    if app.refreshStatus != .available { why.append("status") }
    if !conditions.networkIsGood { why.append("network") }
    if !conditions.powerIsGood { why.append("power") }
    if case .foreground = app.state { why.append("foreground") }
    if isAwake(app) { why.append("inFlight") }
    return why
  }
}
