import WakeEvents
import WakeScheduling

extension Summary {
  /// No count that a scheduler tells is higher: each input for each app; at most 2^60.
  func mostTold(apps: Int) -> Int {
    let (most, isTooMuch) = inputs.multipliedReportingOverflow(by: max(1, apps))
    return isTooMuch ? 1 << 60 : min(most, 1 << 60)
  }
}

/// What Rouse knows of an app on the device: from its inputs, and from what the scheduler tells.
struct HostedApp {
  /// Whether the app takes part in a wake's start and end as the rules have it (rules, 1).
  enum Activity { case terminated, suspended, foreground }

  /// Its number on the device; -1 until it has appeared in an input.
  var place = -1
  /// The hash of its name.
  var nameHash: UInt64 = 0
  /// Beside ``awakeUntil``.
  var activity = Activity.terminated
  /// Until when its last wake is in flight: until the answer, if that was told as it began, else `.max`. `.min` if it has
  /// ended or there was none.
  var awakeUntil = Int64.min
  /// The last wake, as it is hashed.
  var wake = HashedWake()
  /// Wakes begun, and ended by outcome.
  var wakes = 0
  var completed = 0
  var expired = 0
  var aborted = 0
  /// Saves and deletes that its wakes carried.
  var carried = 0
  /// What the scheduler has told after the last input.
  var pending = 0
  var isStopped = false
  var holdsPush = false

  /// - Parameter isAwake: Whether a wake is open.
  func standing(_ app: App, isAwake: Bool) -> AppStanding {
    AppStanding(
      app: app, completed: completed, expired: expired, aborted: aborted, isAwake: isAwake,
      carried: carried, pending: pending, isStopped: isStopped, holdsPush: holdsPush)
  }
}
