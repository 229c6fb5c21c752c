public import WakeEvents

/// What the scheduler counted for one app of a device, and the app's state.
public struct AppStanding: Hashable, Sendable {
  /// The app.
  public internal(set) var app: App
  /// Its wakes that were answered, or ended by the user opening it.
  public let completed: Int
  /// Its wakes whose deadline passed.
  public let expired: Int
  /// Its wakes cut off by its end or a reboot.
  public let aborted: Int
  /// Whether a wake of it is in flight.
  public let isAwake: Bool
  /// Saves and deletes that its wakes carried, with those in a wake in flight.
  public let carried: Int
  /// Saves and deletes pending on its subscriptions, without those in a wake in flight.
  public let pending: Int
  /// Whether health data wakes it no more (rule 6.5).
  public let isStopped: Bool
  /// Whether a push waits for a wake.
  public let holdsPush: Bool

  package init(
    app: App, completed: Int, expired: Int, aborted: Int, isAwake: Bool, carried: Int, pending: Int,
    isStopped: Bool, holdsPush: Bool
  ) {
    self.app = app
    self.completed = completed
    self.expired = expired
    self.aborted = aborted
    self.isAwake = isAwake
    self.carried = carried
    self.pending = pending
    self.isStopped = isStopped
    self.holdsPush = holdsPush
  }
}

extension SchedulerCore {
  /// Calls `body` for each app, in app order.
  ///
  /// - Complexity: O(apps + subscriptions).
  package func forEachApp(_ body: (AppStanding) -> Void) {
    for leader in apps.indices where apps[leader].leads {
      forEachApp(ledBy: leader, standing(of: leader), body)
    }
  }

  /// Calls `body` with the standing of each app of a cohort.
  @inline(__always)
  func forEachApp(ledBy leader: Int, _ standing: AppStanding, _ body: (AppStanding) -> Void) {
    var standing = standing
    for app in leader..<leader + apps[leader].cohort {
      standing.app = apps[app].symbol
      body(standing)
    }
  }

  /// The standing of each app of the cohort that an app leads.
  ///
  /// - Complexity: O(its subscriptions).
  @inline(__always)
  func standing(of app: Int) -> AppStanding {
    var pending = 0
    for index in apps[app].subscriptions.indices {
      pending += coalescer.pending(apps[app].subscriptions[index])
    }
    let isAwake = apps[app].activity == .awake
    let isAnsweredAhead = isAnsweredAhead(app)
    return AppStanding(
      app: apps[app].symbol, completed: apps[app].completed - (isAnsweredAhead ? 1 : 0),
      expired: apps[app].expired, aborted: apps[app].aborted, isAwake: isAwake || isAnsweredAhead,
      carried: apps[app].savesCarried + (isAwake ? apps[app].wake.saves : 0), pending: pending,
      isStopped: apps[app].backoff.isStopped, holdsPush: apps[app].holdsPush)
  }
}
