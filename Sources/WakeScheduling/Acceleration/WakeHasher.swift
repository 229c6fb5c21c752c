import CKernels
package import Kernels
import WakeEvents

// Acceleration `hashLanes`.
//
// Rule: 7, the digest: the sum of the hashes of all wakes.
// Plain: each wake is hashed field by field.
// Here: the hash of a wake is a chain of twenty multiplications, each of which waits for the one before. So several
// chains run side by side: those of a cohort, whose wakes differ in number and app only, and those of wakes that were
// kept until there are 24. With AVX-512 eight chains share their instructions.
// Condition: none; a sum has no order. Tests: WakeHasherTests. Gain: the page Performance, "Accelerations".

/// Sums the hashes of wakes whose end is known (rules, 7). Devices that take turns may share one.
package struct WakeHasher: ~Copyable {
  /// The fields of a wake in the order of the hash; the first is the hash of its device.
  typealias Fields = InlineArray<11, UInt64>
  /// One field of eight wakes.
  typealias Lanes = InlineArray<8, UInt64>
  // The lengths above are literals; tests compare them with these.
  static let fieldCount = KERNELS_WAKE_FIELDS
  static let lanes = Int(KERNELS_WAKE_LANES)
  static let room = Int(KERNELS_WAKES)

  private var sum: UInt64 = 0
  /// The wakes that wait: each field of the first eight side by side, then those of the next eight.
  private var waiting: UncheckedArray<UInt64>
  private var waitingCount = 0
  /// The instructions that the processor may use.
  package var path = ProcessorPath.standard

  /// Makes the sum of no wakes.
  package init() {
    let length = Self.fieldCount * Self.room
    waiting = UncheckedArray(capacity: length)
    waiting.fill(to: length, with: 0)
  }

  /// What the hashes of a device's wakes start with.
  static func start(device: UInt64) -> UInt64 {
    var hash = WakeHash()
    hash.combine(device)
    return hash.value
  }

  /// Adds the wakes of an app and of those behind it, which differ in number and app only.
  ///
  /// - Parameters:
  ///   - leader: The app whose wake it is.
  ///   - count: The number of apps.
  ///   - start: ``start(device:)`` of the device.
  ///   - inLanes: Whether several are hashed side by side.
  @inline(__always)
  mutating func add(
    _ apps: borrowing UncheckedArray<AppState>, leader: Int, count: Int, start: UInt64,
    inLanes: Bool
  ) {
    guard inLanes, count == 1 else {
      return addCohort(apps, leader: leader, count: count, start: start, inLanes: inLanes)
    }
    let first = firstFieldOfNext
    waiting[first &+ KERNELS_WAKE_START &* Self.lanes] = start
    apps[leader].forEachHashedField { waiting[first &+ $0 &* Self.lanes] = $1 }
    countWaiting()
  }

  @inline(never)
  private mutating func addCohort(
    _ apps: borrowing UncheckedArray<AppState>, leader: Int, count: Int, start: UInt64,
    inLanes: Bool
  ) {
    guard inLanes else {
      sum &+= Self.hashes(apps, leader: leader, count: count, start: start)
      return
    }
    var wake = Fields(repeating: start)
    apps[leader].forEachHashedField { wake[$0] = $1 }
    var added = 0
    while added + Self.lanes <= count {
      sum &+= sumOfHashes(wake, of: apps, from: leader + added)
      wake[KERNELS_WAKE_NUMBER] &+= UInt64(Self.lanes)
      added += Self.lanes
    }
    while added < count {
      wake[KERNELS_WAKE_APP] = apps[leader + added].nameHash
      let first = firstFieldOfNext
      for field in 0..<Self.fieldCount { waiting[first + field * Self.lanes] = wake[field] }
      countWaiting()
      wake[KERNELS_WAKE_NUMBER] &+= 1
      added += 1
    }
  }

  /// Subtracts wakes that ``add(_:leader:count:start:inLanes:)`` added and that have not changed since.
  mutating func remove(
    _ apps: borrowing UncheckedArray<AppState>, leader: Int, count: Int, start: UInt64
  ) {
    sum &-= Self.hashes(apps, leader: leader, count: count, start: start)
  }

  /// The sum of the hashes of a cohort's wakes, one by one.
  private static func hashes(
    _ apps: borrowing UncheckedArray<AppState>, leader: Int, count: Int, start: UInt64
  ) -> UInt64 {
    var wake = Fields(repeating: start)
    apps[leader].forEachHashedField { wake[$0] = $1 }
    var sum: UInt64 = 0
    for app in leader..<leader + count {
      wake[KERNELS_WAKE_APP] = apps[app].nameHash
      var hash = WakeHash(value: start)
      for field in KERNELS_WAKE_START + 1..<fieldCount { hash.combine(wake[field]) }
      sum &+= hash.value
      wake[KERNELS_WAKE_NUMBER] &+= 1
    }
    return sum
  }

  /// The place of the first field of the next wake that waits.
  @inline(__always)
  private var firstFieldOfNext: Int {
    waitingCount &+ (waitingCount & ~(Self.lanes - 1)) &* (Self.fieldCount - 1)
  }

  @inline(__always)
  private mutating func countWaiting() {
    waitingCount &+= 1
    if waitingCount == Self.room { hashWaiting() }
  }

  /// The sum modulo 2^64 of the hashes of all wakes, after which a new sum begins.
  package mutating func takeDigest() -> UInt64 {
    if waitingCount > 0 { hashWaiting() }
    defer { sum = 0 }
    return sum
  }

  @inline(never)
  private mutating func hashWaiting() {
    sum &+= unsafe kernels_sum_wake_hashes(path.kernelsPath, waiting.address(of: 0), waitingCount)
    waitingCount = 0
  }

  /// The sum of the hashes of eight wakes of a cohort; `first` holds the fields of the first one, but for its app.
  @inline(__always)
  private func sumOfHashes(
    _ first: borrowing Fields, of apps: borrowing UncheckedArray<AppState>, from app: Int
  ) -> UInt64 {
    let names: Lanes = [
      apps[app].nameHash, apps[app + 1].nameHash, apps[app + 2].nameHash,
      apps[app + 3].nameHash, apps[app + 4].nameHash, apps[app + 5].nameHash,
      apps[app + 6].nameHash, apps[app + 7].nameHash,
    ]
    return unsafe first.span.withUnsafeBufferPointer { wake in
      unsafe names.span.withUnsafeBufferPointer { names in
        unsafe kernels_sum_cohort_hashes(path.kernelsPath, wake.baseAddress, names.baseAddress)
      }
    }
  }
}

extension AppState {
  /// Calls `body` with the place and the value of each field of the wake's hash, but for the device.
  @inline(__always)
  func forEachHashedField(_ body: (Int, UInt64) -> Void) {
    body(KERNELS_WAKE_NUMBER, UInt64(truncatingIfNeeded: wake.number))
    body(KERNELS_WAKE_TIME, UInt64(bitPattern: wake.time.nanoseconds))
    body(KERNELS_WAKE_APP, nameHash)
    body(KERNELS_WAKE_TYPES, typesHash)
    body(KERNELS_WAKE_SAVES, UInt64(truncatingIfNeeded: wake.saves))
    body(KERNELS_WAKE_OLDEST, UInt64(bitPattern: wake.oldest?.nanoseconds ?? 0))
    body(KERNELS_WAKE_PUSH, wake.push.map(NameHash.of) ?? 0)
    body(KERNELS_WAKE_REFRESH, wake.refresh ? 1 : 0)
    body(KERNELS_WAKE_OUTCOME, UInt64(wake.outcome.rawValue))
    body(KERNELS_WAKE_END, UInt64(bitPattern: wake.end?.nanoseconds ?? 0))
  }
}
