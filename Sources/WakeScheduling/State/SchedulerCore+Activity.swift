// What an app does, and what that means for its subscriptions: in the foreground their saves are live deliveries.
extension SchedulerCore {
  /// Sets what an app does. To and from the foreground, saves reach its subscriptions in another way.
  @inline(__always)
  mutating func setActivity(_ activity: AppState.Activity, of app: Int) {
    let old = apps[app].activity
    apps[app].activity = activity
    if (old == .foreground) != (activity == .foreground) { reattachSubscriptions(of: app) }
    if activity == .foreground {
      apps[app].hasLiveDeliveries = false
      timers.set(app: app, due: .max)
    }
  }

  /// Ends the live deliveries and scans for an app that came to the foreground or left it: the rules observe each
  /// subscription, on which nothing is pending, until its next save.
  @inline(never)
  private mutating func reattachSubscriptions(of app: Int) {
    if apps[app].mayHaveScans {
      // By places, as a loop over the array would count a reference to it.
      for place in 0..<apps[app].subscriptions.count { reattach(apps[app].subscriptions[place]) }
      apps[app].mayHaveScans = false
    } else if apps[app].activity != .foreground {
      var next = 0
      while let place = apps[app].places.next(in: .live, from: next) {
        next = place + 1
        reattach(apps[app].subscriptions[place])
      }
    }
    apps[app].places.removeAll(from: .live)
  }

  @inline(__always)
  private mutating func reattach(_ slot: Int) {
    if coalescer.subscriptions[slot].mode == .live {
      coalescer.endLive(slot)
    } else if coalescer.isScanned(slot) {
      coalescer.materialize(slot)
      coalescer.attach(slot)
    }
  }

  /// Counts the saves of a subscription whose app is in the foreground as live deliveries, from the next one on.
  @inline(__always)
  mutating func countLive(_ slot: Int, of app: Int) {
    coalescer.count(slot, as: .live)
    apps[app].places.insert(coalescer.subscriptions[slot].place, in: .live)
  }
}
