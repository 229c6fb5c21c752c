package import WakeEvents

// Acceleration `quietRuns`.
//
// Rules: 4.2 and 5.1, for a run of saves and deletes of which only times and counts are known, from a block's header.
// Plain: each of them is taken.
// Here: the counts are added, and the rows are never decoded.
// Condition: the run is in time order and none is late, no timer is due up to its last time (a completion counted ahead
// is none, as it leads to nothing), and nobody observes its types; where somebody wants to know of arrivals, nobody
// subscribes to them.
// Tests: SkippingTests, CountedWakesTests.
// Gain: 2.3 times and more on wearable with --skip-quiet (page Performance).

/// What is known of a run of saves and deletes in time order without decoding it.
package struct SampleCounts {
  /// The times of the first and of the last.
  package var times: ClosedRange<Int64>
  package var events: Int
  /// Deletes among them.
  package var deletes: Int
  /// How many there are of each type. A type without a symbol, which therefore nobody subscribes to, may be left out.
  package var types: [(type: SampleType, events: Int)]

  package init(
    times: ClosedRange<Int64>, events: Int, deletes: Int, types: [(type: SampleType, events: Int)]
  ) {
    self.times = times
    self.events = events
    self.deletes = deletes
    self.types = types
  }
}

extension SchedulerCore {
  /// Takes a run by its counts, if that gives the same.
  ///
  /// - Returns: Whether it was taken; if not, no input was counted, and no result differs.
  /// - Complexity: O(types of the run, and subscriptions on them that are observed), and the timers that are too early.
  package mutating func takeQuietly(_ samples: borrowing SampleCounts) -> Bool {
    dropEarlyTimers()
    guard accelerations.contains(.quietRuns), samples.times.lowerBound >= present,
      samples.times.upperBound < timers.nextDue
    else { return false }
    for (type, _) in samples.types where isCounted(type) {
      guard isOnlyCounted(Int(type.index)) else { return false }
    }
    // A type without a count has no subscription, and only saves after a subscription count for it.
    for (type, events) in samples.types where isCounted(type) {
      coalescer.count(events, ofType: Int(type.index))
    }
    present = samples.times.upperBound
    counts.inputs += samples.events
    counts.saves += samples.events - samples.deletes
    counts.deletes += samples.deletes
    return true
  }

  /// Whether nobody observes a type. A subscription of an app in the foreground need not: it is live from now on, as after its
  /// first live delivery.
  private mutating func isOnlyCounted(_ type: Int) -> Bool {
    if seesArrivals, type < coalescer.rosters.count, coalescer.rosters[type].count > 0 {
      return false
    }
    if coalescer.typeCounts[type].attention.isNone { return true }
    var slots = Coalescer.ObservedSlots(ofType: type, &coalescer)
    while let slot = slots.next(in: &coalescer) {
      let app = coalescer.subscriptions[slot].app
      guard apps[app].activity == .foreground else { return false }
      countLive(slot, of: app)
    }
    return coalescer.typeCounts[type].attention.isNone
  }

  private func isCounted(_ type: SampleType) -> Bool {
    Int(type.index) < coalescer.knownTypes
  }
}
