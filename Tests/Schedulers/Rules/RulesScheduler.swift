// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The name is that of the header.

// Rouse's own scheduler as a scheduler of others: behind rouse_scheduler.h, as a shared library. It shows what the header
// costs, and how a scheduler in Swift is put on the bench.
//
//     swift build -c release --product rouse-rules
//     rouse replay Traces/watch-day.wtrace --scheduler .build/release/librouse-rules.so

public import CRouse
import Synchronization
import WakeEvents
import WakeScheduling

@c @implementation
public func rouse_scheduler() -> UnsafePointer<rouse_scheduler_t>? { unsafe UnsafePointer(table) }

/// The table lives as long as the process.
nonisolated(unsafe) private let table: UnsafeMutablePointer<rouse_scheduler_t> = {
  let table = UnsafeMutablePointer<rouse_scheduler_t>.allocate(capacity: 1)
  unsafe table.initialize(to: rouse_scheduler_t())
  unsafe table.pointee.size = MemoryLayout<rouse_scheduler_t>.size
  let name: StaticString = "Rouse's rules"
  unsafe table.pointee.name = unsafe UnsafeRawPointer(name.utf8Start)
    .assumingMemoryBound(to: CChar.self)
  unsafe table.pointee.flags = UInt32(ROUSE_SCHEDULER_THREADS | ROUSE_SCHEDULER_ANSWERS)
  unsafe table.pointee.create = { host, policy in
    guard let host = unsafe host, let policy = unsafe policy else { return nil }
    return unsafe Unmanaged.passRetained(RulesScheduler(host, policy)).toOpaque()
  }
  unsafe table.pointee.destroy = { instance in
    guard let instance = unsafe instance else { return }
    unsafe Unmanaged<RulesScheduler>.fromOpaque(instance).release()
  }
  unsafe table.pointee.begin = { instance, device in
    unsafe RulesScheduler.with(instance) { $0.begin(Device(index: device)) }
  }
  unsafe table.pointee.take = { instance, rows in
    guard let rows = unsafe rows else { return 0 }
    unsafe RulesScheduler.with(instance) { unsafe $0.take(rows.pointee) }
    return unsafe rows.pointee.count
  }
  unsafe table.pointee.input = { instance, event in
    guard let event = unsafe event else { return }
    unsafe RulesScheduler.with(instance) { unsafe $0.take(event.pointee) }
  }
  unsafe table.pointee.next_due = { instance in
    unsafe RulesScheduler.with(instance) { $0.nextDue }
  }
  unsafe table.pointee.advance = { instance, time in
    unsafe RulesScheduler.with(instance) { $0.advance(to: time) }
  }
  unsafe table.pointee.finish = { instance in
    unsafe RulesScheduler.with(instance) { $0.finish() }
  }
  return unsafe table
}()

/// What the instances of a replay share: names, which have the host's numbers, and the state in which devices start.
///
/// Unchecked: nothing changes the state, and names may be added by any thread, as all add the same.
@safe
private final class SharedRules: @unchecked Sendable {
  private let policy: UnsafePointer<rouse_policy_t>
  let symbols = Symbols()
  let start: SchedulerCore

  private struct Latest {
    weak var rules: SharedRules?
  }
  private static let latest = Mutex(Latest())

  /// Those of a policy. It lives as long as one of its instances, so no other one has its address meanwhile.
  static func of(
    _ policy: UnsafePointer<rouse_policy_t>, _ host: UnsafePointer<rouse_host_t>
  ) -> SharedRules {
    latest.withLock { latest in
      if let rules = latest.rules, unsafe rules.policy == policy { return rules }
      let rules = unsafe SharedRules(policy, host)
      latest.rules = rules
      return rules
    }
  }

  private init(_ policy: UnsafePointer<rouse_policy_t>, _ host: UnsafePointer<rouse_host_t>) {
    unsafe self.policy = unsafe policy
    unsafe RulesScheduler.takeNames(host, into: symbols)
    var start = SchedulerCore(policy: unsafe Policy(policy.pointee, symbols), symbols: symbols)
    start.reportsAnswersAhead = true
    start.hashesWakes = false
    self.start = start
  }
}

/// An instance: the scheduler of one device at a time.
@safe
final class RulesScheduler {
  /// Pushes of several apps may have one id.
  private struct PushKey: Hashable {
    let app: App
    let id: ExactName
  }

