// Part of the accelerations `directWakes` and `answersAhead`: apps that only pending saves can wake. Most apps are in that
// state most of the time.
extension SchedulerCore {
  /// Updates ``AppState/isWokenBySavesOnly``. Only inputs other than saves and deletes can change it to false, and the strike
  /// that stops the app.
  @inline(__always)
  mutating func updateIsWokenBySavesOnly(of app: Int) {
    apps[app].isWokenBySavesOnly =
      accelerations.contains(.directWakes) && !apps[app].isForceQuit && !apps[app].holdsPush
      && !apps[app].refresh.isWanted && !apps[app].backoff.isStopped
  }

  /// When pending saves wake the app, if nothing else can and nothing else happens (rule 6.1). Such an app is neither stopped
  /// nor force-quit, so that only the lock can block health data.
  @inline(__always)
  mutating func pendingSavesDue(_ app: Int) -> Int64 {
    if isHealthBlockedByLock() {
      noteHeld(app)
      return .max
    }
    // Not the greatest of four, for which the standard library makes an array.
    return max(
      max(apps[app].pendingDue, apps[app].budgetOpens),
      max(apps[app].backoff.until, apps[app].answeredAt))
  }
}
