// Acceleration `directWakes`.
//
// Rules: 5.1, 6.1 and 6.2, for wakes that carry nothing but saves.
// Plain: a save becomes pending, the app is evaluated for all reasons, and the wake carries each subscription that is due.
// Here: an app is evaluated for pending saves only, and a wake for them begins without a look at anything else. A save that
// wakes its app at once never becomes pending: the wake begins with this one save.
// Condition: the app has no held push or refresh that could matter and is neither force-quit nor stopped
// (``AppState/isWokenBySavesOnly``). For a wake with one save, also: nothing is pending for the app that the wake would
// carry, no lock blocks health data, the app is not backed off, its budget is open, and the subscription is past its period.
// Then the plain rules wake the app for this type alone.
// Tests: DifferentialTests, CountedWakesTests, DirectWakesTests.
// Gain: 587 to 286 instructions a wake in coalescer/busy/10, 954 to 602 in told/10 (page Performance).
extension SchedulerCore {
  /// Evaluates an app (rules 4.4, 6.1), for pending saves only if nothing else can wake it.
  @inline(__always)
  mutating func evaluateQuickly(
    _ app: Int, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    guard apps[app].isWokenBySavesOnly else {
      return evaluate(app, &hasher, listener)
    }
    guard apps[app].pendingDue != .max else {
      // What ends a wake stays.
      return apps[app].activity == .awake ? () : timers.set(app: app, due: .max)
    }
    guard apps[app].activity == .suspended else { return evaluate(app, &hasher, listener) }
    let due = pendingSavesDue(app)
    if due > present {
      setTimer(app, due: due)
    } else {
      wakeForSaves(app, &hasher, listener)
    }
  }

  /// Wakes a suspended app, which only pending saves can wake, for those that are due at the present: nothing but saves is
  /// carried, and of these what is due, or all (rule 6.2).
  @inline(never)
  private mutating func wakeForSaves(
    _ app: Int, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    if waits != nil { settleWaits(of: app) }
    var contents = WakeContents()
    apps[app].clearCarried()
    carryTypes(app, dueBy: policy.carry == .always ? Timers.never : present, &contents)
    // The budget is open, and there is a type: otherwise the saves would not be due.
    charge(app)
    begin(app, contents, isWokenBySavesOnly: true, &hasher, listener)
  }

  /// Wakes the app of a subscription for a save at the present, if it is woken for this save alone; false if not.
  @inline(always)
  mutating func wakeDirectly(
    _ slot: Int, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) -> Bool {
    let app = coalescer.subscriptions[slot].app
    guard apps[app].isWokenBySavesOnly,
      // Not the greatest of four, for which the standard library makes an array.
      max(apps[app].backoff.until, apps[app].answeredAt) <= present,
      max(apps[app].budgetOpens, coalescer.subscriptions[slot].periodEnd) <= present,
      !isHealthBlockedByLock(), carriesNothingPending(app)
    else { return false }
    if waits != nil { settleWaits(of: app) }
    var contents = WakeContents()
    apps[app].clearCarried()
    carry(1, oldest: present, of: slot, app, &contents)
    charge(app)
    begin(app, contents, isWokenBySavesOnly: true, &hasher, listener)
    return true
  }

  /// Whether an app can be woken, and a wake now would carry nothing that is pending (rule 6.2).
  @inline(__always)
  private mutating func carriesNothingPending(_ app: Int) -> Bool {
    switch apps[app].activity {
    case .awake, .foreground: false
    case .suspended:
      apps[app].pendingDue > present && (apps[app].pendingDue == .max || policy.carry != .always)
    case .terminated:
      apps[app].pendingDue > present && (apps[app].pendingDue == .max || policy.carry == .due)
    }
  }
}
