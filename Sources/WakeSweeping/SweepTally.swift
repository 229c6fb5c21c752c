import Measurement
import WakeEvents
import WakeScheduling

/// What one thread has counted of one policy's wakes.
///
/// Unchecked: its hasher is not Sendable, but alone has the memory that it points to.
struct SweepTally: ~Copyable, @unchecked Sendable {
  /// Its stopped apps are unsorted.
  var summary = Summary()
  /// The hashes of wakes; each scheduler borrows it while it runs.
  var hasher = WakeHasher()
  var wakes = WakeCounts()
  var witness = RowWitness()
  /// Nanoseconds for which something was owed to an app, over all apps and devices.
  var behind: Int128 = 0
  /// Wakes that carried a type, by the device's index and ``App/index``.
  var carried: [Int: [Int32]] = [:]
}

/// What is counted as wakes begin.
struct WakeCounts: ~Copyable {
  /// Nanoseconds from the oldest save or delete of a wake to the wake, on devices that had not been locked so far.
  private(set) var waited = Histogram(isTouched: false)
  /// The same on other devices, and less the time for which the device was locked.
  private(set) var waitedWithLocks = Histogram(isTouched: false)
  private(set) var waitedUnlocked = Histogram(isTouched: false)

  @inline(__always)
  mutating func count(_ wakes: WakeFigures, _ locks: borrowing LockedTime) {
    if locks.isEmpty {
      waited.record(wakes.waited, count: wakes.count)
    } else {
      waitedWithLocks.record(wakes.waited, count: wakes.count)
      let locked = locks.locked(from: wakes.time - wakes.waited, to: wakes.time)
      waitedUnlocked.record(wakes.waited - locked, count: wakes.count)
    }
  }

  /// The waiting of all wakes, with the locked time and without.
  func spreads() -> (all: SweepResult.Spread, unlocked: SweepResult.Spread) {
    var all = Histogram(isTouched: false)
    all.merge(waited)
    all.merge(waitedWithLocks)
    var unlocked = Histogram(isTouched: false)
    unlocked.merge(waited)
    unlocked.merge(waitedUnlocked)
    return (SweepResult.Spread(all), SweepResult.Spread(unlocked))
  }
}
