import CProbes
import Measurement
import Synchronization
import WakeEvents
public import WakeTrace

/// Feeds traces to schedulers, one for each device, and measures.
///
/// Blocks are decoded by whichever thread is free and applied to each device in order; devices are
/// independent, so the result is the same for any number of threads.
public struct Replayer {
  private let files: [TraceFile]
  private let options: ReplayOptions

  /// Makes a replayer of traces; several are merged by time (DESIGN, "The trace file").
  public init(files: [TraceFile], options: ReplayOptions) {
    self.files = files
    self.options = options
  }

  /// Replays everything.
  ///
  /// - Parameter progress: Called now and then with the events done and all of them, from any thread.
  /// - Throws: ``TraceError`` for damage, unless the options say to keep going, and when the wake log
  ///   cannot be written.
  /// - Complexity: O(events). Memory does not grow with them, but with names (at most
  ///   ``TraceLimits/nameBytesInAll`` of each sort), with the devices whose events are spread over the
  ///   trace, or with all devices of a paced replay (some 7 kB each), and for a wake log with the wakes
  ///   that end while an earlier one of their device is in flight.
  public func run(
    progress: (@Sendable (_ done: Int, _ all: Int) -> Void)? = nil
  ) throws(TraceError) -> ReplayResult {
    let begin = MonotonicClock.now()
    let index = try TraceIndex(
      files: files, selection: options.selection, keepsGoing: options.keepsGoing)
    var log: WakeLog?
    if let path = options.wakeLog { log = try WakeLog(path: path) }
    let shared = ReplayShared(options: options, log: log)
    let run = ReplayRun(index: index, shared: shared, progress: progress)
    var tally = ReplayTally()
    var pacing: Pacing?
    switch options.speed {
    case .maximum:
      try run.feedAll(tally: &tally)
    case .paced(let factor):
      pacing = try PacedRun(run: run, factor: factor).feedAll(tally: &tally)
    }
    tally.settleDigest()
    try log?.commit()
    let elapsed = MonotonicClock.now() - begin
    return ReplayResult(
      index: index, shared: shared, run: run, tally: tally, elapsed: elapsed, pacing: pacing)
  }
}
