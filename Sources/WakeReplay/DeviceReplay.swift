import Measurement
import WakeEvents
import WakeScheduling
import WakeTrace

/// The replay of one device, and then of others: their scheduler, and their parts of logs.
///
/// Unchecked: one thread at a time uses it. ``ReplayRun`` passes it from thread to thread in the order of blocks, under
/// the lock of ``ReplayRun/devices``.
final class DeviceReplay: @unchecked Sendable {
  /// The object's own two words, and what each run of rows looks at where nothing is observed: so many bytes before the
  /// scheduler.
  static var bytesBeforeScheduler: Int { 48 }

  /// Nil until the first block is decoded: only a payload holds the device's name.
  private var device: Device?
  /// The latest time taken or counted.
  var latest: Int64?
  /// Nil where no log is written.
  let log: DeviceWakeLog?
  #if DEBUG
    /// Swift checks exclusive access here, as tests are debug builds; a release build does not, see below.
    var scheduler: SchedulerCore
  #else
    /// Unchecked: Swift would check at each access that no other one is under way, which takes 200 instructions of the
    /// 6,000 of a run of ten events. One thread at a time uses this object, and what the scheduler calls meanwhile, such
    /// as ``note(_:_:_:)``, does not use the scheduler.
    @exclusivity(unchecked) private var storedScheduler: SchedulerCore
    var scheduler: SchedulerCore {
      _read { yield unsafe storedScheduler }
      _modify { yield unsafe &storedScheduler }
    }
  #endif
  /// The device's index in the trace index.
  private(set) var place: Int
  /// ``NameHash/device(_:)`` of the device's name.
  private var hash: UInt64
  let shared: ReplayShared
  /// Nil where no wait log is written and waits are not summed.
  private let waits: DeviceWaits?
  /// Nil unless the replay is observed.
  private var observer: (any DeviceObserver)?
  /// Runs in the place of ``scheduler``, if it is another one.
  private var tested: (any DeviceUnderTest)?

  /// The device's replays under the other policies.
  var companions: [DeviceReplay] = []

  init(place: Int, hash: UInt64, shared: ReplayShared) {
    self.place = place
    self.hash = hash
    self.shared = shared
    #if DEBUG
      scheduler = SchedulerCore(like: shared.scheduler, device: nil, hash: hash)
    #else
      unsafe storedScheduler = SchedulerCore(like: shared.scheduler, device: nil, hash: hash)
    #endif
    log = shared.log.map { DeviceWakeLog($0) }
    waits =
      shared.sumsWaits
      ? DeviceWaits(log: shared.waitLog, shared.symbols, times: shared.options.times) : nil
  }

  /// Starts the replay of another device after the last one has finished. The scheduler keeps its memory.
  func restart(place: Int, hash: UInt64) {
    self.place = place
    self.hash = hash
    device = nil
    latest = nil
    observer = nil
    for companion in companions { companion.restart(place: place, hash: hash) }
  }

  /// Asks the processor to fetch what the next run uses. The object itself should have been fetched.
  func prefetch() { scheduler.prefetch() }

  /// The number of rows after which observers may hand over their output: few, as one line of the wait log can be long. The
  /// wake log takes wakes amid a call (``DeviceWakeLog``).
  private static let rowsObserved = 64

  /// Schedules rows of columns.
  ///
  /// - Parameters:
  ///   - numbers: The event numbers of the batch's rows.
  ///   - orderliness: What the decoder knows about the order of the rows, if anything.
  ///   - sampler: Chooses the events whose latency is measured; nil measures none.
  func schedule(
    _ columns: borrowing InputColumns, rows: Range<Int>, device: Device, numbers: EventNumbers,
    orderliness: Orderliness? = nil, tally: inout ReplayTally,
    sampler: inout LatencySampler?
  ) throws(TraceError) {
    guard !rows.isEmpty else { return }
    try start(device, at: columns.times[rows.lowerBound])
    if let tested {
      return try schedule(
        on: tested, columns, rows: rows, numbers: numbers, orderliness: orderliness, tally: &tally,
        sampler: &sampler)
    }
    waits?.addSums(to: tally.waits)
    let isObserved = waits != nil || observer != nil
    let most = isObserved ? Self.rowsObserved : rows.count
    try columns.withRowColumns { (columns) throws(TraceError) in
      var start = rows.lowerBound
      while start < rows.upperBound {
        let end = min(start + most, rows.upperBound)
        schedulePart(
          columns, rows: start..<end, numbers: numbers, orderliness: orderliness, tally: &tally,
          sampler: &sampler)
        tally.tellBegan()
        try handOverLogs(isLast: false)
        start = end
      }
    }
  }

