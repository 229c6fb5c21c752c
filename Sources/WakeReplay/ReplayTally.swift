import Measurement
import WakeEvents
import WakeScheduling

/// What one thread has counted and measured; the tallies of all threads are added up.
struct ReplayTally: ~Copyable {
  /// What one app got.
  struct AppTally {
    var wakes = 0
    var completed = 0
    var expired = 0
    var aborted = 0
    var open = 0
    var saves = 0
    var pendingAtEnd = 0
    /// Devices on which it was stopped.
    var stopped = 0
    /// Devices on which it still had a push held.
    var held = 0
  }

  /// Its stopped apps are in any order.
  var summary = Summary()
  /// The hashes of wakes, lent to each scheduler that is fed.
  var hasher = WakeHasher()
  /// By ``App/index``.
  var apps: [AppTally] = []
  /// Wakes by ``WakeFigures/cause``.
  var causes = [Int](repeating: 0, count: 8)
  /// Saves and deletes of each wake that carried any.
  var savesPerWake = Histogram(isTouched: false)
  /// Nanoseconds from the oldest pending save to the wake that carried it.
  var staleness = Histogram(isTouched: false)
  /// Nanoseconds to take a sampled event; its position is the number of the event.
  var latency = Histogram(isTouched: false)
  /// Blocks that were counted from their headers, and their events.
  var skipped = ReplayResult.Skipped()
  /// Nanoseconds.
  var decodeTime: UInt64 = 0
  /// Nanoseconds.
  var scheduleTime: UInt64 = 0

  init() {}

  /// Counts wakes that have begun, all the same; how they end is told for their apps in the end.
  @inline(__always)
  mutating func count(_ wake: WakeFigures, times wakes: Int) {
    causes[wake.cause] += wakes
    if wake.saves > 0 {
      savesPerWake.record(Int64(wake.saves), count: wakes)
      staleness.record(wake.waited, count: wakes)
    }
  }

  /// Adds what a device has at the end of its run.
  mutating func count(_ standing: AppStanding) {
    let app = Int(standing.app.index)
    while apps.count <= app { apps.append(AppTally()) }
    let open = standing.isAwake ? 1 : 0
    apps[app].wakes += standing.completed + standing.expired + standing.aborted + open
    apps[app].completed += standing.completed
    apps[app].expired += standing.expired
    apps[app].aborted += standing.aborted
    apps[app].open += open
    apps[app].saves += standing.carried
    apps[app].pendingAtEnd += standing.pending
    if standing.isStopped { apps[app].stopped += 1 }
    if standing.holdsPush { apps[app].held += 1 }
  }

  /// Adds to the digest what the hasher has.
  mutating func settleDigest() {
    summary.digest.value &+= hasher.takeDigest()
  }

  /// Adds what another thread has.
  mutating func add(_ other: consuming ReplayTally) {
    other.settleDigest()
    summary.add(other.summary)
    while apps.count < other.apps.count { apps.append(AppTally()) }
    for (app, tally) in other.apps.enumerated() {
      apps[app].wakes += tally.wakes
      apps[app].completed += tally.completed
      apps[app].expired += tally.expired
      apps[app].aborted += tally.aborted
      apps[app].open += tally.open
      apps[app].saves += tally.saves
      apps[app].pendingAtEnd += tally.pendingAtEnd
      apps[app].stopped += tally.stopped
      apps[app].held += tally.held
    }
    for cause in causes.indices { causes[cause] += other.causes[cause] }
    savesPerWake.merge(other.savesPerWake)
    staleness.merge(other.staleness)
    latency.merge(other.latency)
    skipped.add(other.skipped)
    decodeTime += other.decodeTime
    scheduleTime += other.scheduleTime
  }
}
