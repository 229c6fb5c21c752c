import WakeEvents
import WakeScheduling

/// What the devices of a replay share.
///
/// Unchecked: a scheduler owns unsafe memory, but nothing changes this one after `init`.
final class ReplayShared: @unchecked Sendable {
  let symbols = Symbols()
  let options: ReplayOptions
  let log: WakeLog?
  let waitLog: WakeLog?
  let observer: (any ReplayObserver)?
  let anomalies = TimeAnomalies()
  /// The state in which the scheduler of every device starts.
  let scheduler: SchedulerCore

  init(
    options: ReplayOptions, log: WakeLog?, waitLog: WakeLog? = nil,
    observer: (any ReplayObserver)? = nil
  ) {
    self.options = options
    self.log = log
    self.waitLog = waitLog
    self.observer = observer
    let observesWaits = waitLog != nil || observer != nil
    // Each app has waits of its own.
    let accelerations =
      observesWaits ? options.accelerations.subtracting(.cohorts) : options.accelerations
    var scheduler = SchedulerCore(
      policy: options.policy, symbols: symbols, accelerations: accelerations)
    scheduler.reportsEnds = log != nil || observer != nil
    self.scheduler = scheduler
  }
}
