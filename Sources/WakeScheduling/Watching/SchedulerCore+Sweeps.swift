package import WakeEvents

// What a sweep over policies asks beside wakes: since when something is pending, and what strikes would do.
extension SchedulerCore {
  /// The time of the first save or delete that is pending for an app; `Int64.max` if nothing is.
  ///
  /// - Complexity: O(subscriptions of the app).
  mutating func oldestPending(_ app: Int) -> Int64 {
    guard apps[app].activity != .foreground, apps[app].pendingDue != .max else { return .max }
    var oldest = Int64.max
    for place in apps[app].subscriptions.indices {
      oldest = min(oldest, coalescer.subscriptions[apps[app].subscriptions[place]].oldest)
    }
    return oldest
  }

  /// Calls `body` with each app for which something is pending, and since when.
  ///
  /// - Complexity: O(apps + subscriptions).
  package mutating func forEachPending(_ body: (App, _ oldest: Int64) -> Void) {
    for leader in apps.indices where apps[leader].leads {
      let oldest = oldestPending(leader)
      guard oldest != .max else { continue }
      for app in leader..<leader + apps[leader].cohort { body(apps[app].symbol, oldest) }
    }
  }

  /// Tells that pending saves of an app are gone, after they are.
  @inline(never)
  mutating func tellDrop(_ app: Int, oldest: Int64) {
    guard oldest != .max else { return }
    let (symbol, leavesSome) = (apps[app].symbol, apps[app].pendingDue != .max)
    onDrop?(symbol, oldest, present, leavesSome)
  }

  /// Tells that saves of the last wake of an app, and of those for which it stands, came back.
  @inline(never)
  mutating func tellReturn(_ app: Int) {
    for app in app..<app + apps[app].cohort { onReturn?(apps[app].symbol) }
  }

  /// How long the wakes in flight have been so, at the most; nil if none is. Exact where ends are reported
  /// (``reportsEnds``).
  package mutating func longestOpenFlight() -> Int64? {
    var longest: Int64?
    for app in apps.indices where apps[app].leads && apps[app].activity == .awake {
      longest = max(longest ?? 0, present - apps[app].wake.time)
    }
    return longest
  }
}

extension Policy {
  /// What each of so many strikes in a row does (rule 6.5): the delay in nanoseconds, or nil if the app is stopped.
  package func delays(ofStrikes count: Int) -> [Int64?] {
    let delays = BackoffDelays(self)
    var tracker = BackoffTracker()
    return (0..<count).map { _ in
      tracker.strike(at: 0, delays)
      return tracker.isStopped ? nil : tracker.until
    }
  }
}

extension SchedulerCore {
  /// Calls `body` with each app that has a subscription.
  ///
  /// - Complexity: O(apps).
  package func forEachSubscribed(_ body: (App) -> Void) {
    for leader in apps.indices where apps[leader].leads && !apps[leader].subscriptions.isEmpty {
      for app in leader..<leader + apps[leader].cohort { body(apps[app].symbol) }
    }
  }
}
