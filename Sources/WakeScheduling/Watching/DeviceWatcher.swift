package import WakeEvents

/// Is told what the wakes and waits of a device do not show: which saves arrive, and the states of the device and its apps.
package protocol DeviceWatcher: AnyObject {
  /// A subscription of an app took a save or delete outside the foreground (rule 5.1).
  func arrive(_ app: App, _ type: SampleType, at time: Int64)
  /// The pending saves of an app have changed, though none arrived and no wake carries them: they came back (rule 6.5),
  /// were delivered live, or their subscription was removed.
  ///
  /// - Parameter pending: All that is pending now, by type.
  func settle(_ app: App, _ pending: [PendingSaves], at time: Int64)
  /// The state of the device after an input other than a save or delete.
  func note(_ conditions: DeviceConditions, at time: Int64)
  /// The state of an app after such an input, or after a strike. That a wake runs an app is not told.
  func note(_ app: App, _ condition: AppCondition, at time: Int64)
  /// Nothing happens on the device any more (rule 4.3).
  func end(at time: Int64)
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
