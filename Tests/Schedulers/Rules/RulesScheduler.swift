// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The name is that of the header.

// Rouse's own scheduler as a scheduler of others: behind rouse_scheduler.h, as a shared library. It shows what the header
// costs, and how a scheduler in Swift is put on the bench.
//
//     swift build -c release --product rouse-rules
//     rouse replay Traces/watch-day.wtrace --scheduler .build/release/librouse-rules.so

public import CRouse
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
    return unsafe Unmanaged.passRetained(RulesScheduler(host, policy.pointee)).toOpaque()
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

/// An instance: Rouse's scheduler with names of its own, which have the host's numbers.
@safe
final class RulesScheduler {
  private let host: UnsafePointer<rouse_host_t>
  private let symbols = Symbols()
  private let start: SchedulerCore
  private var core: SchedulerCore
  private var hasher = WakeHasher()
  private var columns = InputColumns()
  /// The numbers of pushes by their ids.
  private var pushes: [ExactName: UInt32] = [:]
  private var apps: [UInt32] = []
  private var types: [UInt32] = []

  /// Rows that are copied at once: they stay in the first cache.
  private static let rows = 1_024

  init(_ host: UnsafePointer<rouse_host_t>, _ policy: rouse_policy_t) {
    unsafe self.host = unsafe host
    unsafe Self.takeNames(unsafe host, into: symbols)
    start = SchedulerCore(policy: unsafe Policy(policy, symbols), symbols: symbols)
    core = SchedulerCore(like: start, device: nil, hash: 0)
  }

  static func with<Result>(
    _ instance: UnsafeMutableRawPointer?, _ body: (RulesScheduler) -> Result
  ) -> Result {
    // Rouse passes what `create` has returned.
    unsafe Unmanaged<RulesScheduler>.fromOpaque(instance.unsafelyUnwrapped)
      ._withUnsafeGuaranteedRef(body)
  }

  /// Gives all names so far the numbers that the host has for them.
  private static func takeNames(_ host: UnsafePointer<rouse_host_t>, into symbols: Symbols) {
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
    core.restart(
      like: start, device: device, hash: NameHash.device(symbols.devices.name(of: device)))
  }

  func take(_ rows: rouse_rows_t) {
    takeNames()
    var row = 0
    let count = unsafe rows.count
    while row < count {
      let end = min(row + Self.rows, count)
      unsafe copy(rows, row..<end)
      core.take(columns, rows: 0..<end - row, &hasher) { tell($0, $1) }
      row = end
    }
  }

  private func copy(_ rows: rouse_rows_t, _ range: Range<Int>) {
    let (start, count) = (range.lowerBound, range.count)
    columns.resize(to: count)
    unsafe columns.times.withUnsafeMutableBufferPointer {
      unsafe $0.baseAddress?.update(from: rows.times + start, count: count)
    }
    unsafe columns.kinds.withUnsafeMutableBufferPointer {
      unsafe $0.baseAddress?.update(from: rows.kinds + start, count: count)
    }
    unsafe columns.types.withUnsafeMutableBufferPointer {
      unsafe $0.baseAddress?.update(from: rows.types + start, count: count)
    }
    // Sources and fields are for predicates alone.
    guard core.needsSampleDetails else { return }
    unsafe columns.sources.withUnsafeMutableBufferPointer {
      unsafe $0.baseAddress?.update(from: rows.sources + start, count: count)
    }
    guard let has = unsafe rows.has else { return }
    columns.details.reset(to: count)
    for row in 0..<count {
      columns.details.fields[row] = unsafe SampleDetails.Fields(rawValue: has[start + row])
      columns.details.starts[row] = unsafe rows.starts[start + row]
      columns.details.ends[row] = unsafe rows.ends[start + row]
      columns.details.values[row] = unsafe rows.values[start + row]
    }
  }

  func take(_ event: rouse_event_t) {
    takeNames()
    guard let input = unsafe event.input else { return }
    if case .push(_, let push) = input { pushes[ExactName(push.id)] = unsafe event.query }
    core.take(input, at: Timestamp(nanoseconds: unsafe event.time), &hasher) { tell($0, $1) }
  }

  var nextDue: Int64 { core.nextDue?.nanoseconds ?? .max }

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
    core.close(&hasher) { _, _ in }
    var counts = rouse_counts_t()
    counts.size = MemoryLayout<rouse_counts_t>.size
    counts.live_deliveries = UInt64(core.counts.liveDeliveries)
    counts.ignored_completions = UInt64(core.counts.ignoredCompletions)
    counts.rejected_registrations = UInt64(core.counts.rejectedRegistrations)
    counts.rejected_pushes = UInt64(core.counts.rejectedPushes)
    counts.pushes_superseded = UInt64(core.counts.pushesSuperseded)
    counts.pushes_discarded = UInt64(core.counts.pushesDiscarded)
    counts.pushes_delivered_live = UInt64(core.counts.pushesDeliveredLive)
    unsafe host.pointee.counted(host, &counts)
  }

  /// Tells the host of wakes: those of a cohort in one call.
  private func tell(_ phase: WakePhase, _ wakes: borrowing WakeView) {
    apps.removeAll(keepingCapacity: true)
    wakes.forEachApp { app, _ in apps.append(app.index) }
    let first = wakes.first
    if phase == .began {
      begin(first)
    } else if first.outcome != .open, let end = first.end {
      unsafe host.pointee.ended(
        host, apps, apps.count, end.nanoseconds, Int32(first.outcome.rawValue))
    }
  }

  private func begin(_ first: Wake) {
    types.removeAll(keepingCapacity: true)
    for type in first.types { types.append(type.index) }
    var wake = unsafe rouse_wake_t()
    unsafe wake.size = MemoryLayout<rouse_wake_t>.size
    unsafe wake.time = first.time.nanoseconds
    unsafe wake.app_count = apps.count
    unsafe wake.type_count = types.count
    unsafe wake.push = first.push.flatMap { pushes[ExactName($0)] } ?? 0
    unsafe wake.refresh = first.refresh ? 1 : 0
    unsafe wake.has_saves = 1
    unsafe wake.saves = UInt64(first.saves)
    unsafe wake.oldest = first.oldest?.nanoseconds ?? 0
    unsafe apps.withUnsafeBufferPointer { apps in
      unsafe types.withUnsafeBufferPointer { types in
        unsafe wake.apps = apps.baseAddress
        unsafe wake.types = types.baseAddress
        unsafe _ = host.pointee.began(host, &wake)
      }
    }
  }
}
