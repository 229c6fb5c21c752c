import Measurement
import WakeEvents
import WakeScheduling
import WakeTrace

/// One device under one policy: a scheduler, and what its wakes say of each app.
final class SweptDevice {
  private let row: SweptRow
  private var scheduler: SchedulerCore
  private let apps = Apps()
  private var hasBegun = false

  /// Apart from the scheduler, which tells of drops while it is used.
  private final class Apps {
    var states = SweptApps()
  }

  init(_ row: SweptRow) {
    self.row = row
    scheduler = SchedulerCore(like: row.start, device: nil, hash: 0)
  }

  /// Schedules rows of columns.
  func schedule(
    _ columns: borrowing InputColumns, rows: Range<Int>, device: Device, hash: UInt64,
    orderliness: Orderliness?, locks: borrowing LockedTime
  ) {
    if !hasBegun { begin(device, hash: hash) }
    schedule(
      &scheduler, &row.tally, columns, rows: rows, orderliness: orderliness, locks: locks)
  }

  /// The state is passed `inout`, so that Swift checks exclusive access once for all rows.
  private func schedule(
    _ scheduler: inout SchedulerCore, _ tally: inout SweepTally, _ columns: borrowing InputColumns,
    rows: Range<Int>, orderliness: Orderliness?, locks: borrowing LockedTime
  ) {
    scheduler.take(columns, rows: rows, orderliness: orderliness, &tally.hasher) { phase, wakes in
      apps.states.note(phase, wakes, &tally.wakes, &tally.witness, locks)
    }
  }

  private func begin(_ device: Device, hash: UInt64) {
    hasBegun = true
    scheduler.restart(like: row.start, device: device, hash: hash)
    apps.states.begin(row.windows)
    if row.findsGains {
      scheduler.observeBounds(BoundsTracker(keepingGains: GainCounter.usualSizes))
      return
    }
    scheduler.onDrop = { [apps] app, oldest, time, leavesSome in
      apps.states.drop(app, oldest: oldest, at: time, leavesSome: leavesSome)
    }
    scheduler.onReturn = { [apps] app in apps.states.giveBack(app) }
  }

  /// Ends the device's replay, after which another device's may begin.
  ///
  /// - Parameter place: The device's index in the trace index.
  /// - Returns: What wakes could gain, if that is looked for.
  func finish(place: Int) -> [AppGains] {
    guard hasBegun else { return [] }
    hasBegun = false
    let present = scheduler.present
    scheduler.forEachPending { apps.states.drop($0, oldest: $1, at: present, leavesSome: false) }
    if scheduler.reportsEnds, let flight = scheduler.longestOpenFlight() {
      row.tally.witness.longestFlight = max(row.tally.witness.longestFlight, flight)
    }
    row.tally.witness.mostStrikes = max(row.tally.witness.mostStrikes, scheduler.mostStrikes)
    let counts = scheduler.close(&row.tally.hasher) { _, _ in }
    row.tally.summary.addInAnyOrder(counts)
    row.tally.witness.unanswered += counts.expired + counts.aborted
    row.tally.witness.expired += counts.expired
    row.tally.behind += apps.states.behind
    apps.states.addPeaks(to: &row.tally.witness, row.windows)
    row.tally.carried[place] = apps.states.carried
    return scheduler.foundGains
  }
}

/// What the wakes of a device say of each app, by ``App/index``.
struct SweptApps {
  private struct Standing {
    var owed = OwedTime()
    /// Wakes, and those that carried a type.
    var wakes: Int32 = 0
    var carried: Int32 = 0
  }

  private var standings: [Standing] = []
  /// By app, those of the budget's windows before those of pushes; empty if no window is asked for.
  private var peaks: [[WindowPeak]] = []
  private var windows = SweptWindows()

  mutating func begin(_ windows: SweptWindows) {
    self.windows = windows
    standings.removeAll(keepingCapacity: true)
    peaks.removeAll(keepingCapacity: true)
  }

  /// Takes wakes that began or ended.
  @inline(__always)
  mutating func note(
    _ phase: WakePhase, _ wakes: borrowing WakeView, _ counts: inout WakeCounts,
    _ witness: inout RowWitness, _ locks: borrowing LockedTime
  ) {
    guard phase == .began else {
      if let flight = wakes.answeredFlight {
        witness.longestFlight = max(witness.longestFlight, flight)
      }
      return
    }
    let figures = wakes.figures
    let leavesSome = wakes.leavesSome
    if leavesSome { witness.leftSome = true }
    if figures.saves > 0 { counts.count(figures, locks) }
    if figures.count == 1 {
      note(figures, Int(figures.app.index), leavesSome: leavesSome)
    } else {
      wakes.forEachApp { app, _ in note(figures, Int(app.index), leavesSome: leavesSome) }
    }
  }

