import CKernels
package import Kernels
import WakeEvents

// Acceleration `hashLanes`.
//
// Rule: 7, the digest: the sum of the hashes of all wakes.
// Plain: each wake is hashed field by field.
// Here: the hash of a wake is a chain of twenty multiplications, each of which waits for the one before. So several
// chains run side by side: those of a cohort, whose wakes differ in number and app only, and those of wakes that were
// kept until there are 24, or 48 where devices share a hasher. With AVX-512 eight chains share their instructions, with
// AVX2 four, but one register waits for its own multiplications; so three groups of eight wakes of cohorts, or six, are
// kept too.
// Condition: none; a sum has no order. Tests: WakeHasherTests.
// Gain: 10 % and more on fitbit immediate; 479 to 286 instructions a wake in coalescer/busy/10 (page Performance). That
// cohorts are kept makes a hundred apps on fitbit twice as fast with AVX-512 (Intel).

/// Sums the hashes of wakes whose end is known (rules, 7), and keeps the figures of wakes that began until they are told.
/// Devices that take turns may share one.
package struct WakeHasher: ~Copyable {
  /// A wake as the kernels read it: KERNELS_WAKE_FIELDS words.
  struct HashedWake {
    /// What the hash starts with: ``start(device:)``.
    var start: UInt64
    var wake: WakeRecord
  }

  /// Eight wakes of a cohort as the kernels read them: a `struct kernels_cohort_wakes`.
  struct HashedCohort {
    var first: HashedWake
    var apps: Lanes
  }

  /// The names' hashes of eight apps.
  typealias Lanes = InlineArray<8, UInt64>
  // The length above is a literal; a test compares it with this.
  static let lanes = Int(KERNELS_WAKE_LANES)

  private var sum: UInt64 = 0
  /// The first ``waitingCount`` wait; the others were hashed before.
  private var waiting: UncheckedArray<HashedWake>
  /// How many wakes are hashed together.
  private let room: Int
  private var waitingCount = 0
  /// The first ``cohortCount`` wait; the others were hashed before.
  private var cohorts = UncheckedArray<HashedCohort>()
  private var cohortCount = 0
  /// The first ``beganCount`` are those of wakes that began and are not told yet (``SchedulerCore/tellsInBatches``).
  private var began = UncheckedArray<WakeFigures>()
  private var beganCount = 0
  /// The instructions that the processor may use.
  package var path = ProcessorPath.standard

  /// Makes the sum of no wakes.
  ///
  /// - Parameter isShared: Whether many devices share it, so that its memory counts little: 48 wakes are hashed together, and
  ///   not 24.
  package init(isShared: Bool = true) {
    room = Int(isShared ? KERNELS_WAKES : KERNELS_FEW_WAKES)
    waiting = UncheckedArray()
    waiting.fill(to: room, with: HashedWake(start: 0, wake: WakeRecord(app: 0)))
  }

  /// How many wakes are told together. What counts them takes the place of the rules' own code among the instructions that a
  /// processor keeps decoded: 1.4 % less time than with 32, over seven mixes and four real pairs (AMD Zen 3). 128 gain 0.2 %
  /// more.
  static let figuresRoom = 64

  /// Keeps the figures of a wake that began; true if no more have room.
  @inline(__always)
  mutating func note(_ figures: WakeFigures) -> Bool {
    if began.count == 0 { reserveFigures() }
    began[beganCount] = figures
    beganCount &+= 1
    return beganCount == Self.figuresRoom
  }

  @inline(never)
  private mutating func reserveFigures() {
    began.fill(
      to: Self.figuresRoom,
      with: WakeFigures(
        count: 0, app: App(index: 0), number: 0, time: 0, saves: 0, waited: 0, cause: 0))
  }

  /// Tells of the wakes that began and are not told yet.
  @inline(__always)
  package mutating func tellBegan(_ listener: (WakePhase, borrowing WakeView) -> Void) {
    if beganCount > 0 { tellBatch(listener) }
  }

  @inline(never)
  private mutating func tellBatch(_ listener: WakeListener) {
    listener(
      .began, unsafe WakeView(UnsafeBufferPointer(start: began.address(of: 0), count: beganCount)))
    beganCount = 0
  }

  /// What the hashes of a device's wakes start with.
  static func start(device: UInt64) -> UInt64 {
    var hash = WakeHash()
    hash.combine(device)
    return hash.value
  }

  /// Adds the wakes of an app and of its cohort, which differ in number and app only.
  ///
  /// - Parameters:
  ///   - leader: The app whose wake it is.
  ///   - names: The hashes of the apps' names, by app number; needed for a cohort of several apps.
  ///   - start: ``start(device:)`` of the device.
  ///   - inLanes: Whether several are hashed side by side.
  @inline(__always)
  mutating func add(
    _ apps: borrowing UncheckedArray<AppState>, leader: Int, names: [UInt64], start: UInt64,
    inLanes: Bool
  ) {
    if inLanes, apps[leader].cohort == 1 {
      add(apps[leader].wake, start: start)
    } else {
      addCohort(apps, leader: leader, names: names, start: start, inLanes: inLanes)
    }
  }

  /// Adds a wake, which is hashed with others in lanes.
  @inline(__always)
  mutating func add(_ wake: WakeRecord, start: UInt64) {
    // In this order for speed alone: Swift 6.3 copies the wake twice if the start is set first.
    waiting[waitingCount].wake = wake
    waiting[waitingCount].start = start
    countWaiting()
  }

  @inline(never)
  private mutating func addCohort(
    _ apps: borrowing UncheckedArray<AppState>, leader: Int, names: [UInt64], start: UInt64,
    inLanes: Bool
  ) {
    guard inLanes else {
      sum &+= Self.hashes(apps, leader: leader, start: start)
      return
    }
    var hashed = HashedWake(start: start, wake: apps[leader].wake)
    let end = leader + apps[leader].cohort
    precondition(end <= names.count, "apps to \(end) of \(names.count)")
    var app = leader
    while app + Self.lanes <= end {
      if cohorts.count == 0 { reserveCohorts() }
      // Unchecked: no app is beyond the names.
      cohorts[cohortCount] = HashedCohort(
        first: hashed, apps: Lanes { unsafe names.span[unchecked: app &+ $0] })
      cohortCount &+= 1
      if cohortCount == cohorts.count { hashCohorts() }
      hashed.wake.number += Self.lanes
      app += Self.lanes
    }
    for app in app..<end {
      hashed.wake.app = names[app]
      waiting[waitingCount] = hashed
      countWaiting()
      hashed.wake.number += 1
    }
  }

  /// The sum of the hashes of a cohort's wakes, one by one.
  private static func hashes(
    _ apps: borrowing UncheckedArray<AppState>, leader: Int, start: UInt64
  ) -> UInt64 {
    var wake = apps[leader].wake
    var sum: UInt64 = 0
    for app in leader..<leader + apps[leader].cohort {
      wake.app = apps[app].wake.app
      sum &+= wake.hash(start: start)
      wake.number += 1
    }
    return sum
  }

  @inline(__always)
  private mutating func countWaiting() {
    waitingCount &+= 1
    if waitingCount == room { hashWaiting() }
  }

  /// The sum modulo 2^64 of the hashes of all wakes, after which a new sum begins.
  package mutating func takeDigest() -> UInt64 {
    assert(beganCount == 0, "wakes that began were not told")
    if waitingCount > 0 { hashWaiting() }
    if cohortCount > 0 { hashCohorts() }
    defer { sum = 0 }
    return sum
  }

  @inline(never)
  private mutating func hashWaiting() {
    // The kernels read words, and a wake that waits is nothing else.
    sum &+= unsafe kernels_sum_wake_hashes(
      path.kernelsPath, UnsafeRawPointer(waiting.address(of: 0)), waitingCount)
    waitingCount = 0
  }

  @inline(never)
  private mutating func reserveCohorts() {
    let none = HashedCohort(
      first: HashedWake(start: 0, wake: WakeRecord(app: 0)), apps: Lanes(repeating: 0))
    let isShared = room == Int(KERNELS_WAKES)
    cohorts.fill(to: Int(isShared ? KERNELS_COHORTS : KERNELS_FEW_COHORTS), with: none)
  }

  @inline(never)
  private mutating func hashCohorts() {
    sum &+= unsafe kernels_sum_cohort_hashes(
      path.kernelsPath, UnsafeRawPointer(cohorts.address(of: 0)), cohortCount)
    cohortCount = 0
  }
}
