import CKernels
import Kernels
import WakeScheduling

/// A wake as the kernels read it: the fields of its hash in their order (rules, 7).
struct HashedWake {
  /// The hash so far, of the device.
  var start: UInt64 = 0
  /// Its place among the device's wakes, from 1.
  var number = 0
  var time: Int64 = 0
  /// The hash of the app's name.
  var app: UInt64 = 0
  /// The sum of the hashes of the names of its types.
  var types: UInt64 = 0
  var saves = 0
  /// 0 if there are no saves.
  var oldest: Int64 = 0
  /// The hash of the push's id; 0 without one.
  var push: UInt64 = 0
  var refresh: UInt64 = 0
  var outcome = UInt64(WakeOutcome.open.rawValue)
  /// 0 if it is open.
  var end: Int64 = 0
}

/// Eight wakes that differ in number and app only, as the kernels read them: a `struct kernels_cohort_wakes`.
private struct HashedCohort {
  var first: HashedWake
  var apps: InlineArray<8, UInt64>
}

/// Sums the hashes of wakes, some side by side as the kernels do it.
@safe
struct WakeHashes: ~Copyable {
  private let waiting: UnsafeMutablePointer<HashedWake>
  private var count = 0
  private var sum: UInt64 = 0
  private let path = ProcessorPath.standard.kernelsPath

  // Each device has a sum of its own.
  private static let room = Int(KERNELS_FEW_WAKES)

  init() {
    unsafe waiting = .allocate(capacity: Self.room)
    unsafe waiting.initialize(repeating: HashedWake(), count: Self.room)
  }

  deinit { unsafe waiting.deallocate() }

  /// Adds a wake whose end is known.
  @inline(__always)
  mutating func add(_ wake: HashedWake) {
    unsafe waiting[count] = wake
    count &+= 1
    if count == Self.room { hash() }
  }

  /// Adds wakes that differ in number and app only.
  ///
  /// - Parameters:
  ///   - wake: The first one; the numbers of the others follow. It is changed meanwhile.
  ///   - names: The hashes of the apps' names.
  mutating func add(_ wake: inout HashedWake, _ names: [UInt64]) {
    let number = wake.number
    var place = 0
    let lanes = Int(KERNELS_WAKE_LANES)
    while place &+ lanes <= names.count {
      let first = place
      let eight = HashedCohort(first: wake, apps: InlineArray { names[first &+ $0] })
      sum &+= unsafe withUnsafeBytes(of: eight) {
        unsafe kernels_sum_cohort_hashes(path, $0.baseAddress, 1)
      }
      wake.number &+= lanes
      place &+= lanes
    }
    while place < names.count {
      wake.app = names[place]
      add(wake)
      wake.number &+= 1
      place &+= 1
    }
    wake.number = number
  }

  /// Takes back a wake that was added.
  mutating func remove(_ wake: HashedWake) {
    if count > 0 { hash() }
    unsafe waiting[0] = wake
    unsafe sum &-= kernels_sum_wake_hashes(path, waiting, 1)
  }

  @inline(never)
  private mutating func hash() {
    sum &+= unsafe kernels_sum_wake_hashes(path, waiting, count)
    count = 0
  }

  /// The sum of all hashes, after which a new one begins.
  mutating func take() -> UInt64 {
    if count > 0 { hash() }
    defer { sum = 0 }
    return sum
  }
}
