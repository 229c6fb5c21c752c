import WakeEvents

// Acceleration `heldApps`.
//
// Rules: 4.4 and 4.5, after an input that concerns every app: the lock, the network, the power, the refresh status of
// every app, a reboot.
// Plain: every app is evaluated, or terminated and evaluated.
// Here: an input that holds apps back, or lifts nothing, evaluates none of them. Their timers stay, and so may come before
// the app can be woken. An app is noted as held back when such a timer comes, after which it gets a later one, and when it
// is evaluated for another reason.
// The input that ends the hold evaluates those noted, in app order, each once. So N apps and N such inputs cost about N log N.
// A reboot concerns only apps that were woken, launched or force-quit since the last one, or got a push: all others are
// terminated and hold nothing.
// Condition: an app that is evaluated while something holds it back is noted; ``Timers`` that are too early change nothing,
// the present included, and are told to nobody (``SchedulerCore/dropEarlyTimers()``).
// Tests: DifferentialTests, InvariantTests, HeldAppsTests.
// Gain: 462 to 222 instructions an input in random mix 11 of `Benchmarks/mixes.py`; growth by apps (`Benchmarks/limits --only
// inputs`). An input that lifts nothing looks at no app: 65 instructions less for a lock of mix 23.

/// The apps that inputs which concern every app have to look at.
struct HeldApps {
  /// Evaluated with pending saves while the device was locked.
  var locked = AppSet()
  /// Evaluated with a refresh to come, and status available, while the network or the power was not good.
  var conditions = AppSet()
  /// Evaluated with a refresh to come, while their status was not available.
  var status = AppSet()
  /// Whether those of ``status`` may be available: every app became so while network or power were not good.
  var mayBeAvailable = false
  /// Woken, launched or force-quit since the last reboot, or with a push that came since. Others are terminated, hold no
  /// push and are not force-quit.
  var inUse = AppSet()

  /// Whether no app is held back.
  var areNone: Bool { locked.isEmpty && conditions.isEmpty && status.isEmpty }

  /// Notes for an app what is noted for another one, whose state it takes over.
  mutating func copy(_ other: Int, to app: Int) {
    if locked.contains(other) { locked.insert(app) }
    if conditions.contains(other) { conditions.insert(app) }
    if status.contains(other) { status.insert(app) }
    if inUse.contains(other) { inUse.insert(app) }
  }
}

extension SchedulerCore {
  /// Notes that an app was evaluated which something may hold back, and not woken.
  @inline(__always)
  mutating func noteHeld(_ app: Int) {
    if !holds.isEmpty || apps[app].refresh.isHeld(by: commonStatus) { noteWhatHolds(app) }
  }

  @inline(never)
  private mutating func noteWhatHolds(_ app: Int) {
    guard accelerations.contains(.heldApps) else { return }
    if isHealthBlockedByLock(), apps[app].pendingDue != .max { held.locked.insert(app) }
    guard apps[app].refresh.isWanted else { return }
    if refreshStatus(of: app) != .available {
      held.status.insert(app)
    } else if !areConditionsGood {
      held.conditions.insert(app)
    }
  }

  /// Notes that an app is woken, launched or force-quit, or gets a push.
  @inline(__always)
  mutating func noteInUse(_ app: Int) { held.inUse.insert(app) }

  /// The apps that a reboot changes. Mutating for speed alone: for another call the compiler moves the whole struct through
  /// memory.
  mutating func appsToRestart() -> AppSet {
    if accelerations.contains(.heldApps) { return held.inUse.copied() }
    var all = AppSet()
    for app in apps.indices { all.insert(app) }
    return all
  }

  /// Evaluates the apps that an input which names none concerns.
  ///
  /// - Parameter before: What held apps back before the input.
  @inline(__always)
  mutating func evaluateHeld(
    after kind: InputKind, from before: DeviceHolds, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    // A reboot concerns apps that nothing holds back, too (``HeldApps/inUse``).
    if kind != .reboot {
      // An input that lifts nothing lets no app be woken. A refresh status may lift that of single apps, of which ``holds``
      // does not know.
      let mayLift = kind == .refreshStatus || !before.isSubset(of: holds)
      // What comes later is evaluated under the state that the input leaves. Where no app is held back,
      // ``HeldApps/mayBeAvailable`` may stay true for nothing: then those of ``HeldApps/status`` are evaluated once in vain.
      guard mayLift, !held.areNone else { return }
    }
    evaluateNoted(after: kind, from: before, &hasher, listener)
  }

  @inline(never)
  private mutating func evaluateNoted(
    after kind: InputKind, from before: DeviceHolds, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    var concerned = AppSet()
    if before.contains(.lock), !isLocked { concerned = held.locked.take() }
    if kind == .refreshStatus { held.mayBeAvailable = commonStatus.status == .available }
    if areConditionsGood {
      if !before.isDisjoint(with: .conditions) {
        concerned.formUnion(held.conditions.take())
      }
      if held.mayBeAvailable { concerned.formUnion(held.status.take()) }
      held.mayBeAvailable = false
    }
    if kind == .reboot { concerned.formUnion(held.inUse.take()) }
    while let app = concerned.popFirst() {
      guard apps[app].leads else { continue }
      updateIsWokenBySavesOnly(of: app)
      evaluate(app, &hasher, listener)
    }
  }

  /// Sets the timer of the first app anew if it is too early; false if it is not.
  @inline(__always)
  mutating func dropEarlyTimer() -> Bool {
    !holds.isEmpty && accelerations.contains(.heldApps) && dropIfEarly()
  }

  /// Lets ``nextDue`` be the time at which something is due.
  package mutating func dropEarlyTimers() {
    while timers.nextDue != .max, dropEarlyTimer() {}
  }

  @inline(never)
  private mutating func dropIfEarly() -> Bool {
    let (timer, app, _) = timers.first
    guard apps[app].activity != .awake else { return false }
    let due = earliestDue(app)
    guard due > timer else { return false }
    noteHeld(app)
    setTimer(app, due: due)
    return true
  }
}
