import Measurement
import WakeEvents
public import WakeTrace

/// Replays traces through schedulers, one for each device, and measures.
///
/// Any free thread decodes a block; each device's blocks are applied in order. Devices are independent, so
/// the result does not depend on the number of threads.
public struct Replayer {
  private let files: [TraceFile]
  private let options: ReplayOptions

  /// Makes a replayer of traces. Streams of one device are merged by time.
  public init(files: [TraceFile], options: ReplayOptions) {
    self.files = files
    self.options = options
  }

  /// Replays everything.
  ///
  /// - Parameter progress: Called from any thread, after each block, with the events done and all events.
  /// - Throws: `TraceError` for damage, unless the options say to keep going, and if a log cannot be written.
  /// - Complexity: O(events). Memory does not grow with the events. It grows with the names (at most
  ///   `TraceLimits.nameBytesInAll` of each kind), with the devices whose events are spread over several
  ///   blocks (all devices, if paced; some 3 kB each), and, some 60 bytes each and up to four times that, with the wakes that
  ///   wait in a wake log for one in flight, or that one input causes. With bounds it grows with the apps of all devices in
  ///   progress, each up to about a megabyte.
  public func run(
    progress: (@Sendable (_ done: Int, _ all: Int) -> Void)? = nil
  ) throws(TraceError) -> ReplayResult {
    try run(
      log: try options.wakeLog.map { path throws(TraceError) in
        try WakeLog(path: path, isPrivate: makesPrivateLogs)
      },
      progress: progress)
  }

  /// Replays everything under ``ReplayOptions/policy`` and under each of ``ReplayOptions/otherPolicies``, decoding it once;
  /// returns the results in this order.
  ///
  /// - Precondition: With other policies, nothing is asked for that ``ReplayOptions/otherPolicies`` rules out.
  /// - Throws: `TraceError` for damage, unless the replay keeps going, and for files that cannot be read or written.
  public func runAll(
    progress: (@Sendable (_ done: Int, _ all: Int) -> Void)? = nil
  ) throws(TraceError) -> [ReplayResult] {
    guard !options.otherPolicies.isEmpty else { return [try run(progress: progress)] }
    precondition(
      options.wakeLog == nil && options.waitLog == nil && options.bounds == nil
        && options.tested == nil && options.speed == .maximum && !options.skipsQuiet)
    let begin = MonotonicClock.now()
    let index = try TraceIndex(
      files: files, selection: options.selection, keepsGoing: options.keepsGoing)
    var options = options
    options.measuresLatency = false
    let shared = ReplayShared(options: options)
    let others = options.otherPolicies.map { ReplayShared($0, of: shared) }
    let run = ReplayRun(index: index, shared: shared, others: others, progress: progress)
    var tally = ReplayTally()
    try run.replayAll(tally: &tally)
    tally.finishDigest()
    let elapsed = MonotonicClock.now() - begin
    var results = [
      ReplayResult(
        index: index, shared: shared, run: run, tally: tally, elapsed: elapsed, pacing: nil)
    ]
    for (other, counted) in zip(others, run.otherTallies) {
      results.append(
        ReplayResult(
          index: index, shared: other, run: run, tally: counted.take(), elapsed: elapsed,
          pacing: nil))
    }
    return results
  }

  /// ``run(progress:)`` with an observer, without a wake log.
  package func run(
    observer: any ReplayObserver, progress: (@Sendable (_ done: Int, _ all: Int) -> Void)?
  ) throws(TraceError) -> ReplayResult {
    try run(log: nil, observer: observer, progress: progress)
  }

  /// Whether not everybody may read what the logs are made of.
  private var makesPrivateLogs: Bool {
    options.makesPrivateLogs || files.contains(where: \.isPrivate)
  }

  /// ``run(progress:)`` with a log other than that of the options.
  ///
  /// - Precondition: There is no observer where there is a log, as ends are not reported then.
  func run(
    log: WakeLog?, observer: (any ReplayObserver)? = nil,
    progress: (@Sendable (_ done: Int, _ all: Int) -> Void)?
  ) throws(TraceError) -> ReplayResult {
    precondition(log == nil || observer == nil)
    let begin = MonotonicClock.now()
    let waitLog = try options.waitLog.map { path throws(TraceError) in
      try WakeLog(path: path, isPrivate: makesPrivateLogs)
    }
    let index = try TraceIndex(
      files: files, selection: options.selection, keepsGoing: options.keepsGoing)
    let symbols = Symbols()
    let writer = log.map {
      WakeLogWriter(
        $0, symbols, times: options.times, threads: options.threads,
        isPaced: options.speed != .maximum)
    }
    defer { writer?.cancel() }
    let shared = ReplayShared(
      options: options, symbols: symbols, log: writer, waitLog: waitLog, observer: observer)
    let run = ReplayRun(index: index, shared: shared, progress: progress)
    var tally = ReplayTally()
    var pacing: ReplayResult.PaceKeeping?
    switch options.speed {
    case .maximum:
      try run.replayAll(tally: &tally)
    case .paced(let factor):
      pacing = try PacedRun(run: run, factor: factor).replayAll(tally: &tally)
    }
    try run.findBounds(tally: &tally)
    tally.finishDigest()
    try writer?.finish()
    try log?.commit()
    try waitLog?.commit()
    let elapsed = MonotonicClock.now() - begin
    return ReplayResult(
      index: index, shared: shared, run: run, tally: tally, elapsed: elapsed, pacing: pacing)
  }
}
