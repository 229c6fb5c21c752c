import WakeEvents
import WakeScheduling

// Adding results up, and which of them can be.
extension ReplayResult {
  /// Adds the results of replays of different devices up (SPEC 7).
  ///
  /// Devices are taken to be different ones. Speeds are left out, as they do not add up.
  ///
  /// - Precondition: No more than ``mostMerged``, none with an ``implausibleCount``.
  public static func merged(_ results: [ReplayResult]) -> ReplayResult? {
    guard var merged = results.first else { return nil }
    merged.performance = nil
    merged.pacing = nil
    var apps: [ExactName: App] = [:]
    for result in results {
      for app in result.apps {
        var sum = apps[ExactName(app.app)] ?? App(app: app.app)
        for path in App.counts { sum[keyPath: path] += app[keyPath: path] }
        apps[ExactName(app.app)] = sum
      }
    }
    merged.apps = apps.sorted { $0.key < $1.key }.map(\.value)
    for result in results.dropFirst() {
      merged.traces += result.traces
      merged.devices += result.devices
      merged.blocks += result.blocks
      merged.summary.add(result.summary)
      merged.wakesByCause.merge(result.wakesByCause) { $0 + $1 }
      if let skipped = result.skipped { merged.skipped = skipped.added(to: merged.skipped) }
      merged.loss.damages += result.loss.damages
      merged.loss.damagedEvents += result.loss.damagedEvents
      merged.loss.bytesPassedOver += result.loss.bytesPassedOver
      merged.loss.lostEvents += result.loss.lostEvents
      merged.loss.missingBlocks += result.loss.missingBlocks
      merged.notices += result.notices
    }
    merged.digest = merged.summary.digest
    merged.savesPerWake = .merged(results.map(\.savesPerWake))
    merged.staleness = .merged(results.map(\.staleness))
    merged.latency = .merged(results.map(\.latency))
    return merged
  }

  /// More than this no replay counts; results beyond it were not written by one. Four thousand of them
  /// can be added up.
  private static let mostCounted = 1 << 50
  /// The results that are merged at once at most.
  public static let mostMerged = 4_096

  /// The key of a count that no replay gives, for results that were read from a file: ``merged(_:)`` must
  /// not be given any.
  public var implausibleCount: String? {
    let plausible = 0...Self.mostCounted
    for (key, path) in Summary.counts where !plausible.contains(summary[keyPath: path]) {
      return "summary.\(key)"
    }
    guard summary.saves + summary.deletes <= summary.inputs, digest == summary.digest else {
      return "summary"
    }
    if !traces.allSatisfy({ plausible.contains(Int($0.bytes)) }) { return "traces" }
    for app in apps where !App.counts.allSatisfy({ plausible.contains(app[keyPath: $0]) }) {
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

extension ReplayResult.App {
  fileprivate static var counts: [WritableKeyPath<ReplayResult.App, Int>] {
    [
      \.wakes, \.completed, \.expired, \.aborted, \.open, \.saves, \.pendingAtEnd,
      \.pushesHeldAtEnd, \.stoppedOnDevices,
    ]
  }
}
