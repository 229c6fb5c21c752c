import WakeEvents

// What a device and its apps are in, as time passes, for a timeline. The rules call this where something arrives, is
// carried, comes back or is pending no more, and after each other input; it changes nothing itself.
extension SchedulerCore {
  /// Calls `listener` with each change of the state and its time, from the first input on.
  ///
  /// Call it before the first input of a scheduler without the accelerations ``Accelerations/hidingArrivals``. It turns
  /// ``reportsEnds`` on. ``restart(like:device:hash:)`` ends it.
  ///
  /// - Parameter time: The time of the first input, in nanoseconds: since when the state at first is told to hold.
  package mutating func observeStates(
    from time: Int64, _ listener: @escaping (StateChange, _ time: Int64) -> Void
  ) {
    precondition(
      accelerations.isDisjoint(with: .hidingArrivals), "the tracker must see each arrival")
    states = StateTracker(listener)
    seesArrivals = true
    reportsEnds = true
    noteStates(at: time)
  }

  /// Notes what the device and its apps are in, after an input.
  @inline(never)
  mutating func noteStates(at time: Int64) {
    guard let states else { return }
    states.set(.locked, isLocked, at: time)
    states.set(.poorPower, !isPowerGood, at: time)
    states.set(.poorNetwork, !isNetworkGood, at: time)
    for app in apps.indices { noteCondition(of: app, at: time) }
  }

  /// Notes what an app does.
  mutating func noteCondition(of app: Int, at time: Int64) {
    guard let states else { return }
    let condition: AppPhase =
      switch apps[app].activity {
      case .foreground: .foreground
      case _ where apps[app].isForceQuit: .forceQuit
      case .terminated: .terminated
      case .suspended, .awake: .background
      }
    states.set(condition, app, symbol: apps[app].symbol, at: time)
  }

  /// Notes what is pending for an app, when that has changed by anything but an arrival.
  ///
  /// - Complexity: O(subscriptions of the app).
  mutating func notePendingSaves(of app: Int) {
    guard let states else { return }
    states.setPending(pendingSaves(of: app), app, at: present)
  }

  /// Saves and deletes pending on an app's subscriptions.
  ///
  /// - Complexity: O(subscriptions of the app).
  func pendingSaves(of app: Int) -> Int {
    var pending = 0
    for place in apps[app].subscriptions.indices {
      pending += coalescer.pending(apps[app].subscriptions[place])
    }
    return pending
  }
}
