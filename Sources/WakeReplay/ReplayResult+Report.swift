import Measurement
import WakeEvents
import WakeScheduling

extension ReplayResult {
  /// Several results as a text report, each with its policy.
  public static func report(_ results: [ReplayResult]) -> String {
    guard results.count > 1 else { return results.map(\.report).joined() }
    return results.map { "Policy           \($0.basis.policyName.shown)\n\($0.report)" }
      .joined(separator: "\n")
  }

  /// The result as a text report.
  public var report: String {
    var report = TwoColumns()
    describeInput(&report)
    describeWakes(&report)
    if let waiting { report.describe(waiting) }
    if let bounds { report.describe(bounds) }
    describeLoss(&report)
    describePerformance(&report)
    report.line("Digest", "\(digest)")
    return report.text
  }

  private func describeInput(_ report: inout TwoColumns) {
    let bytes = traces.reduce(0) { $0 + $1.bytes }
    report.line(
      "Replayed",
      "\(Quantity.counted(summary.inputs, "input")) of \(Quantity.counted(devices, "device")), "
        + Quantity.counted(blocks, "block") + (traces.isEmpty ? "" : ", \(Quantity.bytes(bytes))"))
    for trace in traces.prefix(Self.appsShown) { report.more(trace.file.shown) }
    if traces.count > Self.appsShown {
      report.more("and \(traces.count - Self.appsShown) more traces (--json lists them)")
    }
    if let shard, shard.count > 1 { report.line("Shard", "\(shard): not all devices") }
    report.line(
      "Inputs",
      "\(summary.saves) saves, \(summary.deletes) deletes, "
        + "\(summary.inputs - summary.saves - summary.deletes) others, \(summary.lateInputs) late")
    if let skipped {
      report.more(
        "\(Quantity.counted(skipped.blocks, "block")) with \(skipped.events) of them counted by headers, "
          + "not decoded")
    }
    let rejected = [
      (summary.rejectedRegistrations, "registrations rejected"),
      (summary.rejectedPushes, "pushes rejected"),
      (summary.ignoredCompletions, "completions ignored"),
    ].filter { $0.0 > 0 }
    if !rejected.isEmpty {
      report.more(rejected.map { "\($0.0) \($0.1)" }.joined(separator: ", "))
    }
  }

  private func describeWakes(_ report: inout TwoColumns) {
    if let scheduler { report.line("Scheduler", "\(scheduler.shown): not Rouse's own") }
    if let without {
      report.line(
        "Without", without.joined(separator: ", ") + ": not what the rules give, but a what-if")
    }
    report.line(
      "Wakes",
      "\(summary.wakes): \(summary.completed) completed, \(summary.expired) expired, "
        + "\(summary.aborted) aborted, \(summary.open) open")
    if !wakesByCause.isEmpty {
      let causes = wakesByCause.sorted {
        $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key
      }
      report.more("for " + causes.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    }
    for app in apps.prefix(Self.appsShown) {
      report.more(
        "\(app.app.shown): \(Quantity.counted(app.wakes, "wake")) with \(Quantity.counted(app.saves, "save")), "
          + "\(app.completed) completed, \(app.expired) expired, \(app.aborted) aborted, "
          + "\(app.open) open")
    }
    if apps.count > Self.appsShown {
      report.more("and \(apps.count - Self.appsShown) more apps (--json has them all)")
    }
    if savesPerWake.count > 0 {
      report.line("Saves a wake", Self.spread(savesPerWake) { "\($0)" })
      report.line(
        "Oldest save", "waited " + Self.spread(staleness) { Quantity.duration(nanoseconds: $0) })
    }
    report.line(
      "Delivered live",
      "\(summary.liveDeliveries) saves, \(summary.pushesDeliveredLive) pushes")
    report.line(
      "Never delivered",
      "\(summary.pendingAtEnd) saves pending, \(summary.pushesHeldAtEnd) pushes held, "
        + "\(summary.pushesSuperseded) superseded, \(summary.pushesDiscarded) discarded")
    for app in apps.filter({ $0.pendingAtEnd > 0 }).prefix(Self.appsShown) {
      report.more("\(app.app.shown): \(Quantity.counted(app.pendingAtEnd, "save")) pending")
    }
    if !summary.stoppedApps.isEmpty {
      let shown = summary.stoppedApps.prefix(Self.appsShown)
      let rest = summary.stoppedApps.count - shown.count
      report.line(
        "Stopped apps",
        shown.map(\.shown).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : ""))
    }
  }

