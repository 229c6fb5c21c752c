// What an app does, and what that means for its subscriptions: in the foreground their saves are live deliveries.
extension SchedulerCore {
  /// Sets what an app does. To and from the foreground, saves reach its subscriptions in another way.
  @inline(__always)
  mutating func setActivity(_ activity: AppState.Activity, of app: Int) {
    let old = apps[app].activity
    apps[app].activity = activity
    if (old == .foreground) != (activity == .foreground) {
      // The rules observe each of its subscriptions, on which nothing is pending, until the next save.
      if apps[app].mayHaveScans { endScans(of: app) }
      if old == .foreground { endLiveDeliveries(to: app) }
      apps[app].places.removeAll(from: .live)
    }
    if activity == .foreground {
      apps[app].hasLiveDeliveries = false
      timers.set(app: app, due: .max)
    }
  }

  @inline(never)
  private mutating func endScans(of app: Int) {
    // By places, as a loop over the array would count a reference to it.
    for place in 0..<apps[app].subscriptions.count {
      let slot = apps[app].subscriptions[place]
      if coalescer.isScanned(slot) {
        coalescer.materialize(slot)
        coalescer.attach(slot)
      }
    }
    apps[app].mayHaveScans = false
  }

  @inline(never)
  private mutating func endLiveDeliveries(to app: Int) {
    var live = apps[app].places.all(in: .live)
    while let place = live.next(in: &apps[app].places) {
      let slot = apps[app].subscriptions[place]
      // Else it is observed: its saves are not counted, or it is filtered since.
      if coalescer.subscriptions[slot].mode == .live { coalescer.endLive(slot) }
    }
  }

  /// Counts the saves of a subscription whose app is in the foreground as live deliveries, from the next one on.
  @inline(__always)
  mutating func countLive(_ slot: Int, of app: Int) {
    coalescer.count(slot, as: .live)
    apps[app].places.insert(coalescer.subscriptions[slot].place, in: .live)
  }
}
