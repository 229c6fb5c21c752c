package import WakeEvents

/// Sees of a device what its wakes and waits do not tell: what arrives, and in which state the device and its apps are.
///
/// A ``BoundsTracker`` passes on to it what the scheduler tells. The rules do not ask for more.
package protocol DeviceWatcher: AnyObject {
  /// A subscription of an app took a save or delete outside the foreground (rule 5.1).
  func arrive(_ app: App, _ type: SampleType, at time: Int64)
  /// What is pending on an app has changed, but by no arrival and no wake that carries it: it came back (rule 6.5), was
  /// delivered live, or its subscription is gone.
  ///
  /// - Parameter pending: All that is pending now, by type.
  func settle(_ app: App, _ pending: [PendingSaves], at time: Int64)
  /// The state of the device after an input other than a save or delete.
  func note(_ conditions: DeviceConditions, at time: Int64)
  /// The state of an app after such an input, or after a strike.
  func note(_ app: App, _ condition: AppCondition, at time: Int64)
}

/// What is pending on a subscription: at least one save or delete.
package struct PendingSaves: Hashable, Sendable {
  package var type: SampleType
  package var saves: Int
  /// The time of the first of them.
  package var oldest: Int64
}

/// The state of a device that its inputs set.
package struct DeviceConditions: Hashable, Sendable {
  package var isLocked: Bool
  package var isPowerGood: Bool
  package var isNetworkGood: Bool
}

/// What an app is doing, and what keeps it from wakes.
package struct AppCondition: Hashable, Sendable {
  /// The activities of rules, 1; an app with a wake in flight is awake.
  package enum Activity: UInt8, Sendable {
    case terminated, suspended, awake, foreground
  }

  package var activity: Activity
  package var isForceQuit: Bool
  package var isStopped: Bool
}

extension SchedulerCore {
  /// Tells a watcher of the device and all apps.
  func tellConditions(to watcher: any DeviceWatcher) {
    watcher.note(
      DeviceConditions(
        isLocked: isLocked, isPowerGood: isPowerGood, isNetworkGood: isNetworkGood), at: present)
    for app in apps.indices {
      watcher.note(apps[app].symbol, condition(of: app), at: present)
    }
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

  /// Tells a watcher that what is pending on an app has changed.
  ///
  /// - Complexity: O(subscriptions of the app).
  func tellPending(of app: Int, to watcher: any DeviceWatcher) {
    var pending: [PendingSaves] = []
    for place in apps[app].subscriptions.indices {
      let slot = apps[app].subscriptions[place]
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
