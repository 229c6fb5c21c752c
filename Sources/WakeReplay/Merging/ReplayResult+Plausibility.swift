import WakeEvents
import WakeScheduling
import WakeTrace

// Results from files, which may hold anything.
extension ReplayResult {
  /// The greatest count that a result may hold, so that two of them add up without overflow.
  static let mostCounted = 1 << 60

  /// The key of the first count that is out of range or inconsistent; nil if all are valid. A result
  /// read from a file may hold anything, and merging takes valid results only.
  public var implausibleCount: String? {
    let plausible = 0...Self.mostCounted
    for (key, path) in Summary.counts where !plausible.contains(summary[keyPath: path]) {
      return "summary.\(key)"
    }
    guard summary.saves + summary.deletes <= summary.inputs, digest == summary.digest else {
      return "summary"
    }
    let counts: [(key: String, counts: [Int])] = [
      ("traces", traces.map { Int($0.bytes) }),
      ("apps", apps.flatMap { app in App.counts.map { app[keyPath: $0.path] } }),
      ("wakesByCause", Array(wakesByCause.values)), ("devices", [devices, blocks]),
      ("skipped", [skipped?.blocks ?? 0, skipped?.events ?? 0]),
      (
        "loss",
        [
          Int(clamping: loss.lostEvents), loss.missingBlocks, loss.damagedEvents,
          loss.damagedPlaces, loss.misplacedBlocks,
        ]
      ),
      ("loss", [Int(loss.bytesPassedOver)]),
    ]
    if let wrong = counts.first(where: { !$0.counts.allSatisfy(plausible.contains) }) {
      return wrong.key
    }
    // Sums of an app are only checked after its line.
    if Set(apps.map { ExactName($0.app) }).count < apps.count { return "apps" }
    if let bounds, Set(bounds.apps.map { ExactName($0.app) }).count < bounds.apps.count {
      return "bounds"
    }
    if loss.damagedPlaces < loss.damages.count { return "loss" }
    if let wrong = implausibleDevices { return wrong }
    if let without {
      // As a replay writes them: each once, in the order of the page's table.
      let words = WaitReason.liftable.map(\.word).filter(without.contains)
      if without.isEmpty || without != words { return "without" }
    }
    if let waiting, !waiting.isPlausible(upTo: Self.mostCounted) { return "waiting" }
    if let bounds, !bounds.isPlausible(upTo: Self.mostCounted) { return "bounds" }
    let distributions = [
      ("savesPerWake", savesPerWake), ("staleness", staleness), ("latency", latency),
    ]
    return distributions.first { !$0.1.isPlausible(upTo: Self.mostCounted) }?.0
  }
  private var implausibleDevices: String? {
    guard (0...Self.mostCounted).contains(devices), deviceHashes.hashes.count <= devices else {
      return "devices"
    }
    guard devices > DeviceSample.most || deviceHashes.hashes.count == devices else {
      return "deviceHashes"
    }
    let hashes = deviceHashes.hashes
    if hashes.count == devices, hashes.reduce(0, &+) != deviceSum.value { return "deviceSum" }
    if let shard, shard.ranges.count == 1, shard.ranges[0].count == 1 {
      let index = shard.ranges[0].lowerBound - 1
      let isIn = hashes.allSatisfy {
        DeviceShard.index(ofDeviceHash: $0, among: shard.count) == index
      }
      if !isIn { return "shard" }
    }
    return nil
  }
}
