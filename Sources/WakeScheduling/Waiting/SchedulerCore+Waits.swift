// Page Rules, 9: why a wake came no sooner. The rules call this before they change what a wake depends on; it changes
// nothing itself.
extension SchedulerCore {
  /// Calls `listener` with everything that waits, from the first input on.
  ///
  /// Call it before the first input of a scheduler without the acceleration ``Accelerations/cohorts``, as each app has
  /// waits of its own. It turns ``reportsEnds`` on. ``restart(like:device:hash:)`` ends it.
  package mutating func observeWaits(
    _ listener: @escaping (WaitPhase, borrowing Wait) -> Void
  ) {
    precondition(!accelerations.contains(.cohorts), "waits are of single apps")
    waits = WaitTracker(listener)
    reportsEnds = true
  }

  /// Settles the waiting of every app before an input that may change anything.
  mutating func settleAllWaits() {
    guard waits != nil else { return }
    for app in apps.indices { settleWaits(of: app) }
  }

  /// Notes the reasons of everything that waits on an app, up to the present and by the state so far.
  ///
  /// - Complexity: O(subscriptions of the app), and O(1) for each time at which a reason ends.
  @inline(never)
  mutating func settleWaits(of app: Int) {
    guard let waits else { return }
    let settled = waits[app].settled
    waits[app].settled = present
    settleTypes(of: app, since: settled, waits)
    settlePush(of: app, since: settled, waits)
    settleRefresh(of: app, since: settled, waits)
  }

  private mutating func settleTypes(of app: Int, since settled: Int64, _ waits: WaitTracker) {
    guard apps[app].pendingDue != .max || apps[app].activity == .foreground else { return }
    var conditions = healthConditions(app)
    for place in apps[app].subscriptions.indices {
      let slot = apps[app].subscriptions[place]
      let oldest = coalescer.subscriptions[slot].oldest
      if oldest == .max {
        // In the foreground what was pending has been delivered live.
        waits[slot: slot].stretches.removeAll(keepingCapacity: true)
      } else {
        conditions.period = coalescer.subscriptions[slot].periodEnd
        conditions.add(
          to: &waits[slot: slot].stretches, from: max(settled, oldest), to: present)
      }
    }
  }

  private mutating func settlePush(of app: Int, since settled: Int64, _ waits: WaitTracker) {
    guard apps[app].heldPush != nil else { return }
    let start = max(settled, waits[app].pushSince)
    pushConditions(app).add(to: &waits[app].push, from: start, to: present)
  }

  private mutating func settleRefresh(of app: Int, since settled: Int64, _ waits: WaitTracker) {
    let overdue = apps[app].refresh.overdue
    if waits[app].refreshSince != nil, overdue > settled {
      // A new interval: no longer overdue.
      waits[app].refreshSince = nil
      waits[app].refresh = []
    }
    guard overdue <= present else { return }
    let start = max(overdue, settled)
    if waits[app].refreshSince == nil { waits[app].refreshSince = start }
    refreshConditions(app).add(to: &waits[app].refresh, from: start, to: present)
  }

  /// Reports the waiting of pending saves which a wake that begins now carries.
  mutating func endWait(of slot: Int, _ app: Int, _ saves: Int, since oldest: Int64) {
    waits?.carry(
      slot,
      Wait(
        app: apps[app].symbol, item: .type(coalescer.subscriptions[slot].type), saves: saves,
        since: oldest, until: present, wake: counts.wakes + 1))
  }

  /// Reports the waiting of the push and of the refresh that the wake which has just begun carries.
  mutating func endWaitsOfPushAndRefresh(_ app: Int) {
    guard let waits else { return }
    let wake = apps[app].wake.number
    if let push = apps[app].carriedPush {
      waits.report(
        Wait(
          app: apps[app].symbol, item: .push(push), since: waits[app].pushSince, until: present,
          wake: wake, stretches: waits[app].push))
      waits[app].push = []
    }
    if apps[app].isRefreshOutstanding {
      waits.report(
        Wait(
          app: apps[app].symbol, item: .refresh, since: waits[app].refreshSince ?? present,
          until: present, wake: wake, stretches: waits[app].refresh))
      waits[app].refreshSince = nil
      waits[app].refresh = []
    }
  }

  /// Reports what waits after the last input, and that what was carried does not come back (rule 9.3).
  mutating func closeWaits() {
    guard let waits else { return }
    for app in apps.indices {
      settleWaits(of: app)
      let symbol = apps[app].symbol
      for slot in apps[app].subscriptions {
        let stretches = waits[slot: slot].stretches
        waits.remove(slot)
        let (pending, oldest) = (coalescer.pending(slot), coalescer.subscriptions[slot].oldest)
        guard pending > 0 else { continue }
        waits.report(
          Wait(
            app: symbol, item: .type(coalescer.subscriptions[slot].type), saves: pending,
            since: oldest, until: present, stretches: stretches))
      }
      if let push = apps[app].heldPush {
        waits.report(
          Wait(
            app: symbol, item: .push(push), since: waits[app].pushSince, until: present,
            stretches: waits[app].push))
      }
      if let since = waits[app].refreshSince {
        waits.report(
          Wait(
            app: symbol, item: .refresh, since: since, until: present,
            stretches: waits[app].refresh))
      }
    }
  }
}
