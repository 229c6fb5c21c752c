package import WakeEvents

/// Sees of a device what its wakes and waits do not tell: what arrives, and in which state the device and its apps are.
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
