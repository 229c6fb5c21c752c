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
  final class Sums {
    var saves = 0
    var wakes = 0
    var waitingAtEnd = 0
    /// Nanoseconds of each wait.
    var waited = Histogram(isTouched: false)
    /// By ``WaitReason/rawValue``.
    var reasons = [ReplayResult.Waiting.Sums](
      repeating: .init(), count: WaitReason.allCases.count)
  }

  /// By ``App/index``, then by ``Key/place``.
  private var sums: [[Sums?]] = []

  /// Counts a wait that is over.
  func count(_ wait: borrowing Wait) {
    let item: Key.Item =
      switch wait.item {
      case .type(let type): .type(type)
      case .push: .push
      case .refresh: .refresh
      }
    let sums = sums(of: Key(app: wait.app, item: item))
    sums.saves += wait.saves
    if wait.wake == nil { sums.waitingAtEnd += 1 } else { sums.wakes += 1 }
    let waited = wait.until - wait.since
    sums.waited.record(waited)
    for stretch in wait.stretches {
      let isAlone = stretch.reasons.count == 1
      for reason in stretch.reasons {
        sums.reasons[Int(reason.rawValue)].any.addClamped(stretch.nanoseconds)
        if isAlone { sums.reasons[Int(reason.rawValue)].alone.addClamped(stretch.nanoseconds) }
      }
    }
    if let last = wait.stretches.last?.reasons.first {
      sums.reasons[Int(last.rawValue)].last.addClamped(waited)
    }
  }

  /// Adds another thread's sums.
  func add(_ other: WaitTally) {
    other.forEach { sums(of: $0).add($1) }
  }

  /// Calls `body` with all sums.
  func forEach(_ body: (Key, Sums) -> Void) {
    for (app, items) in sums.enumerated() {
      for (place, sums) in items.enumerated() {
        if let sums { body(Key(app: App(index: UInt32(app)), place: place), sums) }
      }
    }
  }

  private func sums(of key: Key) -> Sums {
    let (app, place) = (Int(key.app.index), key.place)
    while app >= sums.count { sums.append([]) }
    while place >= sums[app].count { sums[app].append(nil) }
    if let sums = sums[app][place] { return sums }
    let new = Sums()
    sums[app][place] = new
    return new
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
  func add(_ other: WaitTally.Sums) {
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
