package import WakeEvents

/// What is known of a run of saves and deletes without looking at them: they are in the order of time.
package struct SampleCounts {
  /// The times of the first and of the last.
  package var times: ClosedRange<Int64>
  /// How many they are.
  package var events: Int
  /// Deletes among them.
  package var deletes: Int
  /// How many there are of each type. A type that the device's symbols do not have, on which therefore
  /// nobody subscribes, may be left out.
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

extension Scheduler {
  /// Takes a run of saves and deletes by their counts, if none of them can do more than add to counts.
  ///
  /// That is so if none is late, nothing is due up to the last one's time (an answer that is counted ahead is
  /// not, as it leads to nothing), and no subscription on their types is attentive: each has something pending,
  /// unfiltered, or its app is in the foreground. Then all that follows is what feeding them would have led to,
  /// as a subscription keeps the time of its first pending save alone.
  ///
  /// - Returns: Whether they were taken; if not, nothing has changed, and they must be fed.
  /// - Complexity: O(types of the run).
  package mutating func takeQuietly(_ samples: borrowing SampleCounts) -> Bool {
    guard samples.times.lowerBound >= present, samples.times.upperBound < timers.nextDue else {
      return false
    }
    for (type, _) in samples.types where coalescer.knows(type) {
      guard coalescer.tallies[Int(type.index)].attention.isNone else { return false }
    }
    // What nobody knows of yet needs no tally: only what comes after a subscription counts for it.
    for (type, events) in samples.types where coalescer.knows(type) {
      coalescer.tallies[Int(type.index)].first += events
    }
    present = samples.times.upperBound
    counts.inputs += samples.events
    counts.saves += samples.events - samples.deletes
    counts.deletes += samples.deletes
    return true
  }
}

extension Coalescer {
  /// Whether a type has a tally.
  fileprivate func knows(_ type: SampleType) -> Bool { Int(type.index) < tallies.count }
}
