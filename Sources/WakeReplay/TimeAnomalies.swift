import Synchronization
import WakeEvents

/// The first late input and the first jump ahead of a replay, by event number. All threads report to it.
final class TimeAnomalies: Sendable {
  private struct First: Sendable {
    var late: TimeAnomaly?
    var jump: TimeAnomaly?
  }

  private let first = Mutex(First())
  /// The number of the first late event so far.
  private let lateEvent = Atomic(Int.max)

  /// Whether a late event at or after a number may be the first one.
  func mayBeFirst(late event: Int) -> Bool { event < lateEvent.load(ordering: .relaxed) }

  /// Reports an input: a late one if its time is before the previous one, else a jump ahead.
  func note(_ anomaly: TimeAnomaly) {
    first.withLock { first in
      if anomaly.time >= anomaly.previous {
        if anomaly.number < first.jump?.number ?? .max { first.jump = anomaly }
      } else if anomaly.number < first.late?.number ?? .max {
        first.late = anomaly
        lateEvent.store(anomaly.number, ordering: .relaxed)
      }
    }
  }

  var firstLate: TimeAnomaly? { first.withLock { $0.late } }
  var firstJump: TimeAnomaly? { first.withLock { $0.jump } }
}
