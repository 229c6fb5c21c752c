// What an app knows of the pending saves of its subscriptions: their places in two sets, those that were past their period
// when last looked at and the others (``PlaceSets``). So a wake never looks at subscriptions without pending saves, and at
// the others only sixteen at a time, where one of them is due.
extension SchedulerCore {
  /// Notes that there are pending saves on a subscription of an app which had none.
  @inline(__always)
  mutating func notePending(_ slot: Int, of app: Int) {
    apps[app].addPending(
      coalescer.subscriptions[slot].place, due: coalescer.subscriptions[slot].periodEnd,
      at: present)
  }

  /// Makes all subscriptions with pending saves ripe, whatever their periods.
  ///
  /// - Complexity: O(1) for an app with at most 128 subscriptions, else O(subscriptions).
  mutating func ripenAll(_ app: Int) {
    apps[app].places.ripenFirst()
    if apps[app].subscriptions.count > 128 { ripenOthers(app, dueBy: Timers.never) }
    apps[app].unripeDue = .max
  }

  /// Makes those subscriptions ripe whose pending saves are past their period by a time.
  ///
  /// - Complexity: O(unripe subscriptions of each group of sixteen of which one is due).
  mutating func ripen(_ app: Int, dueBy time: Int64) {
    let count = apps[app].subscriptions.count
    // Most apps have one group.
    if count <= 16 {
      apps[app].unripeDue = ripen(app, groupWith: 0, dueBy: time)
      return
    }
    var groups = apps[app].places.groups(dueBy: time)
    while groups != 0 {
      _ = ripen(app, groupWith: groups.trailingZeroBitCount &<< 4, dueBy: time)
      groups &= groups &- 1
    }
    if count > 128 { ripenOthers(app, dueBy: time) }
    apps[app].unripeDue = apps[app].places.unripeDue
  }

  /// ``ripen(_:dueBy:)`` for the places from 128 on.
  private mutating func ripenOthers(_ app: Int, dueBy time: Int64) {
    var next = 128
    while let group = apps[app].places.nextOtherGroup(from: next, dueBy: time) {
      next = group + 16
      _ = ripen(app, groupWith: group, dueBy: time)
    }
  }

  /// Makes those of a group ripe; returns the earliest due time of the others.
  @inline(__always)
  private mutating func ripen(_ app: Int, groupWith first: Int, dueBy time: Int64) -> Int64 {
    var unripe = apps[app].places.unripe(ofGroupWith: first)
    var ripe: UInt64 = 0
    var left = Int64.max
    while unripe != 0 {
      let bit = unripe & (0 &- unripe)
      let place = first &+ unripe.trailingZeroBitCount
      unripe ^= bit
      let due = coalescer.subscriptions[apps[app].subscriptions[place]].periodEnd
      if due <= time { ripe |= bit } else { left = min(left, due) }
    }
    apps[app].places.ripen(ripe, ofGroupWith: first)
    apps[app].places.setDue(ofGroupWith: first, to: left)
    return left
  }

  /// Forgets the pending saves of the subscription at a place, which are gone or due at another time.
  mutating func forgetPending(_ place: Int, of app: Int) {
    guard apps[app].places.contains(place, in: .unripe) else {
      apps[app].places.remove(place, from: .ripe)
      return updatePendingDue(app)
    }
    apps[app].places.remove(place, from: .unripe)
    var unripe = apps[app].places.unripe(ofGroupWith: place)
    var left = Int64.max
    while unripe != 0 {
      let other = place & ~15 + unripe.trailingZeroBitCount
      unripe &= unripe &- 1
      left = min(left, coalescer.subscriptions[apps[app].subscriptions[other]].pendingDue)
    }
    apps[app].places.setDue(ofGroupWith: place, to: left)
    apps[app].unripeDue = apps[app].places.unripeDue
    updatePendingDue(app)
  }

  private mutating func updatePendingDue(_ app: Int) {
    // Otherwise it is a time that is not after the present.
    if apps[app].places.next(in: .ripe, from: 0) == nil {
      apps[app].pendingDue = apps[app].unripeDue
    }
  }
}
