import WakeEvents
import WakeScheduling

// Adding results of different devices.
extension ReplayResult {
  /// Adds the results of replays of different devices (page Rules, section 7).
  ///
  /// Whether the devices differ is not checked. Speeds do not add up and are left out.
  ///
  /// - Precondition: At most ``mostMerged`` results, none with an ``implausibleCount``.
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
    if !traces.allSatisfy({ plausible.contains(Int($0.bytes)) }) { return "traces" }
    for app in apps where !App.counts.allSatisfy({ plausible.contains(app[keyPath: $0.path]) }) {
      return "apps"
    }
    if !wakesByCause.values.allSatisfy(plausible.contains) { return "wakesByCause" }
    if !plausible.contains(devices) || !plausible.contains(blocks) { return "devices" }
    if let skipped, !plausible.contains(skipped.blocks) || !plausible.contains(skipped.events) {
      return "skipped"
    }
    if loss.lostEvents > Self.mostCounted || !plausible.contains(loss.missingBlocks)
      || !plausible.contains(loss.damagedEvents) || !plausible.contains(Int(loss.bytesPassedOver))
    {
      return "loss"
    }
    let distributions = [
      ("savesPerWake", savesPerWake), ("staleness", staleness), ("latency", latency),
    ]
    for (key, distribution) in distributions
    where !distribution.isPlausible(upTo: Self.mostCounted) {
      return key
    }
    return nil
  }
}