  /// ``schedule(_:rows:device:numbers:orderliness:tally:sampler:)`` if ``ReplayShared/isUnobserved``: runs of devices that
  /// interleave are short. ``ReplayTally/tellBegan()`` must follow.
  func scheduleUnobserved(
    _ columns: borrowing RowColumns, rows: Range<Int>, device: Device, numbers: EventNumbers,
    orderliness: Orderliness?, tally: inout ReplayTally, sampler: inout LatencySampler?
  ) throws(TraceError) {
    guard !rows.isEmpty else { return }
    if device != self.device { try start(device, at: columns.time(at: rows.lowerBound)) }
    schedulePart(
      columns, rows: rows, numbers: numbers, orderliness: orderliness, tally: &tally,
      sampler: &sampler)
    if let log, let latest { try log.handOver(endedBefore: latest) }
  }

  @inline(__always)
  private func schedulePart(
    _ columns: borrowing RowColumns, rows: Range<Int>, numbers: EventNumbers,
    orderliness: Orderliness?, tally: inout ReplayTally, sampler: inout LatencySampler?
  ) {
    let before =
      if let latest { latest } else { columns.time(at: rows.lowerBound) }
    let (present, isLate) = schedule(
      &scheduler, columns, rows: rows, numbers: numbers, orderliness: orderliness, tally: &tally,
      sampler: &sampler)
    latest = present
    // No single time jumps further than all of them together.
    if present - before > TimeAnomaly.jump
      || isLate && shared.anomalies.mayBeFirst(late: numbers.number(ofRow: rows.lowerBound))
    {
      columns.withTimes(of: rows) {
        findAnomalies(
          $0, first: rows.lowerBound, numbers: numbers, from: before, areOrdered: !isLate)
      }
    }
  }

  /// Schedules rows; returns the present, and whether some of the rows were late.
  ///
  /// The scheduler is passed `inout`, so that it is looked up in the object once for all rows.
  private func schedule(
    _ scheduler: inout SchedulerCore, _ columns: borrowing RowColumns, rows: Range<Int>,
    numbers: EventNumbers, orderliness: Orderliness?, tally: inout ReplayTally,
    sampler: inout LatencySampler?
  ) -> (present: Int64, isLate: Bool) {
    let late = scheduler.lateInputs
    var early = EarlyRows(of: rows)
    var row = rows.lowerBound
    while row < rows.upperBound {
      let sampled = sampler?.next(from: row, to: rows.upperBound) ?? rows.upperBound
      if row < sampled {
        scheduler.take(
          columns, rows: row..<sampled, orderliness: orderliness, tellsAll: false, &early,
          &tally.hasher
        ) {
          note($0, $1, &tally.wakes)
        }
      }
      if sampled < rows.upperBound {
        // So that only what the event itself causes is measured.
        tally.tellBegan()
        let begin = MonotonicClock.now()
        scheduler.take(
          columns, rows: sampled..<sampled + 1, orderliness: orderliness, &early, &tally.hasher
        ) {
          note($0, $1, &tally.wakes)
        }
        let end = MonotonicClock.now()
        tally.latency.record(Int64(end - begin), position: numbers.number(ofRow: sampled))
      }
      row = sampled + 1
    }
    return (scheduler.present, scheduler.lateInputs > late)
  }

  /// Adds the counts of a block's samples without the block's rows, if that gives the same result.
  ///
  /// - Returns: False if the block must be decoded; then nothing has changed.
  func takeCounts(_ samples: borrowing SampleCounts) -> Bool {
    // The rows are needed to find the first late event or the first jump ahead.
    guard device != nil, let latest, samples.times.lowerBound >= latest,
      samples.times.upperBound - latest <= TimeAnomaly.jump, scheduler.takeQuietly(samples)
    else { return false }
    self.latest = samples.times.upperBound
    return true
  }

  /// Lets the scheduler do what is due by a time, as a live daemon does.
  func advance(to time: Int64, tally: inout ReplayTally) throws(TraceError) {
    guard device != nil else { return }
    if let tested {
      try tested.advance(to: time)
      if shared.options.bounds != nil { scheduler.take(tested.takeChanges()) }
      return note(tested, &tally.wakes)
    }
    waits?.addSums(to: tally.waits)
    scheduler.advance(to: Timestamp(nanoseconds: time), &tally.hasher) {
      note($0, $1, &tally.wakes)
    }
  }