  private let host: UnsafePointer<rouse_host_t>
  private let shared: SharedRules
  private let symbols: Symbols
  private var core: SchedulerCore
  /// Asked for by the scheduler, but Rouse hashes wakes.
  private var hasher = WakeHasher()
  /// The numbers of pushes by their apps and ids.
  private var pushes: [PushKey: UInt32] = [:]
  /// The wake that is told, and the array of its apps, which is kept: mostly the next wake is of the same ones.
  private let wake: UnsafeMutablePointer<rouse_wake_t>
  private var apps = unsafe UnsafeMutableBufferPointer<UInt32>(start: nil, count: 0)
  /// The first of these apps.
  private var leader = UInt32.max

  init(_ host: UnsafePointer<rouse_host_t>, _ policy: UnsafePointer<rouse_policy_t>) {
    unsafe self.host = unsafe host
    shared = unsafe SharedRules.of(policy, host)
    symbols = shared.symbols
    core = SchedulerCore(like: shared.start, device: nil, hash: 0)
    unsafe wake = .allocate(capacity: 1)
    unsafe wake.initialize(to: rouse_wake_t())
    unsafe wake.pointee.size = MemoryLayout<rouse_wake_t>.size
    unsafe wake.pointee.has_saves = 1
  }

  deinit {
    unsafe wake.deallocate()
    unsafe apps.deallocate()
  }

  static func with<Result>(
    _ instance: UnsafeMutableRawPointer?, _ body: (RulesScheduler) -> Result
  ) -> Result {
    // Rouse passes what `create` has returned.
    unsafe Unmanaged<RulesScheduler>.fromOpaque(instance.unsafelyUnwrapped)
      ._withUnsafeGuaranteedRef(body)
  }

  /// Gives all names so far the numbers that the host has for them.
  fileprivate static func takeNames(_ host: UnsafePointer<rouse_host_t>, into symbols: Symbols) {
    func name(_ sort: Int, _ number: Int) -> String {
      var length = 0
      guard let text = unsafe host.pointee.name(host, Int32(sort), UInt32(number), &length) else {
        return ""
      }
      return unsafe String(
        decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self)
    }
    func count(_ sort: Int) -> Int { Int(unsafe host.pointee.name_count(host, Int32(sort))) }
    for number in symbols.types.count..<max(symbols.types.count, count(ROUSE_TYPE)) {
      _ = symbols.types.intern(name(ROUSE_TYPE, number))
    }
    for number in symbols.sources.count..<max(symbols.sources.count, count(ROUSE_SOURCE)) {
      _ = symbols.sources.intern(name(ROUSE_SOURCE, number))
    }
    for number in symbols.apps.count..<max(symbols.apps.count, count(ROUSE_APP)) {
      _ = symbols.apps.intern(name(ROUSE_APP, number))
    }
    for number in symbols.queries.count..<max(symbols.queries.count, count(ROUSE_QUERY)) {
      _ = symbols.queries.intern(name(ROUSE_QUERY, number))
    }
    for number in symbols.devices.count..<max(symbols.devices.count, count(ROUSE_DEVICE)) {
      _ = symbols.devices.intern(name(ROUSE_DEVICE, number))
    }
  }

  private func takeNames() { unsafe Self.takeNames(unsafe host, into: symbols) }

  func begin(_ device: Device) {
    takeNames()
    pushes.removeAll(keepingCapacity: true)
    leader = .max
    core.restart(
      like: shared.start, device: device, hash: NameHash.device(symbols.devices.name(of: device)))
  }

  /// Takes rows from where they are.
  func take(_ rows: rouse_rows_t) {
    if unsafe rows.type_end > symbols.types.count { takeNames() }
    let count = unsafe rows.count
    var columns = unsafe RowColumns(
      times: rows.times, kinds: rows.kinds, types: rows.types, count: count)
    // Sources and fields are for predicates alone.
    if unsafe rows.sources != nil {
      unsafe columns.setDetails(
        sources: rows.sources, fields: rows.has, starts: rows.starts, ends: rows.ends,
        values: rows.values)
    }
    let flags = unsafe rows.flags
    let orderliness =
      flags & UInt32(ROUSE_ROWS_ORDERED) == 0
      ? nil
      : unsafe Orderliness(
        typeEnd: Int(rows.type_end), hasDeletes: flags & UInt32(ROUSE_ROWS_SAVES) == 0)
    var early = EarlyRows(of: 0..<count)
    core.take(columns, rows: 0..<count, orderliness: orderliness, &early, &hasher) { tell($0, $1) }
  }

