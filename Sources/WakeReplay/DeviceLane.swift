import CProbes
import Measurement
import WakeEvents
import WakeScheduling
import WakeTrace

/// One device in a replay: its scheduler, and its part of the wake log.
///
/// Used by one thread at a time: the replayer hands it from thread to thread in the order of blocks.
final class DeviceLane {
  /// That of the device, if there is one.
  private var scheduler: Scheduler
  private var place: Int
  /// The ``NameHash/device(_:)`` of its name.
  private var hash: UInt64
  private let shared: ReplayShared

  private var line: WakeLine?
  /// Wakes that ended before one with a lower number did.
  private var early: [Int: Wake] = [:]
  private var nextWake = 1
  private var logBytes: [UInt8] = []

  /// The latest time fed or counted.
  var latest: Int64?
  private var device: Device?

  /// More ahead than this is a jump: a year of 365 days.
  static let jump: Int64 = 365 * 86_400_000_000_000
  /// Lines of the wake log are handed on in pieces of this size.
  private static let logPiece = 64 << 10

  init(place: Int, hash: UInt64, shared: ReplayShared) {
    self.place = place
    self.hash = hash
    self.shared = shared
    scheduler = Scheduler(
      like: shared.start.scheduler, device: nil, hash: hash, holdsWakes: false)
  }

  /// Becomes the lane of another device after that of the last one has finished.
  func restart(place: Int, hash: UInt64) {
    self.place = place
    self.hash = hash
    device = nil
    latest = nil
    nextWake = 1
  }

  /// Feeds rows of columns.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of the batch's rows.
  ///   - orderliness: What is sure about the rows, if anything is.
  ///   - sampler: Which events' latency is measured; nil is none.
  func feed(
    _ columns: borrowing InputColumns, rows: Range<Int>, device: Device, numbers: EventNumbers,
    orderliness: Orderliness? = nil, tally: inout ReplayTally,
    sampler: inout LatencySampler?
  ) throws(TraceError) {
    guard !rows.isEmpty else { return }
    try start(device)
    let before = latest ?? columns.times[rows.lowerBound]
    let (present, isLate) = feed(
      &scheduler, columns, rows: rows, numbers: numbers, orderliness: orderliness, tally: &tally,
      sampler: &sampler)
    latest = present
    // No time jumps further than all of them together.
    if present - before > Self.jump
      || isLate && shared.oddTimes.mayBeFirst(late: numbers.number(ofRow: rows.lowerBound))
    {
      findOddTimes(columns, rows: rows, numbers: numbers, from: before)
    }
    try handOnLog(force: false)
  }

  // The scheduler holds no wakes, so it is lent the thread's hasher for whatever may end some.
  //
  // The scheduler is given to what does several things with it, so that access to it is checked, and its
  // place found, once for all of them.

  /// Feeds rows to the scheduler; returns the present, and whether some of them were late.
  private func feed(
    _ scheduler: inout Scheduler, _ columns: borrowing InputColumns, rows: Range<Int>,
    numbers: EventNumbers, orderliness: Orderliness?, tally: inout ReplayTally,
    sampler: inout LatencySampler?
  ) -> (present: Int64, isLate: Bool) {
    scheduler.exchangeHasher(for: &tally.hasher)
    defer { scheduler.exchangeHasher(for: &tally.hasher) }
    let late = scheduler.counts.lateInputs
    func feed(_ rows: Range<Int>, _ tally: inout ReplayTally) {
      scheduler.feed(columns, rows: rows, orderliness: orderliness) { note($0, $1, &tally) }
    }
    var row = rows.lowerBound
    while row < rows.upperBound {
      guard var current = sampler else {
        feed(row..<rows.upperBound, &tally)
        break
      }
      let sampled = current.next(from: row, to: rows.upperBound)
      sampler = current
      if row < sampled { feed(row..<sampled, &tally) }
      if sampled < rows.upperBound {
        let begin = MonotonicClock.now()
        feed(sampled..<sampled + 1, &tally)
        let end = MonotonicClock.now()
        tally.latency.record(Int64(end - begin), position: numbers.number(ofRow: sampled))
      }
      row = sampled + 1
    }
    return (scheduler.present, scheduler.counts.lateInputs > late)
  }

  /// Takes samples by their counts alone, if that is exact and the device is known; says whether it did.
  func takeQuietly(_ samples: borrowing SampleCounts) -> Bool {
    device != nil && scheduler.takeQuietly(samples)
  }

  /// Lets what is due by a time happen, as a daemon does.
  func advance(to time: Int64, tally: inout ReplayTally) {
    guard device != nil else { return }
    scheduler.exchangeHasher(for: &tally.hasher)
    scheduler.elapse(to: Timestamp(nanoseconds: time)) { note($0, $1, &tally) }
    scheduler.exchangeHasher(for: &tally.hasher)
  }

  /// When the device next wants to be called.
  var nextDue: Int64? { device == nil ? nil : scheduler.nextDue?.nanoseconds }

