import WakeEvents
import WakeTrace

/// What one thread has counted under one of several policies.
///
/// Unchecked: a thread's own is used by that thread alone, and ``ReplayRun/otherTallies`` under a lock or when the threads
/// have ended.
final class PolicyTally: @unchecked Sendable {
  var tally = ReplayTally()

  /// Adds that of a thread which has ended.
  func add(_ other: PolicyTally) {
    other.tally.finishDigest()
    tally.add(other.tally)
  }

  /// The tally with its digest; this one is empty then.
  func take() -> ReplayTally {
    tally.finishDigest()
    var taken = ReplayTally()
    swap(&taken, &tally)
    return taken
  }
}

// The replays of a device under all policies.
extension DeviceReplay {
  /// ``schedule(_:rows:device:numbers:orderliness:tally:sampler:)`` under all policies.
  func scheduleAll(
    _ columns: borrowing InputColumns, rows: Range<Int>, device: Device, numbers: EventNumbers,
    orderliness: Orderliness? = nil, tally: inout ReplayTally, others: [PolicyTally],
    sampler: inout LatencySampler?
  ) throws(TraceError) {
    try schedule(
      columns, rows: rows, device: device, numbers: numbers, orderliness: orderliness,
      tally: &tally, sampler: &sampler)
    // Asked first: to look at an object's property takes longer than this.
    guard !others.isEmpty else { return }
    for place in companions.indices {
      var none: LatencySampler?
      try companions[place].schedule(
        columns, rows: rows, device: device, numbers: numbers, orderliness: orderliness,
        tally: &others[place].tally, sampler: &none)
    }
  }

  /// ``finish(tally:)`` under all policies.
  func finishAll(tally: inout ReplayTally, others: [PolicyTally]) throws(TraceError) {
    try finish(tally: &tally)
    guard !others.isEmpty else { return }
    for place in companions.indices { try companions[place].finish(tally: &others[place].tally) }
  }
}
