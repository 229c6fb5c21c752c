import WakeEvents
import WakeScheduling
import WakeTrace

/// What the devices of a replay share.
///
/// Unchecked: a scheduler owns unsafe memory, but nothing changes this one after `init`.
final class ReplayShared: @unchecked Sendable {
  let symbols: Symbols
  let options: ReplayOptions
  /// Nil where no wake log is written.
  let log: WakeLogWriter?
  let waitLog: WakeLog?
  let observer: (any ReplayObserver)?
  /// Whether the result has the sums of waits.
  let sumsWaits: Bool
  let anomalies = TimeAnomalies()
  /// The state in which the scheduler of every device starts.
  let scheduler: SchedulerCore
  /// How much is read of inputs other than saves and deletes: another scheduler looks at whole ones, and all that names a
  /// wake or wait names pushes by their ids (as `SchedulerCore.namesPushes` says).
  let othersRead: BlockDecoder.OtherInputs
  /// Whether devices are scheduled by Rouse's own scheduler, and nobody wants more of them than counts and a wake log.
  let isUnobserved: Bool

  /// The unfinished bounds of devices, by device index, in a further pass that narrows them; nil in the first pass, which
  /// replays all devices.
  let narrowing: [Int: [AppBounds]]?

  convenience init(
    options: ReplayOptions, symbols: Symbols = Symbols(), log: WakeLogWriter? = nil,
    waitLog: WakeLog? = nil,
    observer: (any ReplayObserver)? = nil
  ) {
    self.init(
      options: options, log: log, waitLog: waitLog, observer: observer, symbols: symbols,
      narrowing: nil)
  }

  /// What devices share that are replayed again for their bounds alone.
  convenience init(narrowing open: [Int: [AppBounds]], of shared: ReplayShared) {
    var options = shared.options
    options.measuresLatency = false
    options.skipsQuiet = false
    self.init(
      options: options, log: nil, waitLog: nil, observer: nil, symbols: shared.symbols,
      narrowing: open)
  }

  /// What devices share under another policy, of which nothing but the counts is kept.
  convenience init(_ other: ReplayOptions.OtherPolicy, of shared: ReplayShared) {
    var options = shared.options
    (options.policy, options.policyName) = (other.policy, other.name)
    self.init(
      options: options, log: nil, waitLog: nil, observer: nil, symbols: shared.symbols,
      narrowing: nil)
  }

  private init(
    options: ReplayOptions, log: WakeLogWriter?, waitLog: WakeLog?, observer: (any ReplayObserver)?,
    symbols: Symbols, narrowing: [Int: [AppBounds]]?
  ) {
    self.symbols = symbols
    self.options = options
    self.log = log
    self.waitLog = waitLog
    self.observer = observer
    self.narrowing = narrowing
    sumsWaits = narrowing == nil && (waitLog != nil || options.sumsWaits)
    let observesWaits = sumsWaits || observer?.seesWaits == true
    var accelerations = options.accelerations
    // Each app has waits of its own.
    if observesWaits { accelerations.remove(.cohorts) }
    // Where another scheduler is tested, this one follows it for its bounds.
    let isTested = options.tested != nil
    if observer?.seesStates == true || isTested && options.bounds != nil {
      accelerations.subtract(.hidingArrivals)
    } else if options.bounds != nil {
      accelerations = accelerations.forBounds
    }
    var scheduler = SchedulerCore(
      policy: isTested ? options.policy.withoutWakes : options.policy, symbols: symbols,
      accelerations: accelerations)
    scheduler.hashesWakes = !isTested
    scheduler.reportsEnds = observer != nil
    // Wakes that begin are only counted here; observers take those that end.
    scheduler.tellsInBatches = true
    let namesPushes = scheduler.reportsEnds || log != nil || observesWaits
    othersRead = isTested ? .whole : namesPushes ? .briefWithPushIDs : .brief
    isUnobserved = !isTested && observer == nil && !sumsWaits
    self.scheduler = scheduler
  }

  /// Whether a device is replayed.
  func replays(_ place: Int) -> Bool { narrowing.map { $0[place] != nil } ?? true }
}
