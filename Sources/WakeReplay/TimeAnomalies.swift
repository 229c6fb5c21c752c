import Synchronization

/// An input that is late, or that jumps far ahead in time.
struct TimeAnomaly: Sendable {
  /// The device's name.
  var device: String
  /// The event's number in the traces, from 0.
  var event: Int
  var time: Int64
  /// The latest time before it on its device.
  var previous: Int64

  /// A time further ahead than this is a jump: 365 days in nanoseconds.
  static let jump: Int64 = 365 * 86_400_000_000_000
}

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
        if anomaly.event < first.jump?.event ?? .max { first.jump = anomaly }
      } else if anomaly.event < first.late?.event ?? .max {
        first.late = anomaly
        lateEvent.store(anomaly.event, ordering: .relaxed)
      }
    }
  }

  var firstLate: TimeAnomaly? { first.withLock { $0.late } }
  var firstJump: TimeAnomaly? { first.withLock { $0.jump } }
}
