import WakeEvents

/// Tells a listener of each change of a device's state, by what the scheduler notes of it.
final class StateTracker {
  private struct App {
    let symbol: WakeEvents.App
    var condition: AppPhase
    var pending = 0
  }

  private let listener: (StateChange, Int64) -> Void
  /// By app number.
  private var apps: [App] = []
  private var holding: Set<DeviceCondition> = []

  init(_ listener: @escaping (StateChange, Int64) -> Void) {
    self.listener = listener
  }

  func set(_ condition: DeviceCondition, _ holds: Bool, at time: Int64) {
    guard holds != holding.contains(condition) else { return }
    if holds { holding.insert(condition) } else { holding.remove(condition) }
    listener(.device(condition, holds), time)
  }

  /// Notes what an app does; makes the next app number known.
  func set(_ condition: AppPhase, _ app: Int, symbol: WakeEvents.App, at time: Int64) {
    if app == apps.count {
      apps.append(App(symbol: symbol, condition: condition))
    } else {
      guard apps[app].condition != condition else { return }
      apps[app].condition = condition
    }
    listener(.app(symbol, condition), time)
  }

  /// A subscription took a save or delete outside the foreground.
  func arrive(_ app: Int, at time: Int64) { setPending(apps[app].pending + 1, app, at: time) }

  /// Notes what is pending after anything but an arrival.
  func setPending(_ count: Int, _ app: Int, at time: Int64) {
    // An app that this very input makes known has nothing pending.
    guard app < apps.count, apps[app].pending != count else { return }
    apps[app].pending = count
    listener(.pending(apps[app].symbol, count), time)
  }

  func end(at time: Int64) { listener(.end, time) }
}
