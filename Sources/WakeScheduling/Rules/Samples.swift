import WakeEvents

// Page Rules, 5.1: a save or delete.
extension SchedulerCore {
  /// Takes a save or delete.
  ///
  /// - Parameter sample: The save; nil for a delete, and for a type that nobody filters
  ///   (``Coalescer/isFiltered(type:)``).
  mutating func takeSample(
    _ sample: Sample?, ofType type: Int, isDelete: Bool, at time: Timestamp,
    _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    enter(time.nanoseconds, &hasher, listener)
    if isDelete { counts.deletes += 1 } else { counts.saves += 1 }
    deliver(sample, ofType: type, writtenAt: time, &hasher, listener)
  }

  /// Lets each app with a subscription on the type take a save or delete at the present, in app order, and evaluates it
  /// as soon as it took it (rules 4.5, 5.1).
  ///
  /// - Parameters:
  ///   - sample: As for ``takeSample(_:ofType:isDelete:at:_:_:)``.
  ///   - time: The time of the save as written.
  mutating func deliver(
    _ sample: Sample?, ofType type: Int, writtenAt time: Timestamp, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    if type >= coalescer.knownTypes { reserveTypes(type + 1) }
    if notesArrivals { noteArrivals(sample, ofType: type, writtenAt: time) }
    guard coalescer.countSave(ofType: type) else { return }
    if let sample, findsFilters(ofType: type) {
      return deliverFound(sample, ofType: type, writtenAt: time, &hasher, listener)
    }
    var slots = Coalescer.ObservedSlots(ofType: type, &coalescer)
    while let slot = slots.next(in: &coalescer) {
      deliverMatching(sample, writtenAt: time, to: slot, &hasher, listener)
    }
  }

  /// Lets a subscription take a save or delete, if it matches.
  @inline(__always)
  mutating func deliverMatching(
    _ sample: Sample?, writtenAt time: Timestamp, to slot: Int, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    if matches(sample, writtenAt: time, slot), !wakeDirectly(slot, &hasher, listener) {
      deliver(to: slot, &hasher, listener)
    }
    countNext(slot)
  }

  /// Whether a subscription takes a save; a delete always matches.
  mutating func matches(_ sample: Sample?, writtenAt time: Timestamp, _ slot: Int) -> Bool {
    guard coalescer.subscriptions[slot].isFiltered, let sample else { return true }
    return coalescer.filters[slot].matches(
      sample, writtenAt: time, inTrees: accelerations.contains(.predicateTrees))
  }

  /// Lets a subscription take a save or delete that matches, and evaluates its app.
  private mutating func deliver(
    to slot: Int, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    let app = coalescer.subscriptions[slot].app
    if apps[app].activity == .foreground {
      counts.liveDeliveries += 1
      countLive(slot, of: app)
      return
    }
    // A further pending save changes nothing on which rule 6.1 depends, so the app need not be evaluated.
    guard coalescer.addPending(slot, at: present) else { return }
    let due = apps[app].pendingDue
    notePending(slot, of: app)
    // Nor does it, if another type is due no later.
    if apps[app].pendingDue < due { evaluateQuickly(app, &hasher, listener) }
  }
}
