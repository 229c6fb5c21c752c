import Measurement
import WakeEvents
import WakeScheduling

/// Sums of waits that are over, by app and by what waited. Each thread has its own.
final class WaitTally {
  /// What waits are summed by.
  struct Key {
    let app: App
    let kind: WaitKind
  }

  /// The sums of one key, or of all.
  struct Sums: ~Copyable {
    var saves = 0
    var wakes = 0
    var waitingAtEnd = 0
    /// Waits that ended without a wake, by ``Wait/Ending``; in none of the other sums.
    var dropped: [Wait.Ending: ReplayResult.Waiting.Dropped] = [:]
    /// Nanoseconds of each wait. There may be thousands of apps and types with few waits each.
    var waited = SparseHistogram()
    /// By ``WaitReason/rawValue``.
    var reasons = [ReplayResult.Waiting.Sums].ofNoWait
  }

  /// Sums on the heap.
  private final class Box {
    /// One property, so that Swift checks exclusive access once for each wait.
    var sums = Sums()
  }

  /// By ``App/index``, then by ``WaitKind/place``.
  private var boxes: [[Box?]] = []

  /// Counts a wait that is over.
  func count(_ wait: borrowing Wait) {
    box(of: Key(app: wait.app, kind: wait.item.kind)).sums.count(wait)
  }

  /// Adds another thread's sums.
  func add(_ other: WaitTally) {
    other.forEach { box(of: $0).sums.add($1) }
  }

  /// Calls `body` with all sums.
  func forEach(_ body: (Key, borrowing Sums) -> Void) {
    for (app, items) in boxes.enumerated() {
      for (place, box) in items.enumerated() {
        if let box {
          body(Key(app: App(index: UInt32(app)), kind: WaitKind(place: place)), box.sums)
        }
      }
    }
  }

  private func box(of key: Key) -> Box {
    let (app, place) = (Int(key.app.index), key.kind.place)
    if app < boxes.count, place < boxes[app].count, let box = boxes[app][place] { return box }
    while app >= boxes.count { boxes.append([]) }
    while place >= boxes[app].count { boxes[app].append(nil) }
    let box = Box()
    boxes[app][place] = box
    return box
  }
}

extension WaitTally.Sums {
  /// Counts a wait that is over.
  fileprivate mutating func count(_ wait: borrowing Wait) {
    if wait.wake == nil, let ending = wait.ending {
      dropped[ending, default: .init()].add(.init(wait))
      return
    }
    saves += wait.saves
    if wait.wake == nil { waitingAtEnd += 1 } else { wakes += 1 }
    waited.record(wait.until - wait.since)
    reasons.add(wait)
  }

  mutating func add(_ other: borrowing WaitTally.Sums) {
    saves += other.saves
    wakes += other.wakes
    waitingAtEnd += other.waitingAtEnd
    for (ending, waits) in other.dropped { dropped[ending, default: .init()].add(waits) }
    waited.merge(other.waited)
    reasons.add(other.reasons)
  }
}

extension ReplayResult.Waiting.Dropped {
  /// The sums of one wait.
  init(_ wait: borrowing Wait) {
    self.init(waits: 1, saves: wait.saves, waited: wait.until - wait.since)
  }
}

extension Int64 {
  /// Adds a number that is not negative; the sum stays at the greatest one.
  mutating func addClamped(_ other: Int64) {
    let (sum, overflows) = addingReportingOverflow(other)
    self = overflows ? .max : sum
  }
}
