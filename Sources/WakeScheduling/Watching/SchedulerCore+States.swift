import WakeEvents

// Tells a watcher the states of a device and of its apps. The rules call these functions where a save arrives, comes back
// or is no longer pending, and after each other input (`SchedulerCore+Bounds.swift`). The functions change no state.
extension SchedulerCore {
  /// Tells a watcher of everything from the first input on.
  ///
  /// Call it before the first input of a scheduler without the accelerations ``Accelerations/hidingArrivals``. It turns
  /// ``reportsEnds`` on. ``restart(like:device:hash:)`` ends it.
  ///
  /// - Parameter time: The time of the first input, in nanoseconds: since when the state at first is told to hold.
  package mutating func observeStates(by watcher: any DeviceWatcher, from time: Int64) {
    precondition(
      accelerations.isDisjoint(with: .hidingArrivals), "the watcher must see each arrival")
    self.watcher = watcher
    seesArrivals = true
    reportsEnds = true
    noteStates(at: time)
  }

  /// Notes what the device and its apps are in.
  mutating func noteStates(at time: Int64) {
    guard let watcher else { return }
    watcher.note(conditions, at: time)
    for app in apps.indices { watcher.note(apps[app].symbol, condition(of: app), at: time) }
  }

  func condition(of app: Int) -> AppCondition {
    let activity: AppCondition.Activity =
      switch apps[app].activity {
      case .terminated: .terminated
      case .suspended: .suspended
      case .awake: .awake
      case .foreground: .foreground
      }
    return AppCondition(
      activity: activity, isForceQuit: apps[app].isForceQuit,
      isStopped: apps[app].backoff.isStopped)
  }

  /// Notes what is pending for an app, when that has changed by anything but an arrival or a wake.
  ///
  /// - Complexity: O(subscriptions of the app), where they are sorted by name.
  mutating func tellWatcherOfPending(of app: Int) {
    guard let watcher else { return }
    var pending: [PendingSaves] = []
    for slot in slotsByName(of: app) {
      let saves = coalescer.pending(slot)
      guard saves > 0 else { continue }
      pending.append(
        PendingSaves(
          type: coalescer.subscriptions[slot].type, saves: saves,
          oldest: coalescer.subscriptions[slot].oldest))
    }
    watcher.settle(apps[app].symbol, pending, at: present)
  }
}