  private func describeLoss(_ report: inout TwoColumns) {
    guard !loss.isNone else { return }
    report.line(
      "Lost",
      "\(Quantity.counted(loss.damagedPlaces, "damaged place")) "
        + "(\(Quantity.counted(loss.damagedEvents, "event")) known to be lost, "
        + "\(Quantity.bytes(loss.bytesPassedOver)) without a block), "
        + "\(Quantity.counted(loss.missingBlocks, "missing block")), "
        + (loss.misplacedBlocks > 0
          ? "\(Quantity.counted(loss.misplacedBlocks, "block")) repeated or out of order, " : "")
        + "\(loss.lostEvents) events lost in recording")
    for damage in loss.damages.prefix(Self.appsShown) {
      let place = damage.offset.map { ": byte \($0)" } ?? ""
      report.more("\(damage.file.shown)\(place): \(damage.message)")
    }
  }

  private func describePerformance(_ report: inout TwoColumns) {
    if let performance {
      let skips = (skipped?.events ?? 0) > 0
      report.line(
        "Speed",
        "\(Quantity.rate(perSecond: performance.eventsPerSecond)) \(skips ? "scheduled" : "in all"), "
          + "\(Quantity.duration(nanoseconds: performance.elapsedNanoseconds)), "
          + Quantity.counted(performance.threads, "thread"))
      if performance.decodeNanoseconds > 0 {
        let (decode, schedule) = (performance.decodeNanoseconds, performance.scheduleNanoseconds)
        report.more(
          "decoding \(Quantity.rate(count: performance.events, nanoseconds: decode)), "
            + "scheduling \(Quantity.rate(count: performance.events, nanoseconds: schedule)), "
            + "each alone on one thread")
      }
      if !performance.repetitions.isEmpty {
        let speeds = performance.repetitions.sorted()
        report.more(
          "median of \(speeds.count) replays, from \(Quantity.rate(perSecond: speeds[0])) to "
            + Quantity.rate(perSecond: speeds[speeds.count - 1]))
      }
    }
    if latency.count > 0 {
      report.line("Latency", Self.spread(latency) { Quantity.duration(nanoseconds: $0) })
      if let event = latency.maximumAtEvent { report.more("the longest at event \(event)") }
      if let performance {
        report.more(
          "\(Quantity.counted(latency.count, "event")) measured, a reading of the clock, "
            + "\(Quantity.duration(nanoseconds: performance.clockNanoseconds)), included")
      }
    }
    if let pacing {
      report.line(
        "Pace",
        "\(Quantity.factor(pacing.speed)), \(Quantity.counted(pacing.lateEvents, "event")) late by "
          + "more than 1 ms, furthest behind "
          + Quantity.duration(nanoseconds: pacing.furthestBehindNanoseconds))
    }
    if let memory = performance?.peakMemoryBytes {
      report.line("Memory", "\(Quantity.bytes(Int64(memory))) at most")
    }
  }

  static let appsShown = 20

  static func spread(_ distribution: Distribution, _ show: (Int64) -> String) -> String {
    let parts = Distribution.percentilesShown.compactMap { percentile in
      distribution.percentiles[percentile.name].map { "p\(percentile.name) \(show($0))" }
    }
    return parts.joined(separator: ", ") + ", max \(show(distribution.maximum ?? 0))"
  }
}

/// Text in two columns: headings and content.
struct TwoColumns {
  private(set) var text = ""
  private static let width = 17

  mutating func line(_ heading: String, _ content: String) {
    let padding = String(repeating: " ", count: max(1, Self.width - heading.count))
    text += "\(heading)\(padding)\(content)\n"
  }

  mutating func more(_ content: String) {
    text += String(repeating: " ", count: Self.width) + content + "\n"
  }
}
