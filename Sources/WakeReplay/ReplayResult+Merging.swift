import WakeEvents
import WakeScheduling

// Adding results of different devices.
extension ReplayResult {
  /// Adds the results of replays of different devices (page Rules, section 7).
  ///
  /// Whether the devices differ is not checked. Speeds do not add up and are left out.
  ///
  /// - Precondition: At most ``mostMerged`` results with the same ``without`` and ``scheduler``, none with an ``implausibleCount``.
  public static func merged(_ results: [ReplayResult]) -> ReplayResult? {
    guard var merged = results.first else { return nil }
    merged.performance = nil
    merged.pacing = nil
    var apps: [ExactName: App] = [:]
    for result in results {
      for app in result.apps {
        apps[ExactName(app.app), default: App(app: app.app)].add(app)
      }
    }
    merged.apps = apps.sorted { $0.key < $1.key }.map(\.value)
    for result in results.dropFirst() {
      merged.traces += result.traces
      merged.devices += result.devices
      merged.blocks += result.blocks
      merged.summary.add(result.summary)
      merged.wakesByCause.merge(result.wakesByCause) { $0 + $1 }
      if let skipped = result.skipped {
        merged.skipped = merged.skipped ?? Skipped()
        merged.skipped?.add(skipped)
      }
      merged.loss.add(result.loss)
      merged.notices += result.notices
    }
    // Not of some devices alone.
    merged.waiting =
      results.contains { $0.waiting == nil } ? nil : .merged(results.compactMap(\.waiting))
    merged.mergeBounds(of: results)
    merged.digest = merged.summary.digest
    merged.savesPerWake = .merged(results.map(\.savesPerWake))
    merged.staleness = .merged(results.map(\.staleness))
    merged.latency = .merged(results.map(\.latency))
    return merged
  }

  /// The greatest count that a result may hold. ``mostMerged`` of them add up without overflow.
  private static let mostCounted = 1 << 50
  /// The most results that can be merged at once.
  public static let mostMerged = 4_096

  /// The key of the first count that is out of range or inconsistent; nil if all are valid. A result
  /// read from a file may hold anything, and ``merged(_:)`` takes valid results only.
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
      ("loss", [Int(clamping: loss.lostEvents), loss.missingBlocks, loss.damagedEvents]),
      ("loss", [Int(loss.bytesPassedOver)]),
    ]
    if let wrong = counts.first(where: { !$0.counts.allSatisfy(plausible.contains) }) {
      return wrong.key
    }
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
}
