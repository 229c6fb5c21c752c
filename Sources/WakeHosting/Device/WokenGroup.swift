import Glibc
import WakeScheduling

/// The apps whose wakes were told last in one call, with their answers: mostly the same apps are woken together again.
///
/// Then their wakes differ in name and number only, so they are counted here, and the apps' own states are behind until
/// ``WakeLedger/dissolveGroup()``: a thousand apps that are woken alike cost about as much as one.
struct WokenGroup {
  private(set) var apps: [UInt32] = []
  /// The hashes of the apps' names.
  private(set) var names: [UInt64] = []
  /// The last wake of the first app; the numbers of the others follow.
  var wake = HashedWake()
  /// Wakes of each app since the group was formed, and the saves that they carried.
  var wakes = 0
  var carried = 0

  /// Whether it has these apps.
  @inline(__always)
  func has(_ symbols: UnsafeBufferPointer<UInt32>) -> Bool {
    unsafe symbols.isEqual(to: apps)
  }

  mutating func form(_ symbols: UnsafeBufferPointer<UInt32>, names: [UInt64], _ wake: HashedWake) {
    apps.removeAll(keepingCapacity: true)
    unsafe apps.append(contentsOf: symbols)
    self.names = names
    self.wake = wake
    (wakes, carried) = (0, 0)
  }

  mutating func removeAll() { apps.removeAll(keepingCapacity: true) }
}

extension WakeLedger {
  /// Begins the wakes of the group's apps, as ``WokenGroup/wake`` has been set.
  mutating func beginGroup() {
    hashes.add(&group.wake, group.names)
    group.wakes &+= 1
    group.carried &+= group.wake.saves
    counts.completed &+= group.apps.count
  }

  /// Gives the group's apps states of their own.
  mutating func dissolveGroup() {
    guard !group.apps.isEmpty else { return }
    if group.wakes > 0 {
      var wake = group.wake
      for (place, symbol) in group.apps.enumerated() {
        let app = Int(symbol)
        wake.app = group.names[place]
        unsafe apps[app].wake = wake
        unsafe apps[app].awakeUntil = wake.end
        unsafe apps[app].wakes += group.wakes
        unsafe apps[app].completed += group.wakes
        unsafe apps[app].carried += group.carried
        wake.number += 1
      }
    }
    group.removeAll()
  }
}

extension UnsafeBufferPointer<UInt32> {
  /// Whether an array has the same numbers.
  @inline(__always)
  func isEqual(to numbers: [UInt32]) -> Bool {
    guard count == numbers.count else { return false }
    return unsafe numbers.withUnsafeBufferPointer { numbers in
      guard let one = baseAddress, let other = numbers.baseAddress else {
        return isEmpty
      }
      return unsafe memcmp(one, other, 4 * count) == 0
    }
  }
}
