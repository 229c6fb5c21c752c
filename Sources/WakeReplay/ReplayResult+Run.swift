import Measurement
import WakeEvents
import WakeScheduling
import WakeTrace

extension ReplayResult {
  init(
    index: TraceIndex, shared: ReplayShared, run: ReplayRun, tally: consuming ReplayTally,
    elapsed: UInt64, pacing: PaceKeeping?
  ) {
    basis = Basis(shared.options, contents: Digest(value: index.contents))
    shard = shared.options.selection.shard.map { ShardSet($0) }
    traces = index.files.map { Trace(file: $0.name, bytes: $0.length) }
    devices = index.devices.count
    for device in index.devices {
      deviceSum.value &+= device.hash
      deviceHashes.add(device.hash)
    }
    deviceHashes.finish()
    blocks = index.blockCount
    var summary = tally.summary
    summary.stoppedApps.sort { $0.precedes($1) }
    self.summary = summary
    digest = summary.digest
    let lifted = shared.options.policy.lifted
    if !lifted.isEmpty { without = lifted.map(\.word) }
    scheduler = shared.options.tested?.name
    for cause in tally.wakes.causes.indices where tally.wakes.causes[cause] > 0 {
      let count = tally.wakes.causes[cause]
      wakesByCause[Self.causeName(cause)] = count
    }
    apps = tally.apps
    hadSubscriptions = tally.hadSubscriptions
    for index in apps.indices {
      apps[index].app = shared.symbols.apps.name(of: WakeEvents.App(index: UInt32(index)))
    }
    apps.sort { $0.app.precedes($1.app) }
    savesPerWake = Distribution(tally.wakes.savesPerWake)
    staleness = Distribution(tally.wakes.staleness)
    latency = Distribution(tally.latency)
    let damages = Self.damages(
      shared.options.damagedFiles + index.damages + run.damages,
      in: shared.options.damagedFiles.map(\.file) + index.files.map(\.name))
    loss = Loss(
      damages: damages, damagedPlaces: damages.count, damagedEvents: run.damagedEvents,
      bytesPassedOver: index.bytesPassedOver,
      lostEvents: index.lostEvents, missingBlocks: index.order.missing,
      misplacedBlocks: index.order.misplaced)
    if shared.sumsWaits { waiting = Waiting(tally.waits, shared.symbols) }
    if let asked = shared.options.bounds {
      bounds = Bounds(tally.bounds, shared.symbols, asked)
    }
    if shared.options.skipsQuiet { skipped = tally.skipped }
    notices = TimeAnomaly.notices(
      jump: shared.anomalies.firstJump, late: shared.anomalies.firstLate,
      lateInputs: summary.lateInputs, inputs: summary.inputs
    ) { anomaly in
      let block = index.place(ofEvent: anomaly.number).map {
        "\($0.file.shown): byte \($0.offset): "
      }
      return "\(block ?? "")event \(anomaly.number)"
    }
    let sampling =
      shared.options.measuresLatency ? LatencySampler.stride(events: index.eventCount) : 0
    let events = summary.inputs - tally.skipped.events
    performance = Performance(
      threads: shared.options.threads, elapsedNanoseconds: elapsed,
      decodeNanoseconds: tally.decodeTime, scheduleNanoseconds: tally.scheduleTime,
      events: events, eventsPerSecond: elapsed == 0 ? 0 : Double(events) / (Double(elapsed) / 1e9),
      // A few readings, as each command waits for them.
      clockNanoseconds: MonotonicClock.cost(batches: 11, readingsPerBatch: 25),
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
    let causes = [
      (WakeFigures.health, "health"), (WakeFigures.push, "push"), (WakeFigures.refresh, "refresh"),
    ]
    let names = causes.filter { cause & $0.0 != 0 }
    return names.isEmpty ? "nothing" : names.map(\.1).joined(separator: "+")
  }
}

extension ReplayResult.Performance {
  /// Sets times and speed to the medians of several repetitions, of which the first is slowed by what is not in memory yet.
  package mutating func takeMedians(of repetitions: [Self]) {
    func median<Value: Comparable>(_ value: (Self) -> Value) -> (low: Value, high: Value) {
      let sorted = repetitions.map(value).sorted()
      return (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
    }
    guard !repetitions.isEmpty else { return }
    func medianTime(_ time: (Self) -> UInt64) -> UInt64 {
      let (low, high) = median(time)
      return low + (high - low) / 2
    }
    elapsedNanoseconds = medianTime(\.elapsedNanoseconds)
    decodeNanoseconds = medianTime(\.decodeNanoseconds)
    scheduleNanoseconds = medianTime(\.scheduleNanoseconds)
    let (low, high) = median(\.eventsPerSecond)
    eventsPerSecond = (low + high) / 2
    self.repetitions = repetitions.map(\.eventsPerSecond)
  }
}