  func take(_ event: rouse_event_t) {
    takeNames()
    guard let input = unsafe event.input else { return }
    if case .push(let app, let push) = input {
      pushes[PushKey(app: app, id: ExactName(push.id))] = unsafe event.query
    }
    core.take(input, at: Timestamp(nanoseconds: unsafe event.time), &hasher) { tell($0, $1) }
  }

  var nextDue: Int64 {
    core.dropEarlyTimers()
    return core.nextDue?.nanoseconds ?? .max
  }

  func advance(to time: Int64) {
    core.advance(to: Timestamp(nanoseconds: time), &hasher) { tell($0, $1) }
  }

  func finish() {
    core.forEachApp { standing in
      var state = rouse_app_state_t()
      state.size = MemoryLayout<rouse_app_state_t>.size
      state.app = standing.app.index
      state.pending = UInt64(standing.pending)
      state.is_stopped = standing.isStopped ? 1 : 0
      state.holds_push = standing.holdsPush ? 1 : 0
      unsafe host.pointee.app_state(host, &state)
    }
    // Wakes in flight are open: Rouse knows.
    let summary = core.close(&hasher) { _, _ in }
    var counts = rouse_counts_t()
    counts.size = MemoryLayout<rouse_counts_t>.size
    counts.live_deliveries = UInt64(summary.liveDeliveries)
    counts.ignored_completions = UInt64(summary.ignoredCompletions)
    counts.rejected_registrations = UInt64(summary.rejectedRegistrations)
    counts.rejected_pushes = UInt64(summary.rejectedPushes)
    counts.pushes_superseded = UInt64(summary.pushesSuperseded)
    counts.pushes_discarded = UInt64(summary.pushesDiscarded)
    counts.pushes_delivered_live = UInt64(summary.pushesDeliveredLive)
    unsafe host.pointee.counted(host, &counts)
  }

  /// Tells the host of wakes: those of a cohort in one call.
  private func tell(_ phase: WakePhase, _ wakes: borrowing WakeView) {
    let figures = wakes.figures
    setApps(of: wakes, leader: figures.app.index, count: figures.count)
    if phase == .began {
      begin(wakes, figures)
    } else {
      let first = wakes.first
      guard first.outcome != .open, let end = first.end else { return }
      unsafe host.pointee.ended(
        host, wake.pointee.apps, figures.count, end.nanoseconds, Int32(first.outcome.rawValue))
    }
  }

  /// Sets the apps of the wake; those of a cohort follow its first one.
  private func setApps(of wakes: borrowing WakeView, leader: UInt32, count: Int) {
    if leader == self.leader, unsafe count == wake.pointee.app_count { return }
    self.leader = leader
    if unsafe count > apps.count {
      unsafe apps.deallocate()
      unsafe apps = .allocate(capacity: count)
      unsafe apps.initialize(repeating: 0)
    }
    let apps = unsafe apps
    var place = 0
    wakes.forEachApp { app, _ in
      unsafe apps[place] = app.index
      place += 1
    }
    unsafe wake.pointee.apps = UnsafePointer(apps.baseAddress)
    unsafe wake.pointee.app_count = count
  }

  private func begin(_ wakes: borrowing WakeView, _ figures: WakeFigures) {
    unsafe wake.pointee.time = figures.time
    unsafe wake.pointee.push = 0
    if figures.cause & WakeFigures.push != 0 {
      unsafe wake.pointee.push =
        wakes.first.push.flatMap { pushes[PushKey(app: figures.app, id: ExactName($0))] } ?? 0
    }
    unsafe wake.pointee.refresh = figures.cause & WakeFigures.refresh != 0 ? 1 : 0
    unsafe wake.pointee.saves = UInt64(figures.saves)
    unsafe wake.pointee.oldest = figures.time - figures.waited
    let answer = wakes.answer
    unsafe wake.pointee.is_answered = answer == nil ? 0 : 1
    unsafe wake.pointee.answer = answer ?? 0
    unsafe wakes.withTypes { types in
      unsafe wake.pointee.types = types.baseAddress
      unsafe wake.pointee.type_count = types.count
      unsafe _ = host.pointee.began(host, wake)
    }
  }
}
