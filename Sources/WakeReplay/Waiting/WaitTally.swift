import Measurement
import WakeEvents
import WakeScheduling

/// Sums of waits that are over, by app and by what waited. Each thread has its own.
final class WaitTally {
  /// What waits are summed by: an app, and a sample type, its pushes or its refreshes.
  struct Key {
    enum Item {
      case type(SampleType), push, refresh
    }

    let app: App
    let item: Item
  }

  /// The sums of one key, or of all.
  struct Sums: ~Copyable {
    var saves = 0
    var wakes = 0
    var waitingAtEnd = 0
    /// Nanoseconds of each wait.
    var waited = Histogram(isTouched: false)
    /// By ``WaitReason/rawValue``.
    var reasons = [ReplayResult.Waiting.Sums](
      repeating: .init(), count: WaitReason.allCases.count)
  }

  /// Sums on the heap.
  private final class Box {
    /// One property, so that Swift checks exclusive access once for each wait.
    var sums = Sums()
  }

  /// By ``App/index``, then by ``Key/place``.
  private var boxes: [[Box?]] = []

  /// Counts a wait that is over.
  func count(_ wait: borrowing Wait) {
    let item: Key.Item =
      switch wait.item {
      case .type(let type): .type(type)
      case .push: .push
      case .refresh: .refresh
      }
    box(of: Key(app: wait.app, item: item)).sums.count(wait)
  }

  /// Adds another thread's sums.
  func add(_ other: WaitTally) {
    other.forEach { box(of: $0).sums.add($1) }
  }

  /// Calls `body` with all sums.
  func forEach(_ body: (Key, borrowing Sums) -> Void) {
    for (app, items) in boxes.enumerated() {
      for (place, box) in items.enumerated() {
        if let box { body(Key(app: App(index: UInt32(app)), place: place), box.sums) }
      }
    }
  }

  private func box(of key: Key) -> Box {
    let (app, place) = (Int(key.app.index), key.place)
    if app < boxes.count, place < boxes[app].count, let box = boxes[app][place] { return box }
    while app >= boxes.count { boxes.append([]) }
    while place >= boxes[app].count { boxes[app].append(nil) }
    let box = Box()
    boxes[app][place] = box
    return box
  }
}

extension WaitTally.Key {
  /// Pushes and refreshes, then the types by their index.
  fileprivate var place: Int {
    switch item {
    case .push: 0
    case .refresh: 1
    case .type(let type): 2 + Int(type.index)
    }
  }

  fileprivate init(app: App, place: Int) {
    self.app = app
    item =
      switch place {
      case 0: .push
      case 1: .refresh
      default: .type(SampleType(index: UInt32(place - 2)))
      }
  }
}

extension WaitTally.Sums {
  /// Counts a wait that is over.
  fileprivate mutating func count(_ wait: borrowing Wait) {
    saves += wait.saves
    if wait.wake == nil { waitingAtEnd += 1 } else { wakes += 1 }
    let waited = wait.until - wait.since
    self.waited.record(waited)
    var last: WaitReason?
    for place in wait.stretches.indices {
      let (nanoseconds, why) = (wait.stretches[place].nanoseconds, wait.stretches[place].reasons)
      let isAlone = why.count == 1
      for reason in why {
        reasons[Int(reason.rawValue)].any.addClamped(nanoseconds)
        if isAlone { reasons[Int(reason.rawValue)].alone.addClamped(nanoseconds) }
      }
      last = why.first
    }
    if let last { reasons[Int(last.rawValue)].last.addClamped(waited) }
  }

  mutating func add(_ other: borrowing WaitTally.Sums) {
    saves += other.saves
    wakes += other.wakes
    waitingAtEnd += other.waitingAtEnd
    waited.merge(other.waited)
    for reason in reasons.indices { reasons[reason].add(other.reasons[reason]) }
  }
}

extension Int64 {
  /// Adds a number that is not negative; the sum stays at the greatest one.
  mutating func addClamped(_ other: Int64) {
    let (sum, overflows) = addingReportingOverflow(other)
    self = overflows ? .max : sum
  }
}
