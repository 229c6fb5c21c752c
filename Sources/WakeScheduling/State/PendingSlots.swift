/// Goes once through the subscriptions of an app that have pending saves and are past their period by a time.
///
/// An app keeps the places of its subscriptions with pending saves in two sets: those that were past their period when
/// last looked at (``PlaceSets/Name/ripe``), and the others, none of which is past it before ``AppState/unripeDue``. So
/// a wake looks at the second set only if one of them is due, and never at subscriptions without pending saves.
struct PendingSlots {
  fileprivate let time: Int64
  /// The second set, if it is looked at.
  fileprivate let unripe: PlaceSets.Name?
  fileprivate var place = 0
  /// The earliest time at which one that stays is past its period.
  fileprivate var nextDue: Int64

  @inline(__always)
  init(of app: borrowing AppState, dueBy time: Int64) {
    self.time = time
    unripe = app.unripeDue <= time ? .unripe : nil
    nextDue = unripe == nil ? app.unripeDue : .max
  }
}

extension SchedulerCore {
  /// The next subscription that is due, whose pending saves the caller takes; nil at the end.
  @inline(__always)
  mutating func nextDue(_ slots: inout PendingSlots, of app: Int) -> Int? {
    while let place = apps[app].places.next(in: .ripe, or: slots.unripe, from: slots.place) {
      slots.place = place + 1
      let slot = apps[app].subscriptions[place]
      let due = coalescer.subscriptions[slot].pendingDue
      if due <= slots.time {
        apps[app].places.remove(place, from: .unripe)
        return slot
      }
      slots.nextDue = min(slots.nextDue, due)
    }
    apps[app].places.removeAll(from: .ripe)
    apps[app].unripeDue = slots.nextDue
    apps[app].pendingDue = slots.nextDue
    return nil
  }
}
