// Apps that only pending saves can wake: most are, most of the time, and accelerations ask for that.
extension SchedulerCore {
  /// Notes whether only pending saves can wake an app, and no budget limits that. What may change it to false is an input
  /// other than a save or delete.
  mutating func noteReasons(of app: Int) {
    apps[app].isWokenBySavesOnly =
      policy.budget == nil && !apps[app].isForceQuit && apps[app].heldPush == nil
      && !apps[app].refresh.isWanted
  }

  /// When pending saves wake the app, if nothing else can and nothing else happens (rule 6.1).
  @inline(__always)
  mutating func pendingSavesDue(_ app: Int) -> Int64 {
    isHealthBlocked(app)
      ? .max : max(apps[app].pendingDue, apps[app].backoff.until, apps[app].answeredAt)
  }
}
