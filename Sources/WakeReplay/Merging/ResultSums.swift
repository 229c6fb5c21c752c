import WakeEvents
import WakeScheduling

/// Results added up, whatever their devices are; ``ReplayMerge`` checks that they may be.
///
/// Every part of it is a sum, a least or a greatest element or a set, and means are made of exact sums, so neither the order
/// of results nor a tree of merges changes a byte.
final class ResultSums {
  /// The first result, for what all have in common; its sums are those of all.
  private var all: ReplayResult
  private var results = 0
  private var apps: [ExactName: ReplayResult.App] = [:]
  private var savesPerWake = DistributionSum()
  private var staleness = DistributionSum()
  private var latency = DistributionSum()
  private var lists = ReplayResult.Lists()
  /// Nil if some result has none.
  private var waiting: ReplayResult.Waiting.Summing? = ReplayResult.Waiting.Summing()
  private var bounds: [ExactName: ReplayResult.Bounds.App] = [:]
  private var resultsWithWaiting = 0
  private var resultsWithBounds = 0
  /// The name of a count that is too large to be added to.
  private var tooLarge: String?

  /// Sums that have the result's basis, scheduler and lifted reasons.
  init(like result: ReplayResult) {
    all = result
    all.summary = Summary()
    all.wakesByCause = [:]
    (all.devices, all.blocks) = (0, 0)
    (all.deviceSum, all.deviceHashes) = (Digest(), DeviceSample())
    (all.loss, all.skipped) = (ReplayResult.Loss(), nil)
    (all.performance, all.pacing) = (nil, nil)
  }

  /// Adds a plausible result.
  ///
  /// - Returns: The name of a count that has become too large, so that the sums are no use any more; nil if all is well.
  func add(_ result: ReplayResult) -> String? {
    results += 1
    takeName(result)
    lists.add(result)
    var summary = result.summary
    summary.stoppedApps = []
    all.summary.addInAnyOrder(summary)
    for app in result.apps {
      let name = ExactName(app.app)
      var sum = apps[name] ?? ReplayResult.App(app: app.app)
      sum.add(app)
      apps[name] = sum
      check(sum.greatest, "apps")
    }
    for (cause, count) in result.wakesByCause {
      let sum = all.wakesByCause[cause, default: 0] + count
      all.wakesByCause[cause] = sum
      check(sum, "wakesByCause")
    }
    all.devices += result.devices
    all.blocks += result.blocks
    all.deviceSum.value &+= result.deviceSum.value
    for hash in result.deviceHashes.hashes { all.deviceHashes.add(hash) }
    if let skipped = result.skipped {
      all.skipped = all.skipped ?? ReplayResult.Skipped()
      all.skipped?.add(skipped)
    }
    all.loss.add(result.loss)
    savesPerWake.add(result.savesPerWake)
    staleness.add(result.staleness)
    latency.add(result.latency)
    if let part = result.waiting {
      resultsWithWaiting += 1
      if waiting?.add(part, upTo: ReplayResult.mostCounted) == false { tooLarge = "waiting" }
    } else {
      waiting = nil
    }
    if let found = result.bounds {
      resultsWithBounds += 1
      for app in found.apps {
        let name = ExactName(app.app)
        var sum = bounds[name] ?? .init(like: app)
        sum.add(app)
        bounds[name] = sum
        check(max(sum.wakes, sum.fewestWakes), "bounds")
        for within in sum.fewestWakesWithin { check(within.wakes, "bounds") }
      }
    }
    checkCounts()
    return tooLarge
  }

  /// Takes from a repeated result what a copy of it may have otherwise, so that the order of the two does not matter.
  func addRepeat(_ result: ReplayResult) {
    takeName(result)
    var rest = result
    // These are equal, and are listed as often as they are there.
    rest.summary.stoppedApps = []
    lists.add(rest)
  }

  private func takeName(_ result: ReplayResult) {
    if result.basis.policyName.precedes(all.basis.policyName) {
      all.basis.policyName = result.basis.policyName
    }
  }

  private func check(_ count: Int, _ key: String) {
    if count > ReplayResult.mostCounted { tooLarge = key }
  }

  private func checkCounts() {
    for (key, path) in Summary.counts { check(all.summary[keyPath: path], "summary.\(key)") }
    check(max(all.devices, all.blocks), "devices")
    check(max(all.skipped?.blocks ?? 0, all.skipped?.events ?? 0), "skipped")
    check(max(savesPerWake.count, staleness.count, latency.count), "staleness")
    let loss = all.loss
    check(
      max(loss.damagedPlaces, loss.damagedEvents, max(loss.missingBlocks, loss.misplacedBlocks)),
      "loss")
    check(max(Int(clamping: loss.lostEvents), Int(loss.bytesPassedOver)), "loss")
  }

  /// The sums.
  var result: ReplayResult {
    var result = all
    result.setLists(lists)
    result.apps = apps.sorted { $0.key < $1.key }.map(\.value)
    result.deviceHashes.finish()
    result.digest = result.summary.digest
    result.savesPerWake = savesPerWake.distribution
    result.staleness = staleness.distribution
    result.latency = latency.distribution
    result.waiting = waiting?.waiting
    result.bounds = nil
    if resultsWithBounds == results, !hasAmbiguousApps {
      result.bounds = .init(sorting: Array(bounds.values))
    }
    return result
  }

  /// Whether an object by app has lost one of two names that are equal as strings.
  private var hasAmbiguousApps: Bool { Set(apps.keys.map(\.string)).count < apps.count }

  /// Why waits are left out; nil if they are not, or no result has any.
  var missingWaiting: String? {
    guard resultsWithWaiting > 0, resultsWithWaiting < results else { return nil }
    return
      "waits are left out: \(results - resultsWithWaiting) of \(results) results have none; replay with "
      + "--waits"
  }

  /// Why bounds are left out; nil if they are not, or no result has any.
  var missingBounds: String? {
    guard resultsWithBounds > 0 else { return nil }
    if resultsWithBounds < results {
      return
        "bounds are left out: \(results - resultsWithBounds) of \(results) results have none; replay "
        + "with --bounds"
    }
    guard hasAmbiguousApps else { return nil }
    return
      "bounds are left out: two apps have names that differ only in their Unicode form; replay "
      + "the devices together"
  }
}

extension ReplayResult {
  /// Adds results whatever their devices are; nil if there are none. ``ReplayMerge`` is for results of which that is not
  /// known.
  package static func merged(_ results: [ReplayResult]) -> ReplayResult? {
    guard let first = results.first else { return nil }
    let sums = ResultSums(like: first)
    for result in results { _ = sums.add(result) }
    return sums.result
  }
}