  @inline(__always)
  private mutating func note(_ wake: WakeFigures, _ app: Int, leavesSome: Bool) {
    if app >= standings.count { reserve(app) }
    standings[app].wakes += 1
    if wake.saves > 0 {
      standings[app].carried += 1
      standings[app].owed.carry(
        oldest: wake.time - wake.waited, at: wake.time, leavesSome: leavesSome)
    }
    if !windows.isEmpty { noteWindows(wake, app) }
  }

  @inline(never)
  private mutating func noteWindows(_ wake: WakeFigures, _ app: Int) {
    let ofBudget = windows.budget.count
    if wake.cause & (WakeFigures.health | WakeFigures.refresh) != 0 {
      for (place, window) in windows.budget.enumerated() {
        peaks[app][place].add(wake.time, window: window)
      }
    }
    if wake.cause & WakeFigures.push != 0 {
      for (place, window) in windows.push.enumerated() {
        peaks[app][ofBudget + place].add(wake.time, window: window)
      }
    }
  }

  /// Takes what was pending for an app and no wake will carry.
  mutating func drop(_ app: App, oldest: Int64, at time: Int64, leavesSome: Bool) {
    reserve(Int(app.index))
    standings[Int(app.index)].owed.drop(oldest: oldest, at: time, leavesSome: leavesSome)
  }

  /// Saves of an app's last wake come back.
  mutating func giveBack(_ app: App) { standings[Int(app.index)].owed.giveBack() }

  @inline(never)
  private mutating func reserve(_ app: Int) {
    while standings.count <= app { standings.append(Standing()) }
    guard !windows.isEmpty else { return }
    let none = Array(repeating: WindowPeak(), count: windows.budget.count + windows.push.count)
    while peaks.count <= app { peaks.append(none) }
  }

  /// Nanoseconds over all apps.
  var behind: Int128 { standings.reduce(0) { $0 + Int128($1.owed.total) } }

  /// Wakes that carried a type.
  var carried: [Int32] { standings.map(\.carried) }

  func addPeaks(to witness: inout RowWitness, _ windows: SweptWindows) {
    witness.mostWakes = max(witness.mostWakes, Int(standings.map(\.wakes).max() ?? 0))
    for window in windows.budget where witness.charged[window] == nil {
      witness.charged[window] = 0
    }
    for window in windows.push where witness.pushes[window] == nil { witness.pushes[window] = 0 }
    for peaks in peaks {
      for (place, window) in windows.budget.enumerated() {
        witness.charged[window] = max(witness.charged[window] ?? 0, peaks[place].peak)
      }
      for (place, window) in windows.push.enumerated() {
        let peak = peaks[windows.budget.count + place].peak
        witness.pushes[window] = max(witness.pushes[window] ?? 0, peak)
      }
    }
  }
}

/// The windows in which wakes are counted, in nanoseconds.
struct SweptWindows: Sendable {
  var budget: [Int64] = []
  var push: [Int64] = []

  var isEmpty: Bool { budget.isEmpty && push.isEmpty }
}

/// One policy on one thread.
final class SweptRow {
  let start: SchedulerCore
  let windows: SweptWindows
  /// Whether gains are looked for instead of wakes.
  let findsGains: Bool
  var tally = SweepTally()
  /// A device that has finished, to be used again.
  var spare: SweptDevice?

  init(
    _ policy: Policy, _ symbols: Symbols, _ windows: SweptWindows, findsGains: Bool,
    _ accelerations: Accelerations
  ) {
    self.windows = windows
    self.findsGains = findsGains
    var accelerations = accelerations
    if findsGains { accelerations = accelerations.forBounds }
    var start = SchedulerCore(policy: policy, symbols: symbols, accelerations: accelerations)
    // Where every wake has a modelled answer, how long it is in flight is known without the ends.
    start.reportsEnds = findsGains || !policy.answersEachWake
    start.reportsPushes = false
    self.start = start
  }
}

extension Policy {
  /// Whether the modelled app answers each wake.
  var answersEachWake: Bool { behaviour.completesAfter != nil && behaviour.ignoresEvery == 0 }
}
