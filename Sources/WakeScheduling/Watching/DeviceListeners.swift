package import WakeEvents

/// Those who are told of a device what few want to know, in memory of its own, as a fleet has many devices.
final class DeviceListeners {
  fileprivate var onDrop:
    ((_ app: App, _ oldest: Int64, _ time: Int64, _ leavesSome: Bool) -> Void)?
  fileprivate var onReturn: ((App) -> Void)?
  fileprivate var watcher: (any DeviceWatcher)?
}

extension SchedulerCore {
  /// Is told of pending saves that no wake will carry, with the time of the first of them, and whether the app has others
  /// pending: at a launch or when their subscription is disabled. ``restart(like:device:hash:)`` ends it.
  package var onDrop: ((_ app: App, _ oldest: Int64, _ time: Int64, _ leavesSome: Bool) -> Void)?
  {
    get { listeners?.onDrop }
    set { makeListeners().onDrop = newValue }
  }

  /// Is told of apps whose last wake gives saves back (rule 6.5). ``restart(like:device:hash:)`` ends it.
  package var onReturn: ((App) -> Void)? {
    get { listeners?.onReturn }
    set { makeListeners().onReturn = newValue }
  }

  /// Is told the states of the device and of its apps; nil unless ``observeStates(by:from:)`` was called.
  var watcher: (any DeviceWatcher)? {
    get { listeners?.watcher }
    set { makeListeners().watcher = newValue }
  }

  private mutating func makeListeners() -> DeviceListeners {
    precondition(
      bounds == nil || accelerations.isDisjoint(with: .hidingArrivals),
      "listeners turn arrivalRuns off, so nothing else may hide arrivals from bounds")
    let listeners = listeners ?? DeviceListeners()
    self.listeners = listeners
    return listeners
  }
}
