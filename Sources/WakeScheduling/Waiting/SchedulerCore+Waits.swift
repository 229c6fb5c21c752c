// Page Rules, 9: why a wake came no sooner. The rules call this before they change what a wake depends on; it changes
// nothing itself.
extension SchedulerCore {
  /// Settles the waiting of every app before an input that may change anything.
  mutating func settleAllWaits() {
    guard waits != nil else { return }
    for app in apps.indices { settleWaits(of: app) }
  }

  /// Notes the reasons of everything that waits on an app, up to the present and by the state so far.
  ///
  /// - Complexity: O(subscriptions of the app), and O(1) for each time at which a reason ends; O(1) if nothing waits.
  @inline(never)
  mutating func settleWaits(of app: Int) {
    guard let (settled, isRefreshOverdue) = waits?.beginSettling(app, at: present) else { return }
    if apps[app].pendingDue != .max { settleTypes(of: app, since: settled) }
    if apps[app].holdsPush { settlePush(of: app, since: settled) }
    if isRefreshOverdue || apps[app].refresh.overdue <= present {
      settleRefresh(of: app, since: settled)
    }
  }

  private mutating func settleTypes(of app: Int, since settled: Int64) {
    var conditions = healthConditions(app)
    // Taken out meanwhile, so that its reference is not counted.
    guard let waits = waits.take() else { return }
    waits.makeRoom(slots: coalescer.subscriptions.count)
    waits.withSubscriptions { subscriptions in
      for place in apps[app].subscriptions.indices {
        let slot = apps[app].subscriptions[place]
        let oldest = coalescer.subscriptions[slot].oldest
        guard oldest != .max else { continue }
        conditions.period = coalescer.subscriptions[slot].periodEnd
        subscriptions[slot].note(conditions, from: max(settled, oldest), to: present)
      }
    }
    self.waits = waits
  }

  private mutating func settlePush(of app: Int, since settled: Int64) {
    let conditions = pushConditions(app)
    waits?.apps[app].notePush(conditions, from: settled, to: present)
  }

  private mutating func settleRefresh(of app: Int, since settled: Int64) {
    let (overdue, symbol) = (apps[app].refresh.overdue, apps[app].symbol)
    // A new interval, given when all was settled last: no longer overdue.
    if overdue > settled { waits?.dropRefresh(app, symbol: symbol, at: settled) }
    guard overdue <= present else { return }
    let conditions = refreshConditions(app)
    waits?.apps[app].noteRefresh(conditions, from: max(overdue, settled), to: present)
  }

  /// Reports the waiting of the saves which the wake that has just begun carries.
  @inline(never)
  mutating func endWaitsOfTypes(_ app: Int) {
    guard apps[app].arePlacesSorted else {
      for slot in carriedByName(of: app) { endWait(ofCarried: slot, app) }
      return
    }
    var carried = apps[app].places.all(in: .carried)
    while let place = carried.next(in: &apps[app].places) {
      endWait(ofCarried: apps[app].subscriptions[place], app)
    }
  }

  private mutating func endWait(ofCarried slot: Int, _ app: Int) {
    waits?.carry(
      slot, coalescer.subscriptions[slot].type, of: apps[app].symbol,
      saves: coalescer.subscriptions[slot].carriedSaves,
      since: coalescer.subscriptions[slot].carriedOldest, until: present,
      wake: apps[app].wake.number)
  }

  /// Reports the waiting of the push and of the refresh that the wake which has just begun carries.
  @inline(never)
  mutating func endWaitsOfPushAndRefresh(_ app: Int) {
    let (symbol, wake) = (apps[app].symbol, apps[app].wake.number)
    if apps[app].carriesPush {
      waits?.endPush(app, symbol: symbol, id: heldPushIDs[app], at: present, wake: wake)
    }
    if apps[app].isRefreshOutstanding {
      waits?.endRefresh(app, symbol: symbol, at: present, wake: wake)
    }
  }

  /// Reports the waiting of what is delivered live at a launch.
  @inline(never)
  mutating func dropWaitsAtLaunch(of app: Int) {
    for slot in slotsByName(of: app) { dropPending(of: slot, app, .deliveredLive) }
    dropPush(of: app, .deliveredLive)
  }

  /// Reports the waiting on a subscription that is disabled.
  @inline(never)
  mutating func dropWaits(ofDisabled slot: Int, _ app: Int, wasOutstanding: Bool) {
    waits?.keepCarried(slot, wasOutstanding ? .disabled : nil)
    dropPending(of: slot, app, .disabled)
  }

  private mutating func dropPending(of slot: Int, _ app: Int, _ ending: Wait.Ending) {
    let (symbol, saves) = (apps[app].symbol, coalescer.pending(slot))
    guard saves > 0 else { return }
    let (type, oldest) = (coalescer.subscriptions[slot].type, coalescer.subscriptions[slot].oldest)
    waits?.makeRoom(slots: slot + 1)
    waits?.drop(
      slot,
      Wait(
        app: symbol, item: .type(type), saves: saves, since: oldest, until: present, ending: ending)
    )
  }

  /// Notes that an app gets a push at the present, which waits. If it supersedes one that waited, reports how long that did.
  @inline(never)
  mutating func noteWaitingPush(of app: Int, supersedes: Bool) {
    if supersedes { dropPush(of: app, .superseded) }
    waits?.hold(app, at: present)
  }

  /// Reports the waiting of the push that an app holds, if it does.
  @inline(never)
  mutating func dropPush(of app: Int, _ ending: Wait.Ending) {
    guard apps[app].holdsPush else { return }
    let symbol = apps[app].symbol
    waits?.endPush(app, symbol: symbol, id: heldPushIDs[app], at: present, ending: ending)
  }

  /// Reports what waits after the last input, and that what was carried does not come back (rule 9.3).
  mutating func closeWaits() {
    guard waits != nil else { return }
    waits?.makeRoom(slots: coalescer.subscriptions.count)
    for app in apps.indices {
      settleWaits(of: app)
      let symbol = apps[app].symbol
      for slot in slotsByName(of: app) {
        let (type, oldest) = (
          coalescer.subscriptions[slot].type, coalescer.subscriptions[slot].oldest
        )
        let pending = coalescer.pending(slot)
        waits?.close(
          slot,
          pending == 0
            ? nil
            : Wait(app: symbol, item: .type(type), saves: pending, since: oldest, until: present))
      }
      if apps[app].holdsPush {
        waits?.endPush(app, symbol: symbol, id: heldPushIDs[app], at: present)
      }
      if apps[app].refresh.overdue <= present {
        waits?.endRefresh(app, symbol: symbol, at: present)
      }
    }
  }
}
