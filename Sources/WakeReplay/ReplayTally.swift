import Measurement
import WakeEvents
import WakeScheduling

/// What one thread has counted and measured. The tallies of all threads are added up.
///
/// Unchecked: its hasher is not Sendable, but alone has the memory that it points to.
struct ReplayTally: ~Copyable, @unchecked Sendable {
  /// Its stopped apps are unsorted.
  var summary = Summary()
  /// The hashes of wakes; each scheduler borrows it while it runs.
  var hasher = WakeHasher()
  /// By ``App/index``; without names.
  var apps: [ReplayResult.App] = []
  /// Whether an app had a subscription at any time.
  var hadSubscriptions = false
  /// Figures of the wakes that have begun.
  var wakes = WakeTally()
  /// Sums of waits.
  let waits = WaitTally()
  /// Sums of bounds.
  let bounds = BoundsTally()
  /// See ``ReplayResult/latency``; a position is an event's number.
  var latency = Histogram(isTouched: false)
  /// Blocks counted from their headers.
  var skipped = ReplayResult.Skipped()
  /// Nanoseconds.
  var decodeTime: UInt64 = 0
  /// Nanoseconds.
  var scheduleTime: UInt64 = 0

  /// Adds the hashes that the hasher holds to the digest.
  mutating func finishDigest() {
    summary.digest.value &+= hasher.takeDigest()
  }

  /// Counts wakes that began and are not told yet: schedulers keep the figures of some of them in ``hasher``.
  mutating func tellBegan() { Self.tellBegan(&hasher, &wakes) }

  private static func tellBegan(_ hasher: inout WakeHasher, _ tally: inout WakeTally) {
    hasher.tellBegan { _, wakes in tally.take(wakes) }
  }

  /// Adds another thread's tally, whose digest is finished.
  mutating func add(_ other: borrowing ReplayTally) {
    summary.add(other.summary)
    apps.grow(to: other.apps.count)
    for (app, counts) in other.apps.enumerated() { apps[app].add(counts) }
    if other.hadSubscriptions { hadSubscriptions = true }
    wakes.add(other.wakes)
    waits.add(other.waits)
    bounds.add(other.bounds)
    latency.merge(other.latency)
    skipped.add(other.skipped)
    decodeTime += other.decodeTime
    scheduleTime += other.scheduleTime
  }
}

/// Figures of wakes that have begun. Separate from ``ReplayTally``, so that a scheduler can change its hasher at the same
/// time.
struct WakeTally: ~Copyable {
  /// Wakes by ``WakeFigures/cause``.
  private(set) var causes = InlineArray<8, Int>(repeating: 0)
  /// Saves and deletes of each wake that carried any.
  private(set) var savesPerWake = Histogram(isTouched: false)
  /// Nanoseconds from the oldest pending save to the wake that carried it.
  private(set) var staleness = Histogram(isTouched: false)

  /// Counts wakes that differ in app and number only.
  @inline(__always)
  mutating func count(_ wakes: WakeFigures) {
    causes[wakes.cause] &+= wakes.count
    if wakes.saves > 0 {
      savesPerWake.record(Int64(wakes.saves), count: wakes.count)
      staleness.record(wakes.waited, count: wakes.count)
    }
  }

  /// Counts wakes of one app each. Wakes for one save at its own time, as an app gets that is woken for each save, are added to
  /// the histograms together: 58 to 20 instructions a wake.
  ///
  /// - Parameter batch: The scheduler's own memory, valid during the call.
  mutating func count(_ batch: UnsafeBufferPointer<WakeFigures>) {
    unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: batch.count) { others in
      var (immediate, otherCount) = (0, 0)
      for place in batch.indices {
        unsafe assert(batch[place].count == 1, "figures of a cohort are told alone")
        unsafe causes[batch[place].cause] &+= 1
        let (saves, waited) = unsafe (batch[place].saves, batch[place].waited)
        let isImmediate = (saves ^ 1) | Int(waited) == 0
        // Written in any case, without a branch: which wakes are immediate is hard to predict.
        unsafe others[otherCount] = place
        immediate &+= isImmediate ? 1 : 0
        otherCount &+= isImmediate || saves == 0 ? 0 : 1
      }
      if immediate > 0 {
        savesPerWake.record(1, count: immediate)
        staleness.record(0, count: immediate)
      }
      savesPerWake.record(each: otherCount) { unsafe Int64(batch[others[$0]].saves) }
      staleness.record(each: otherCount) { unsafe batch[others[$0]].waited }
    }
  }

  /// Adds those of another thread.
  mutating func add(_ other: borrowing WakeTally) {
    for cause in causes.indices { causes[cause] += other.causes[cause] }
    savesPerWake.merge(other.savesPerWake)
    staleness.merge(other.staleness)
  }
}

extension [ReplayResult.App] {
  /// Adds an app's counts at the end of a device's replay.
  mutating func add(_ standing: AppStanding) {
    let app = Int(standing.app.index)
    grow(to: app + 1)
    let open = standing.isAwake ? 1 : 0
    self[app].wakes += standing.completed + standing.expired + standing.aborted + open
    self[app].completed += standing.completed
    self[app].expired += standing.expired
    self[app].aborted += standing.aborted
    self[app].open += open
    self[app].saves += standing.carried
    self[app].pendingAtEnd += standing.pending
    if standing.isStopped { self[app].stoppedOnDevices += 1 }
    if standing.holdsPush { self[app].pushesHeldAtEnd += 1 }
  }

  /// Appends apps without counts until there are so many.
  mutating func grow(to count: Int) {
    while self.count < count { append(ReplayResult.App(app: "")) }
  }
}