  /// Ends the device's run.
  func finish(tally: inout ReplayTally) throws(TraceError) {
    if device != nil {
      device = nil
      close(&scheduler, &tally)
    }
    try handOnLog(force: true)
    try shared.log?.finish(device: place)
  }

  private func close(_ scheduler: inout Scheduler, _ tally: inout ReplayTally) {
    scheduler.exchangeHasher(for: &tally.hasher)
    scheduler.forEachApp { tally.count($0) }
    scheduler.closeUndigested { note($0, $1, &tally) }
    scheduler.exchangeHasher(for: &tally.hasher)
    tally.summary.addInAnyOrder(scheduler.counts)
  }

  private func start(_ device: Device) throws(TraceError) {
    guard self.device == nil else {
      // Headers know devices by hashes, and a forged name may have another's.
      guard device == self.device else {
        throw TraceError(
          code: .malformed, file: "traces",
          message: "two devices have names with the same hash, so their events cannot be told apart"
        )
      }
      return
    }
    self.device = device
    scheduler.restart(like: shared.start.scheduler, device: device, hash: hash)
    if shared.log != nil {
      let name = shared.symbols.devices.name(of: device)
      line = WakeLine(symbols: shared.symbols, device: name)
    }
  }

  @inline(__always)
  private func note(_ phase: WakePhase, _ wakes: borrowing WakeView, _ tally: inout ReplayTally) {
    guard phase == .began else {
      if line != nil { wakes.forEachWake { log($0) } }
      return
    }
    let (time, saves) = (wakes.time.nanoseconds, UInt64(wakes.saves))
    wakes.forEachApp { rouse_probe_wake(time, UInt64($0.index), UInt64($1), saves) }
    tally.count(wakes.figures, times: wakes.count)
  }

  /// Adds a wake to the log, or keeps it until those with lower numbers have ended.
  private func log(_ wake: borrowing Wake) {
    guard let line else { return }
    guard wake.number == nextWake else {
      early[wake.number] = copy wake
      return
    }
    line.append(wake, to: &logBytes)
    nextWake += 1
    while let waiting = early.removeValue(forKey: nextWake) {
      line.append(waiting, to: &logBytes)
      nextWake += 1
    }
  }

  private func handOnLog(force: Bool) throws(TraceError) {
    guard let log = shared.log, force || logBytes.count >= Self.logPiece else { return }
    try log.append(logBytes, device: place)
    logBytes.removeAll(keepingCapacity: true)
  }

  /// Tells of the late inputs and jumps ahead among rows.
  ///
  /// - Parameter latest: The latest time before them.
  private func findOddTimes(
    _ columns: borrowing InputColumns, rows: Range<Int>, numbers: EventNumbers, from latest: Int64
  ) {
    var previous = latest
    for row in rows {
      let time = columns.times[row]
      if time < previous || time - previous > Self.jump {
        shared.oddTimes.note(
          OddTime(
            device: device.map(shared.symbols.devices.name(of:)) ?? "",
            event: numbers.number(ofRow: row), time: time, previous: previous))
      }
      previous = max(previous, time)
    }
  }
}

/// What the lanes of a replay share.
struct ReplayShared: Sendable {
  let symbols: Symbols
  let options: ReplayOptions
  let log: WakeLog?
  let start: DeviceStart
  let oddTimes = OddTimes()

  init(options: ReplayOptions, log: WakeLog?) {
    symbols = Symbols()
    self.options = options
    self.log = log
    start = DeviceStart(policy: options.policy, symbols: symbols, tellsAll: log != nil)
  }
}

/// What every device starts as.
///
/// Unchecked, as a scheduler has memory of its own, which nobody changes here.
final class DeviceStart: @unchecked Sendable {
  let scheduler: Scheduler

  init(policy: Policy, symbols: Symbols, tellsAll: Bool) {
    var scheduler = Scheduler(policy: policy, symbols: symbols)
    scheduler.tellsAll = tellsAll
    self.scheduler = scheduler
  }
}

/// Picks the events whose latency is measured, at uneven distances so that no rhythm of the trace is met
/// again and again.
struct LatencySampler {
  private var random: UInt64
  private var distance = 0
  private let stride: Int

  /// Of long traces one event in so many is measured: reading the clock costs more than ten events.
  private static let longestStride = 1_024
  /// Of shorter ones about so many events are: enough for eight beyond the 99.9th percentile.
  private static let eventsMeasured = 8_192

  /// One event in so many is measured of a trace with `events` events.
  static func stride(events: Int) -> Int {
    min(longestStride, max(1, events / eventsMeasured))
  }

  init(seed: UInt64, stride: Int) {
    random = seed &* 2 &+ 1
    self.stride = stride
    draw()
  }

  private mutating func draw() {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    distance = 1 + Int(random >> 33) % (2 * stride - 1)
  }

  /// The next row to measure, or `end` if it lies beyond.
  mutating func next(from row: Int, to end: Int) -> Int {
    let sampled = row + distance - 1
    guard sampled < end else {
      distance -= end - row
      return end
    }
    draw()
    return sampled
  }
}
