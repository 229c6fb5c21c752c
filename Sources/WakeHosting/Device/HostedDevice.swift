import CProbes
import CRouse
import CSystem
import Glibc
import Synchronization
import WakeEvents
import WakeReplay
import WakeScheduling
import WakeTrace

/// One instance of a scheduler under test, which runs one device at a time.
///
/// It passes inputs on in the order of the rules, gives the answers of modelled apps (rule 6.4), and checks every call
/// back. What no scheduler may do, whatever its rules, is a fault: the first one ends the replay.
@safe
final class HostedDevice: DeviceUnderTest {
  let host: SchedulerHost
  let shared: HostShared
  let table: rouse_scheduler_t
  let hostTable: UnsafeMutablePointer<rouse_host_t>
  private var instance: UnsafeMutableRawPointer?
  /// Set by whatever thread it is.
  private let calledElsewhere = Atomic(false)
  /// What is wrong, if anything is.
  private var fault: TraceError?
  /// Whether anything is: a look at ``fault`` takes longer.
  private(set) var hasFault = false

  // The call under way.
  private var called: CallWatch.CalledDevice?
  var caller: pthread_t?
  private var function = CallWatch.Function.create
  private var callFirst = 0
  private var callLast = -1
  private var callTime: Int64 = 0

  // The device.
  var device = Device(index: 0)
  private var deviceName = ""
  /// The sources of rows where none were read: zeros.
  var noSources: [UInt32] = []
  /// What it has told.
  var ledger: WakeLedger
  /// Everything due at or before this time has happened; `Int64.min` where an input was given since, as that may make
  /// something due at once, such as an answer without delay.
  private var advancedTo = Int64.min
  /// What `next_due` has told last, and how many times in a row nothing happened then.
  private var lastDue = Int64.min
  private var vainAdvances = 0

  init(
    _ host: SchedulerHost, _ shared: HostShared, tells: ToldParts
  ) throws(TraceError) {
    self.host = host
    self.shared = shared
    ledger = WakeLedger(
      symbols: shared.symbols, policy: host.policy, givesAnswers: host.answersWakes,
      mayAnswer: host.library.givesAnswers, keepsWakes: tells.contains(.wakes),
      keepsChanges: tells.contains(.changes))
    unsafe table = host.library.table
    unsafe hostTable = Self.makeTable()
    unsafe hostTable.pointee.rouse = Unmanaged.passUnretained(self).toOpaque()
    called = host.watch?.device(named: "")
    unsafe instance = try call(.create) { unsafe table.create(hostTable, shared.policy.pointer) }
    guard unsafe instance != nil else { throw error("create returned null") }
  }

  deinit {
    if let instance = unsafe instance, !hasFault {
      try? call(.destroy) { unsafe table.destroy(instance) }
    }
    unsafe hostTable.deallocate()
  }

  // MARK: Calls

  /// Calls the scheduler and throws if anything is wrong after it.
  @inline(__always)
  func call<Result>(
    _ function: CallWatch.Function, first: Int = 0, last: Int = -1, time: Int64 = 0,
    body: () -> Result
  ) throws(TraceError) -> Result {
    if hasFault, let fault { throw fault }
    self.function = function
    (callFirst, callLast, callTime) = (first, last, time)
    caller = pthread_self()
    var slot = 0
    if let watch = host.watch, let called {
      slot = watch.enter(function, first: first, last: last, time: time, on: called)
    }
    let result = body()
    let fork = fork_watch_state()
    if fork == FORK_WATCH_COPY { endCopy() }
    host.watch?.leave(slot)
    if fork != 0 { waitForCopy() }
    caller = nil
    if calledElsewhere.load(ordering: .relaxed) { fail(Self.elsewhere) }
    if hasFault, let fault { throw fault }
    return result
  }

  private static let elsewhere = "a call of rouse_host_t from another thread, or outside of a call"

  /// Notes a call back that comes while the instance is not called, or from another thread.
  func failElsewhere() {
    host.watch?.end(with: Self.elsewhere)
    calledElsewhere.store(true, ordering: .relaxed)
  }

