public import WakeEvents

/// Where an app stands on a device.
public struct AppStanding: Hashable, Sendable {
  /// The app.
  public let app: App
  /// Saves and deletes pending on its subscriptions, without those in a wake in flight.
  public let pending: Int
  /// Whether health data wakes it no more (SPEC 6.5).
  public let isStopped: Bool
  /// Whether a push waits for a wake.
  public let holdsPush: Bool
}

extension Scheduler {
  /// Tells where each app stands, in app order.
  ///
  /// - Complexity: O(apps + subscriptions).
  public func forEachApp(_ body: (AppStanding) -> Void) {
    for app in apps.indices {
      var pending = 0
      for slot in apps[app].subscriptions { pending += coalescer.pending(slot) }
      body(
        AppStanding(
          app: apps[app].symbol, pending: pending, isStopped: apps[app].backoff.isStopped,
          holdsPush: apps[app].heldPush != nil))
    }
  }
}
