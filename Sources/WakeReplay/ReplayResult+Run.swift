import Measurement
import WakeEvents
import WakeScheduling
import WakeTrace

extension ReplayResult {
  init(
    index: TraceIndex, shared: ReplayShared, run: ReplayRun, tally: consuming ReplayTally,
    elapsed: UInt64, pacing: PaceKeeping?
  ) {
    traces = index.files.map { Trace(file: $0.name, bytes: $0.length) }
    devices = index.devices.count
    blocks = index.blocks.count
    var summary = tally.summary
    summary.stoppedApps.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    self.summary = summary
    digest = summary.digest
    for (cause, count) in tally.wakes.causes.enumerated() where count > 0 {
      wakesByCause[Self.causeName(cause)] = count
    }
    apps = tally.apps
    for index in apps.indices {
      apps[index].app = shared.symbols.apps.name(of: WakeEvents.App(index: UInt32(index)))
    }
    apps.sort { $0.app.utf8.lexicographicallyPrecedes($1.app.utf8) }
    savesPerWake = Distribution(tally.wakes.savesPerWake)
    staleness = Distribution(tally.wakes.staleness)
    latency = Distribution(tally.latency)
    loss = Loss(
      damages: Self.damages(index.damages + run.damages, in: index.files.map(\.name)),
      damagedEvents: run.damagedEvents, bytesPassedOver: index.bytesPassedOver,
      lostEvents: index.lostEvents, missingBlocks: index.missingBlocks)
    if shared.options.skipsQuiet { skipped = tally.skipped }
    notices = Self.notices(index, summary: summary, anomalies: shared.anomalies)
    let sampling =
      shared.options.measuresLatency ? LatencySampler.stride(events: index.eventCount) : 0
    let events = summary.inputs - tally.skipped.events
    performance = Performance(
      threads: shared.options.threads, elapsedNanoseconds: elapsed,
      decodeNanoseconds: tally.decodeTime, scheduleNanoseconds: tally.scheduleTime,
      events: events, eventsPerSecond: elapsed == 0 ? 0 : Double(events) / (Double(elapsed) / 1e9),
      // Takes a few hundred microseconds, which more batches would only lengthen.
      clockNanoseconds: MonotonicClock.cost(batches: 21, readingsPerBatch: 50),
      latencySampling: pacing != nil ? 1 : sampling,
      peakMemoryBytes: ResourceUsage.current().peakResidentBytes)
    self.pacing = pacing
  }

  /// Damages by file and offset, each once: threads report in any order, and a block may be read twice.
  private static func damages(_ errors: [TraceError], in files: [String]) -> [Loss.Damage] {
    let places = Dictionary(zip(files, files.indices)) { first, _ in first }
    return Set(errors).sorted {
      (places[$0.file] ?? 0, $0.offset ?? 0, $0.message)
        < (places[$1.file] ?? 0, $1.offset ?? 0, $1.message)
    }.map { Loss.Damage(file: $0.file, offset: $0.offset, message: $0.message) }
  }

  private static func causeName(_ cause: Int) -> String {
    let names = [(1, "health"), (2, "push"), (4, "refresh")].filter { cause & $0.0 != 0 }
    return names.isEmpty ? "nothing" : names.map(\.1).joined(separator: "+")
  }

  /// Late inputs are reported if they are more than one input in so many.
  private static let lateShare = 1_000

  private static func notices(
    _ index: TraceIndex, summary: Summary, anomalies: TimeAnomalies
  ) -> [String] {
    var notices: [String] = []
    if let jump = anomalies.firstJump {
      notices.append(
        """
        \(file(jump, index))times jump ahead by more than a year: \(place(jump)), after \
        \(iso8601(jump.previous))
        """)
    }
    if let late = anomalies.firstLate, summary.lateInputs * lateShare > summary.inputs {
      let share = Quantity.percentage(Double(summary.lateInputs) / Double(summary.inputs))
      notices.append(
        """
        \(file(late, index))\(summary.lateInputs) of \(summary.inputs) inputs (\(share)) are late: \
        first \(place(late)), after \(iso8601(late.previous))
        """)
    }
    return notices
  }

  private static func file(_ anomaly: TimeAnomaly, _ index: TraceIndex) -> String {
    index.place(ofEvent: anomaly.event).map { "\($0.file): byte \($0.offset): " } ?? ""
  }

  private static func place(_ anomaly: TimeAnomaly) -> String {
    let device = anomaly.device.isEmpty ? "" : " of device \(anomaly.device.shown)"
    return "event \(anomaly.event)\(device) at \(iso8601(anomaly.time))"
  }

  private static func iso8601(_ time: Int64) -> String {
    Timestamp(nanoseconds: time).iso8601
  }
}
