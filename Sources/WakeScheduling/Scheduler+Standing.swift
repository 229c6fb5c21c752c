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
    for app in apps {
      let pending = app.subscriptions.reduce(0) { $0 + coalescer.pending($1) }
      body(
        AppStanding(
          app: app.symbol, pending: pending, isStopped: app.backoff.isStopped,
          holdsPush: app.heldPush != nil))
    }
  }
}