  /// When the scheduler next wants to be called.
  var nextDue: Int64? {
    guard device != nil else { return nil }
    scheduler.dropEarlyTimers()
    return tested.map(\.nextDue) ?? scheduler.nextDue?.nanoseconds
  }

  /// Ends the device's replay and adds its counts to the tally.
  func finish(tally: inout ReplayTally) throws(TraceError) {
    if device != nil {
      device = nil
      waits?.addSums(to: tally.waits)
      if let tested { try close(tested, &tally) } else { close(&scheduler, &tally) }
    }
    try handOverLogs(isLast: true)
    try log?.finish(place: place)
    try shared.waitLog?.finish(device: place)
  }

  private func close(_ scheduler: inout SchedulerCore, _ tally: inout ReplayTally) {
    let summary = scheduler.close(&tally.hasher) {
      note($0, $1, &tally.wakes)
    } eachApp: {
      tally.apps.add($0)
    }
    tally.summary.addInAnyOrder(summary)
    if scheduler.hadSubscriptions { tally.hadSubscriptions = true }
    if let found = scheduler.foundBounds { tally.bounds.add(found, ofDevice: place) }
  }

  private func start(_ device: Device, at time: Int64) throws(TraceError) {
    guard self.device == nil else {
      guard device == self.device else { throw .devicesOfEqualHash }
      return
    }
    self.device = device
    // A pass that narrows bounds needs no wakes.
    if let scheduler = shared.options.tested, shared.narrowing == nil {
      if tested == nil {
        var tells: ToldParts = shared.log == nil ? [] : .wakes
        if shared.options.bounds != nil { tells.insert(.changes) }
        tested = try scheduler.makeDevice(shared.symbols, tells: tells)
      }
      try tested?.begin(device, hash: hash)
    }
    log?.start(device: shared.symbols.devices.name(of: device), place: place)
    waits?.start(device: shared.symbols.devices.name(of: device), place: place)
    observer = shared.observer?.observer(
      ofDevice: shared.symbols.devices.name(of: device), place: place, shared.symbols)
    restart(&scheduler, device, at: time)
  }

  /// The scheduler is passed `inout`, so that it is looked up in the object once.
  private func restart(_ scheduler: inout SchedulerCore, _ device: Device, at time: Int64) {
    scheduler.restart(like: shared.scheduler, device: device, hash: hash)
    if tested == nil { log?.keepWakes(of: &scheduler) }
    switch (waits, shared.observer?.seesWaits == true ? observer : nil) {
    case (nil, nil): break
    case (let waits?, nil): scheduler.observeWaits { waits.take($0, $1) }
    case (nil, let observer?): scheduler.observeWaits { observer.take($0, $1) }
    case (let waits?, let observer?):
      scheduler.observeWaits {
        waits.take($0, $1)
        observer.take($0, $1)
      }
    }
    if let tracker = shared.makeBoundsTracker(ofDevice: place) { scheduler.observeBounds(tracker) }
    if let watcher = observer?.watcher { scheduler.observeStates(by: watcher, from: time) }
  }

  @inline(__always)
  private func note(_ phase: WakePhase, _ wakes: borrowing WakeView, _ tally: inout WakeTally) {
    guard phase == .began else {
      if let observer { wakes.forEachWake { observer.end($0) } }
      return
    }
    tally.take(wakes)
  }

  func handOverLogs(isLast: Bool) throws(TraceError) {
    if let log, !isLast, let latest {
      // Another scheduler tells of wakes that have ended.
      try log.handOver(endedBefore: tested == nil ? latest : .max)
    }
    try waits?.handOver(all: isLast)
    try observer?.handOver(isLast: isLast)
  }

  /// Reports late inputs and jumps ahead among rows.
  ///
  /// - Parameters:
  ///   - first: The first of the rows.
  ///   - latest: The latest time before the rows.
  ///   - areOrdered: Whether none of them is late.
  func findAnomalies(
    _ times: Span<Int64>, first: Int, numbers: EventNumbers, from latest: Int64, areOrdered: Bool
  ) {
    shared.anomalies.find(
      in: times, ofDevice: device, shared.symbols, from: latest, areOrdered: areOrdered
    ) {
      numbers.number(ofRow: first + $0)
    }
  }
}
