import WakeEvents
import WakeScheduling

/// What the devices of a replay share.
///
/// Unchecked: a scheduler owns unsafe memory, but nothing changes this one after `init`.
final class ReplayShared: @unchecked Sendable {
  let symbols = Symbols()
  let options: ReplayOptions
  let log: WakeLog?
  let anomalies = TimeAnomalies()
  /// The state in which the scheduler of every device starts.
  let scheduler: SchedulerCore

  init(options: ReplayOptions, log: WakeLog?) {
    self.options = options
    self.log = log
    var scheduler = SchedulerCore(
      policy: options.policy, symbols: symbols, accelerations: options.accelerations)
    scheduler.reportsEnds = log != nil
    self.scheduler = scheduler
  }
}
