package import WakeEvents

/// What has changed on a device, or for one of its apps.
package enum StateChange: Sendable {
  /// What keeps wakes from a device has begun to hold, or holds no more.
  case device(DeviceCondition, Bool)
  /// What an app is doing.
  case app(App, AppPhase)
  /// How many saves and deletes are pending on an app's subscriptions, without those in a wake in flight.
  case pending(App, Int)
  /// Nothing happens on the device any more (rule 4.3).
  case end
}

/// What keeps wakes from a device; none of it holds at first.
package enum DeviceCondition: CaseIterable, Sendable {
  case locked
  case poorPower
  case poorNetwork
}

/// What an app is doing (rules, 1). Its wakes are told apart from this.
package enum AppPhase: Sendable {
  /// The user ended it, and has not opened it since.
  case forceQuit
  /// Not running.
  case terminated
  /// In memory: suspended, or awake.
  case background
  /// On the screen.
  case foreground
}
