import Synchronization

/// An input whose time stands out.
struct OddTime: Sendable {
  /// The device's name.
  var device: String
  /// Its number among the events of the traces, from 0.
  var event: Int
  var time: Int64
  /// The latest time before it on its device.
  var previous: Int64
}

/// The first late input of a replay and the first jump ahead, in the order of events, as lanes find them.
final class OddTimes: Sendable {
  private struct First: Sendable {
    var late: OddTime?
    var jump: OddTime?
  }

  private let first = Mutex(First())
  /// The number of the first late event so far.
  private let lateEvent = Atomic(Int.max)

  /// Whether a late event with a number, or one behind it, may be the first one.
  func mayBeFirst(late event: Int) -> Bool { event < lateEvent.load(ordering: .relaxed) }

  /// Takes one into account: a late event if its time is before the previous one, else a jump ahead.
  func note(_ odd: OddTime) {
    first.withLock { first in
      if odd.time >= odd.previous {
        if odd.event < first.jump?.event ?? .max { first.jump = odd }
      } else if odd.event < first.late?.event ?? .max {
        first.late = odd
        lateEvent.store(odd.event, ordering: .relaxed)
      }
    }
  }

  var firstLate: OddTime? { first.withLock { $0.late } }
  var firstJump: OddTime? { first.withLock { $0.jump } }
}
