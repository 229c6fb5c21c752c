import CRouse
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
  /// Its number among the instances of the run.
  let number: Int
  /// Whether wakes that have ended are kept for ``handOver(began:ended:)``.
  let tellsWakes: Bool
  let table: rouse_scheduler_t
  let hostTable: UnsafeMutablePointer<rouse_host_t>
  private var instance: UnsafeMutableRawPointer?
  /// Set by whatever thread it is.
  private let calledElsewhere = Atomic(false)
  /// What is wrong, if anything is.
  private(set) var fault: TraceError?

  // The call under way.
  var caller: pthread_t?
  private var function = CallWatch.Function.create
  private var callFirst = 0
  private var callLast = -1
  private var callTime: Int64 = 0

  // The device.
  var device = Device(index: 0)
  var deviceName = ""
  /// What the hashes of its wakes start with.
  var hashStart: UInt64 = 0
  /// By ``App/index``.
  var apps: UnsafeMutableBufferPointer<HostedApp>
  /// The apps of the device by their numbers.
  var order: [App] = []
  /// The ids of pushes by their numbers, from 1.
  var pushes: [String] = []
  var counts = Summary()
  var hashes = WakeHashes()
  /// See ``DeviceUnderTest/present``; also the least time of what is told next.
  var present = Int64.min
  /// The greatest time of what may be told in the call under way.
  var latestTold = Int64.min
  /// How many wakes may begin before the next input is taken.
  var wakesLeft = 0
  var answers = ModelledAnswers()
  /// Whether a wake has begun that Rouse answers, so that the scheduler is to return.
  var mustReturn = false
  /// Apps awake, for the check that their wakes end.
  var awake = 0
  var earliestWake = Int64.max
  /// The hashes of types' names, and marks by which repeated types are found.
  var typeHashes: [UInt64] = []
  var typeMarks: [Int] = []
  var mark = 0
  /// The types of wakes in flight by app, if wakes are kept.
  var carriedTypes: [Int: [SampleType]] = [:]
  var carriedPushes: [Int: String] = [:]
  var begun: [WakeFigures] = []
  var over: [Wake] = []

  init(
    _ host: SchedulerHost, _ shared: HostShared, number: Int, tellsWakes: Bool
  ) throws(TraceError) {
    self.host = host
    self.shared = shared
    self.number = number
    self.tellsWakes = tellsWakes
    unsafe table = host.library.table
    unsafe apps = .allocate(capacity: 0)
    unsafe hostTable = Self.makeTable()
    unsafe hostTable.pointee.rouse = Unmanaged.passUnretained(self).toOpaque()
    unsafe instance = try call(.create) { unsafe table.create(hostTable, shared.policy.pointer) }
    guard unsafe instance != nil else { throw error("create returned null") }
  }

  deinit {
    if let instance = unsafe instance, fault == nil {
      try? call(.destroy) { unsafe table.destroy(instance) }
    }
    unsafe hostTable.deallocate()
    unsafe apps.deallocate()
  }

  // MARK: Calls

  /// Calls the scheduler and throws if anything is wrong after it.
  @inline(__always)
  func call<Result>(
    _ function: CallWatch.Function, first: Int = 0, last: Int = -1, time: Int64 = 0,
    _ body: () -> Result
  ) throws(TraceError) -> Result {
    if let fault { throw fault }
    self.function = function
    (callFirst, callLast, callTime) = (first, last, time)
    caller = pthread_self()
    host.watch?.enter(function, instance: number, first: first, last: last, time: time)
    let result = body()
    host.watch?.leave(instance: number)
    caller = nil
    if calledElsewhere.load(ordering: .relaxed) { fail(Self.elsewhere) }
    if let fault { throw fault }
    return result
  }

  private static let elsewhere = "a call of rouse_host_t from another thread, or outside of a call"

  /// Notes a call back that comes while the instance is not called, or from another thread.
  func failElsewhere() {
    host.watch?.end(with: Self.elsewhere)
    calledElsewhere.store(true, ordering: .relaxed)
  }

  /// Notes what is wrong with a call back. A supervised process ends at once, as the scheduler may never return.
  func fail(_ message: String) {
    guard fault == nil else { return }
    let error = error(message)
    host.watch?.end(with: error.message)
    fault = error
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
    if let fault { throw fault }
  }

  // MARK: A device

  func begin(_ device: Device, hash: UInt64) throws(TraceError) {
    reset()
    self.device = device
    deviceName = shared.symbols.devices.name(of: device)
    var start = WakeHash()
    start.combine(hash)
    hashStart = start.value
    host.watch?.note(device: deviceLabel, instance: number)
    for subscription in host.policy.subscriptions {
      see(shared.symbols.apps.intern(subscription.app))
    }
    try call(.begin) { unsafe table.begin(instance, device.index) }
  }

  /// The device in messages.
  private var deviceLabel: String {
    host.context.isEmpty ? deviceName : "'\(deviceName)' in \(host.context)"
  }

  private func reset() {
    for app in order { unsafe apps[Int(app.index)] = HostedApp() }
    order.removeAll(keepingCapacity: true)
    pushes.removeAll(keepingCapacity: true)
    counts = Summary()
    (present, latestTold) = (.min, .min)
    answers.removeAll()
    mustReturn = false
    (awake, earliestWake) = (0, .max)
    carriedTypes.removeAll(keepingCapacity: true)
    carriedPushes.removeAll(keepingCapacity: true)
  }

  /// Numbers an app that appears on the device (rules, 1).
  func see(_ app: App) {
    let place = Int(app.index)
    if unsafe place >= apps.count { growApps(to: place + 1) }
    guard unsafe apps[place].place < 0 else { return }
    unsafe apps[place].place = order.count
    unsafe apps[place].nameHash = shared.symbols.apps.hash(of: app)
    order.append(app)
  }

  private func growApps(to count: Int) {
    let more = unsafe UnsafeMutableBufferPointer<HostedApp>.allocate(
      capacity: max(count, 2 * apps.count, 16))
    unsafe more.initialize(repeating: HostedApp())
    for place in unsafe apps.indices { unsafe more[place] = unsafe apps[place] }
    unsafe apps.deallocate()
    unsafe apps = unsafe more
  }

  /// Lets everything due at or before a time happen, the answers of modelled apps among it, in the order of rule 4.2.
  func settle(to time: Int64, first: Int = 0, last: Int = -1) throws(TraceError) {
    while true {
      let answer = answers.first
      let target = min(time, answer?.time ?? .max)
      (mustReturn, latestTold) = (false, max(target, present))
      try call(.advance, first: first, last: last, time: target) {
        unsafe table.advance(instance, target)
      }
      // Timers come before answers, and a wake that has begun may be answered sooner.
      if mustReturn { continue }
      guard let answer, answer.time <= time else { break }
      answers.removeFirst()
      let app = unsafe apps[answer.app]
      guard app.isAwake, app.wake.number == answer.wake else { continue }
      try give(
        .complete(app: App(index: UInt32(answer.app)), item: .everything, result: nil),
        at: answer.time, first: first, last: last)
    }
    try checkEnds()
  }

  /// Passes on an input other than a save or delete; everything due has happened.
  func give(_ input: Input, at time: Int64, first: Int, last: Int) throws(TraceError) {
    present = max(present, time)
    (mustReturn, latestTold) = (false, present)
    unsafe try withEvent(input, at: time) { event throws(TraceError) in
      try call(.input, first: first, last: last, time: time) {
        unsafe table.input(instance, event)
      }
    }
  }

  func give(
    _ rows: UnsafePointer<rouse_rows_t>, first: Int, last: Int, time: Int64
  ) throws(TraceError) -> Int {
    try call(.take, first: first, last: last, time: time) { unsafe table.take(instance, rows) }
  }

  func advance(to time: Int64) throws(TraceError) {
    allowWakes(forRows: 1)
    try settle(to: time)
  }

  /// Wakes without end are found by their number: one an app and input is usual.
  func allowWakes(forRows rows: Int) {
    wakesLeft = (rows + 4) * (order.count + 1) * 2 + 1_000
  }

  var nextDue: Int64? {
    let due =
      unsafe table.next_due == nil
      ? Int64.max : (try? call(.nextDue) { unsafe table.next_due(instance) }) ?? .max
    let next = min(due, answers.first?.time ?? .max)
    return next == .max ? nil : next
  }

  var lateInputs: Int { counts.lateInputs }

  /// Finds a wake whose deadline has passed (rule 6.3), as whoever never ends wakes says so nowhere.
  func checkEnds() throws(TraceError) {
    let timeout = host.policy.completionTimeout
    guard awake > 0, earliestWake <= present - timeout else { return }
    earliestWake = .max
    for app in order {
      let state = unsafe apps[Int(app.index)]
      guard state.isAwake else { continue }
      if state.wake.time + timeout < present {
        try stop(
          "the wake of \(name(app)) at \(Timestamp(nanoseconds: state.wake.time).iso8601) has not ended, "
            + "and its deadline (rule 6.3) has passed")
      }
      earliestWake = min(earliestWake, state.wake.time)
    }
  }

  func name(_ app: App) -> String { "app \(shared.symbols.apps.name(of: app).shown)" }

  func finish() throws(TraceError) -> Summary {
    try checkEnds()
    try call(.finish) { unsafe table.finish(instance) }
    for app in order where unsafe apps[Int(app.index)].isAwake {
      keepOver(app, end: nil)
      counts.open += 1
    }
    counts.digest.value = hashes.take()
    return counts
  }

  func forEachApp(_ body: (AppStanding) -> Void) {
    for app in order { body(unsafe apps[Int(app.index)].standing(app)) }
  }

  func handOver(began: (WakeFigures) -> Void, ended: (borrowing Wake) -> Void) {
    for figures in begun { began(figures) }
    begun.removeAll(keepingCapacity: true)
    guard !over.isEmpty else { return }
    for wake in over { ended(wake) }
    over.removeAll(keepingCapacity: true)
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
