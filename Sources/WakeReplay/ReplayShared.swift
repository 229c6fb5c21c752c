import WakeEvents
import WakeScheduling

/// What the devices of a replay share.
struct ReplayShared: Sendable {
  let symbols: Symbols
  let options: ReplayOptions
  let log: WakeLog?
  let start: DeviceStart
  let anomalies = TimeAnomalies()

  init(options: ReplayOptions, log: WakeLog?) {
    symbols = Symbols()
    self.options = options
    self.log = log
    start = DeviceStart(options: options, symbols: symbols, reportsEnds: log != nil)
  }
}

/// The scheduler's state in which every device starts.
///
/// Unchecked: a scheduler owns unsafe memory, but nothing changes this one after `init`.
final class DeviceStart: @unchecked Sendable {
  let scheduler: SchedulerCore

  init(options: ReplayOptions, symbols: Symbols, reportsEnds: Bool) {
    var scheduler = SchedulerCore(
      policy: options.policy, symbols: symbols, accelerations: options.accelerations)
    scheduler.reportsEnds = reportsEnds
    self.scheduler = scheduler
  }
}
