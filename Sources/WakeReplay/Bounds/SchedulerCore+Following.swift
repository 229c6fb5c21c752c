import WakeEvents
import WakeScheduling
import WakeTrace

// How far the wakes of a scheduler under test are from the best (page Rules, 10): Rouse's own, under a policy without
// wakes, takes the same inputs, and is told of the wakes of the other one.
extension SchedulerCore {
  /// Gives rows to a scheduler under test, and takes them and the wakes told, all in their order.
  mutating func follow(
    _ tested: any DeviceUnderTest, _ columns: borrowing InputColumns, rows: Range<Int>,
    numbers: EventNumbers
  ) throws(TraceError) {
    var hasher = WakeHasher()
    // Rules, 11: an observation is no input.
    for row in rows where columns.kinds[row] != InputKind.observed.rawValue {
      try tested.advance(to: max(columns.times[row], tested.present))
      take(tested.takeChanges())
      take(columns, rows: row..<row + 1, &hasher) { _, _ in }
      try tested.take(columns, rows: row..<row + 1, numbers: numbers, orderliness: nil)
      take(tested.takeChanges())
    }
  }

  /// Takes the beginnings and ends of another scheduler's wakes.
  mutating func take(_ changes: [ToldChange]) {
    for change in changes {
      switch change.change {
      case .began(let types): takeOtherWake(of: change.app, carrying: types, at: change.time)
      case .ended(let outcome): takeOtherEnd(of: change.app, outcome, at: change.time)
      }
    }
  }
}