  /// Ends this process, a copy that the scheduler has made and that has returned from a call, too: there would be two replays.
  private func endCopy() -> Never {
    host.watch?.endOriginal(with: error("fork() in a call that returns in both processes").message)
    _exit(1)
  }

  /// Gives a copy of this process a moment to tell of itself, on a busy machine too.
  private func waitForCopy() {
    fork_watch_forget()
    for _ in 0..<1_000 where host.watch?.state == .running { usleep(1_000) }
  }

  /// Notes what is wrong with a call back. A supervised process ends at once, as the scheduler may never return.
  func fail(_ message: String) {
    guard !hasFault else { return }
    let error = error(message)
    host.watch?.end(with: error.message)
    fault = error
    hasFault = true
  }

  private func error(_ message: String) -> TraceError {
    let call = CallWatch.Call(
      function: function, first: callFirst, last: callLast, time: callTime, device: deviceLabel,
      number: 0)
    return TraceError(.faultyScheduler, host.library.path, "\(message); \(call.place)")
  }

  /// Ends the run for a fault found after a call.
  func stop(_ message: String) throws(TraceError) {
    fail(message)
    if hasFault, let fault { throw fault }
  }

  // MARK: A device

  func begin(_ device: Device, hash: UInt64) throws(TraceError) {
    self.device = device
    deviceName = shared.symbols.devices.name(of: device)
    (advancedTo, lastDue, vainAdvances) = (.min, .min, 0)
    ledger.reset()
    ledger.deviceName = deviceName
    var start = WakeHash()
    start.combine(hash)
    ledger.hashStart = start.value
    called = host.watch?.device(named: deviceLabel)
    for subscription in host.policy.subscriptions {
      ledger.see(shared.symbols.apps.intern(subscription.app))
    }
    try call(.begin) { unsafe table.begin(instance, device.index) }
  }

  /// The device in messages.
  private var deviceLabel: String {
    host.context.isEmpty ? deviceName : "'\(deviceName)' in \(host.context)"
  }

  /// Lets everything due at or before a time happen, the answers of modelled apps among it, in the order of rule 4.2.
  func settle(to time: Int64, first: Int = 0, last: Int = -1) throws(TraceError) {
    while true {
      let answer = host.answersWakes ? ledger.answers.first : nil
      let target = min(time, answer?.time ?? .max)
      ledger.mustReturn = false
      ledger.latestTold = max(target, ledger.present)
      try call(.advance, first: first, last: last, time: target) {
        unsafe table.advance(instance, target)
      }
      // Timers come before answers, and a wake that has begun may be answered sooner.
      if ledger.mustReturn { continue }
      guard let answer, answer.time <= time else { break }
      ledger.answers.removeFirst()
      let app = unsafe ledger.apps[answer.app]
      guard app.awakeUntil == .max, app.wake.number == answer.wake else { continue }
      try give(
        .complete(app: App(index: UInt32(answer.app)), item: .everything, result: nil),
        at: answer.time, first: first, last: last)
    }
    try checkEnds()
  }

  /// Passes on an input other than a save or delete; everything due has happened.
  func give(_ input: Input, at time: Int64, first: Int, last: Int) throws(TraceError) {
    ledger.present = max(ledger.present, time)
    ledger.mustReturn = false
    ledger.latestTold = ledger.present
    advancedTo = .min
    unsafe try withEvent(input, at: time) { event throws(TraceError) in
      try call(.input, first: first, last: last, time: time) {
        unsafe table.input(instance, event)
      }
    }
  }

  func give(
    _ rows: UnsafePointer<rouse_rows_t>, first: Int, last: Int, time: Int64
  ) throws(TraceError) -> Int {
    advancedTo = .min
    return try call(.take, first: first, last: last, time: time) {
      unsafe table.take(instance, rows)
    }
  }

  func advance(to time: Int64) throws(TraceError) {
    ledger.allowWakes(forRows: 1)
    let before = ledger.happened
    try settle(to: time)
    // Those that were told ahead have come by then, though nothing is told of them.
    ledger.passAnswers(to: time)
    advancedTo = time
    if ledger.happened != before { vainAdvances = 0 } else if time == lastDue { vainAdvances += 1 }
    guard vainAdvances <= 1_000 + 10 * ledger.order.count else {
      return try stop("next_due told of \(vainAdvances) times at which nothing happened")
    }
  }

