import WakeEvents
import WakeScheduling
import WakeTrace

// Where a device has too many different gains to keep each of them, it is replayed again, with nothing else observed,
// until the gains at which its bounds turn are known (``GainSearch``).
extension ReplayRun {
  /// Replays devices again until all their bounds are found.
  func findBounds(tally: inout ReplayTally) throws(TraceError) {
    var open = tally.bounds.takeOpen()
    while !open.isEmpty {
      let again = ReplayRun(
        index: index, shared: ReplayShared(narrowing: open, of: shared), progress: nil)
      var pass = ReplayTally()
      try again.replayAll(tally: &pass)
      open = pass.bounds.takeOpen()
      tally.bounds.add(pass.bounds)
      tally.decodeTime += pass.decodeTime
      tally.scheduleTime += pass.scheduleTime
    }
  }
}

extension ReplayShared {
  /// Makes a tracker for a device; nil if nothing is asked for.
  ///
  /// - Parameter place: The device's index in the trace index.
  func makeBoundsTracker(ofDevice place: Int) -> BoundsTracker? {
    guard let bounds = options.bounds else { return nil }
    if let narrowing {
      return BoundsTracker(narrowing: narrowing[place] ?? [], mostSizes: bounds.mostSizes)
    }
    return BoundsTracker(
      deadlines: bounds.deadlines.map { Int64($0) * 1_000_000_000 }, keepsCurve: bounds.keepsCurve,
      mostSizes: bounds.mostSizes)
  }
}
