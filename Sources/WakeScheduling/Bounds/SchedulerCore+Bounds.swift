import WakeEvents

// Page Rules, 10: how far the wakes are from the best. The rules call this where something arrives, is carried, comes back
// or is owed no more; it changes nothing itself. ``watcher`` is told of the same (`SchedulerCore+States.swift`).
extension SchedulerCore {
  /// Tells a tracker of everything from the first input on, until ``close(_:_:eachApp:)``; then ``foundBounds`` is what it
  /// found.
  ///
  /// Call it before the first input of a scheduler whose accelerations were made by ``Accelerations/forBounds``.
  /// ``restart(like:device:hash:)`` ends it.
  package mutating func observeBounds(_ tracker: BoundsTracker) {
    precondition(accelerations == accelerations.forBounds, "bounds are of each arrival of each app")
    precondition(
      listeners == nil || accelerations.isDisjoint(with: .hidingArrivals),
      "listeners turn arrivalRuns off, so nothing else may hide arrivals from bounds")
    bounds = tracker
    seesArrivals = true
    updateReported()
    noteBlocked()
  }

  /// What the tracker found, after ``close(_:_:eachApp:)``; nil unless ``observeBounds(_:)`` was called.
  /// Mutating, as ``lateInputs``.
  package var foundBounds: [AppBounds]? { mutating get { bounds?.found } }

  /// What the tracker found of gains, after ``close(_:_:eachApp:)``, if it was asked for them.
  package var foundGains: [AppGains] { bounds?.gains ?? [] }

  /// Notes which apps are about to take a save or delete outside the foreground (rules 5.1, 10.2).
  ///
  /// Once for all of them, so that the rules need not ask for each whether anyone wants to know.
  @inline(never)
  mutating func noteArrivals(_ sample: Sample?, ofType type: Int, writtenAt time: Timestamp) {
    guard type < coalescer.rosters.count else { return }
    if let bounds {
      var slots = Coalescer.AllSlots(ofType: type, &coalescer)
      var tracked = bounds.takeApps()
      while let app = nextArrival(&slots, sample, writtenAt: time) {
        tracked[app].arrive(at: present)
      }
      bounds.putBack(tracked)
    }
    guard listeners != nil, let watcher else { return }
    var slots = Coalescer.AllSlots(ofType: type, &coalescer)
    while let app = nextArrival(&slots, sample, writtenAt: time) {
      watcher.arrive(apps[app].symbol, SampleType(index: UInt32(type)), at: present)
    }
  }

  /// The next app that is about to take a save or delete outside the foreground; nil if there is none.
  @inline(__always)
  private mutating func nextArrival(
    _ slots: inout Coalescer.AllSlots, _ sample: Sample?, writtenAt time: Timestamp
  ) -> Int? {
    while let (slot, app) = slots.next(in: &coalescer) {
      if apps[app].activity != .foreground, matches(sample, writtenAt: time, slot) { return app }
    }
    return nil
  }

  /// Notes since when something is owed to an app, before what is pending goes away (rule 10.1).
  @inline(never)
  mutating func noteOwed(_ app: Int) {
    guard bounds?.isOwed(app) == false else { return }
    let oldest = oldestPending(app)
    bounds?.owe(app, since: oldest)
  }

  /// Notes that the wake which begins carries types.
  ///
  /// - Parameter oldest: The time of the first save or delete that it carries; `Int64.max` if it carries none, as a wake of
  ///   another scheduler may.
  @inline(never)
  mutating func noteCarrying(_ app: Int, oldest: Int64) {
    let leavesSome = apps[app].pendingDue != .max
    if bounds?.isOwed(app) == false {
      let owed = leavesSome ? min(oldest, oldestPending(app)) : oldest
      bounds?.owe(app, since: owed)
    }
    bounds?.carry(app, at: present, leavesSome: leavesSome)
  }

  /// Notes that saves of the last wake came back (rule 6.5).
  @inline(never)
  mutating func noteReturn(_ app: Int) {
    bounds?.giveBack(app)
    tellWatcherOfPending(of: app)
    watcher?.note(apps[app].symbol, condition(of: app), at: present)
  }

  /// Notes a launch or that a subscription was disabled (rule 10.2), when what was pending is gone.
  @inline(never)
  mutating func noteEpisodeEnd(_ app: Int) {
    let leavesSome = apps[app].pendingDue != .max
    bounds?.endEpisode(app, at: present, leavesSome: leavesSome)
    tellWatcherOfPending(of: app)
  }

  /// Ends what is told, after the last input.
  @inline(never)
  mutating func endArrivals() {
    if bounds != nil {
      for app in apps.indices { noteOwed(app) }
    }
    bounds?.close(at: present)
    watcher?.end(at: present)
  }

  /// Notes what an input other than a save or delete has changed.
  @inline(never)
  mutating func noteInput() {
    noteBlocked()
    noteStates(at: present)
  }

  /// Notes after an input which apps it forbids to wake (rule 10.3).
  private mutating func noteBlocked() {
    guard let bounds = bounds.take() else { return }
    let isLocked = isHealthBlockedByLock()
    bounds.setLocked(isLocked, at: present)
    for app in apps.indices {
      // An app that the input made known was forbidden to wake for as long as the device is locked.
      if app == bounds.appCount { bounds.append(apps[app].symbol) }
      bounds.setBlocked(isLocked || isHealthBlockedByForceQuit(app), app, at: present)
    }
    self.bounds = bounds
  }
}

extension Accelerations {
  /// Those under which a save may be counted without being seen to arrive, or one app stand for others.
  package static let hidingArrivals: Accelerations = [
    .saveCounting, .predicateScan, .directWakes, .cohorts,
  ]

  /// Those of them that may be on where bounds are observed. Never cohorts, as each app has bounds of its own; without
  /// ``arrivalRuns`` none of ``hidingArrivals``.
  package var forBounds: Accelerations {
    subtracting(contains(.arrivalRuns) ? .cohorts : .hidingArrivals)
  }
}