  var nextDue: Int64? {
    let next = min(toldDue, host.answersWakes ? ledger.answers.first?.time ?? .max : .max)
    return next == .max ? nil : next
  }

  /// What `next_due` returns; a fault in it is thrown by the next call.
  private var toldDue: Int64 {
    guard unsafe table.next_due != nil,
      let due = try? call(.nextDue, body: { unsafe table.next_due(instance) }),
      due <= Timestamp.validRange.upperBound
    else { return .max }
    // Else a paced replay would never go on.
    guard due >= present, due > advancedTo else {
      fail(
        "next_due returned \(due), but everything due up to \(max(present, advancedTo)) has happened"
      )
      return .max
    }
    lastDue = due
    return due
  }

  var lateInputs: Int { ledger.counts.lateInputs }
  var present: Int64 { ledger.present }

  /// Finds a wake whose deadline has passed.
  func checkEnds() throws(TraceError) {
    noting { ledger throws(Misdeed) in try ledger.checkEnds() }
    if hasFault, let fault { throw fault }
  }

  func finish() throws(TraceError) -> Summary {
    try checkEnds()
    try call(.finish) { unsafe table.finish(instance) }
    return ledger.close()
  }

  func forEachApp(_ body: (AppStanding) -> Void) {
    for app in ledger.order {
      body(unsafe ledger.apps[Int(app.index)].standing(app, isAwake: ledger.isAwake(app)))
    }
  }

  func handOver(began: (WakeFigures) -> Void, ended: (borrowing Wake) -> Void) {
    ledger.passAnswers(to: ledger.present)
    for figures in ledger.begun { began(figures) }
    ledger.begun.removeAll(keepingCapacity: true)
    guard !ledger.over.isEmpty else { return }
    for wake in ledger.over { ended(wake) }
    ledger.over.removeAll(keepingCapacity: true)
  }

  func takeChanges() -> [ToldChange] {
    ledger.passAnswers(to: ledger.present)
    defer { ledger.changes.removeAll() }
    return ledger.changes
  }
}

// What the scheduler tells.
extension HostedDevice {
  /// Wakes begin; returns whether the scheduler is to return before anything else happens.
  func began(_ wake: UnsafePointer<rouse_wake_t>) -> Bool {
    noting { ledger throws(Misdeed) in
      let told = try unsafe ToldWake(wake)
      let number = ledger.counts.wakes
      try ledger.begin(told)
      for place in unsafe told.apps.indices {
        rouse_probe_wake(
          told.time, unsafe UInt64(told.apps[place]), UInt64(number + place + 1),
          UInt64(told.saves))
      }
    }
    return hasFault || ledger.mustReturn
  }

  /// The wakes of apps end.
  func ended(_ apps: UnsafePointer<UInt32>?, _ count: Int, at time: Int64, _ outcome: Int32) {
    noting { ledger throws(Misdeed) in
      guard unsafe apps != nil, count > 0 else {
        throw Misdeed("the end of the wakes of \(count) apps")
      }
      try unsafe ledger.end(
        UnsafeBufferPointer(start: apps, count: count), at: time, outcome)
    }
  }

  /// Lets the ledger take something, and notes what is wrong with it.
  @inline(__always)
  func noting(_ body: (inout WakeLedger) throws(Misdeed) -> Void) {
    guard !hasFault else { return }
    do {
      try body(&ledger)
    } catch {
      fail(error.message)
    }
  }
}

extension CallWatch.Call {
  /// The call in words: `in take, at event 5 (2026-01-01T00:00:00Z) of device watch`.
  package var place: String {
    switch function {
    case .load: return "while it is loaded"
    case .exit: return "after the last device"
    default: break
    }
    var text = "in \(function.word)"
    let time = Timestamp(nanoseconds: time).iso8601
    if last > first {
      text += ", given events \(first) to \(last), the first at \(time)"
    } else if last == first {
      text += ", at event \(first) (\(time))"
    } else if function == .advance {
      text += " to \(time)"
    }
    return device.isEmpty ? text : text + " of device \(device.shown)"
  }
}
