package import WakeEvents
package import WakeScheduling
package import WakeTrace

/// Sees every wait and the end of every wake of a replay, beside its result.
package protocol ReplayObserver: AnyObject, Sendable {
  /// What sees those of one device, which one thread at a time uses. Threads ask for devices in any order.
  ///
  /// - Parameter place: The device's place in the order of first appearance.
  func observer(ofDevice name: String, place: Int, _ symbols: Symbols) -> any DeviceObserver
  /// Whether its observers of devices take waits, which the scheduler finds out by looking at each app by itself.
  var seesWaits: Bool { get }
  /// Whether its observers of devices may have a ``DeviceObserver/watcher``, for which the scheduler looks at each save.
  var seesStates: Bool { get }
}

/// Sees the waits and wakes of one device.
package protocol DeviceObserver: AnyObject {
  /// Takes a wait (``WaitPhase``).
  func take(_ phase: WaitPhase, _ wait: borrowing Wait)
  /// Takes a wake that has ended, or is open at the end.
  func end(_ wake: borrowing Wake)
  /// What sees arrivals and states, too.
  var watcher: (any DeviceWatcher)? { get }
  /// Hands over what it has: now and then, and after everything else.
  func handOver(isLast: Bool) throws(TraceError)
}

extension ReplayObserver {
  package var seesWaits: Bool { true }
  package var seesStates: Bool { false }
}

extension DeviceObserver {
  package var watcher: (any DeviceWatcher)? { nil }
}
