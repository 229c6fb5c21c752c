import Synchronization
import WakeEvents
import WakeScheduling
import WakeTrace

/// Finds, as a replay goes, the timelines of some devices and the sums of all days.
final class TimelineObserver: ReplayObserver {
  /// The wakes of a day, of all devices.
  struct Day {
    /// By ``WakeOutcome``, less 1.
    var outcomes = [Int](repeating: 0, count: WakeOutcome.allCases.count)
    var saves = 0
    /// Wakes with saves.
    var waits = 0
    /// Nanoseconds from the oldest save to the wake that carried it: the greatest, and the sum.
    var longest: Int64 = 0
    var waited: Int64 = 0
    /// The mean; nil if no wake carried saves.
    var meanWaited: Int64? { waits == 0 ? nil : waited / Int64(waits) }

    mutating func add(_ other: Day) {
      for place in outcomes.indices { outcomes[place] += other.outcomes[place] }
      saves += other.saves
      waits += other.waits
      longest = max(longest, other.longest)
      waited.addClamped(other.waited)
    }
  }

  struct Findings {
    /// The busiest devices, the busiest first.
    var devices: [PackedTimeline] = []
    /// By the number of days since 1970 in UTC.
    var days: [Int64: Day] = [:]
    /// The first device that did not fit; the timeline of a device with fewer wakes is not kept.
    fileprivate var limit: PackedTimeline.Rank?
  }

  /// The devices whose timelines are asked for; empty if the busiest are.
  private let asked: Set<ExactName>
  /// The most bytes of all timelines together.
  private let mostBytes: Int
  /// The most wakes, rows and stretches in memory at a time.
  private static let mostSize = 24_000_000
  private let size = Atomic(0)
  private let state = Mutex(Findings())

  init(devices: Set<ExactName>, mostBytes: Int) {
    asked = devices
    self.mostBytes = mostBytes
  }

  /// What was found, after the replay.
  var findings: Findings { state.withLock { $0 } }

  var seesStates: Bool { true }

  func observer(ofDevice name: String, place: Int, _ symbols: Symbols) -> any DeviceObserver {
    DeviceTimeline(
      of: self, device: name, place: place, symbols,
      isShown: asked.isEmpty || asked.contains(ExactName(name)))
  }

  /// Counts memory; false if there is too much in use.
  fileprivate func reserve(_ size: Int) -> Bool {
    self.size.add(size, ordering: .relaxed).newValue <= Self.mostSize
  }

  fileprivate func add(_ timeline: PackedTimeline?, _ days: [Int64: Day]) {
    state.withLock { state in
      state.days.merge(days) { one, other in
        var sum = one
        sum.add(other)
        return sum
      }
      guard let timeline else { return }
      // The busiest that fit, whatever the order in which devices finish.
      if let limit = state.limit, !timeline.rank.precedes(limit) { return }
      let place = state.devices.firstIndex { timeline.rank.precedes($0.rank) }
      state.devices.insert(timeline, at: place ?? state.devices.endIndex)
      var bytes = state.devices.reduce(0) { $0 + $1.bytes.count }
      while bytes > mostBytes, state.devices.count > 1 {
        let left = state.devices.removeLast()
        bytes -= left.bytes.count
        state.limit = left.rank
      }
    }
  }
}

/// The timeline of one device.
private final class DeviceTimeline: DeviceObserver, DeviceWatcher {
  private let whole: TimelineObserver
  private let device: String
  private let place: Int
  private let symbols: Symbols
  /// Nil if it is not shown.
  private var columns: TimelineColumns?
  private var sizeReserved = 0
  private var days: [Int64: TimelineObserver.Day] = [:]
  private var today = TimelineObserver.Day()
  private var dayNumber = Int64.min

  init(
    of whole: TimelineObserver, device: String, place: Int, _ symbols: Symbols, isShown: Bool
  ) {
    self.whole = whole
    self.device = device
    self.place = place
    self.symbols = symbols
    columns = isShown ? TimelineColumns() : nil
  }

  var watcher: (any DeviceWatcher)? { columns == nil ? nil : self }

  func take(_ phase: WaitPhase, _ wait: borrowing Wait) {
    switch phase {
    case .logged: columns?.append(wait)
    case .over: columns?.close(wait)
    }
  }

  func end(_ wake: borrowing Wake) {
    columns?.append(wake)
    let time = wake.time.nanoseconds
    let (quotient, rest) = time.quotientAndRemainder(dividingBy: 86_400_000_000_000)
    let number = rest < 0 ? quotient - 1 : quotient
    if number != dayNumber { closeDay(next: number) }
    today.outcomes[Int(wake.outcome.rawValue) - 1] += 1
    today.saves += wake.saves
    if let oldest = wake.oldest {
      today.waits += 1
      today.longest = max(today.longest, time - oldest.nanoseconds)
      today.waited.addClamped(time - oldest.nanoseconds)
    }
  }

  private func closeDay(next: Int64) {
    if dayNumber != .min { days[dayNumber, default: .init()].add(today) }
    today = .init()
    dayNumber = next
  }

  func arrive(_ app: App, _ type: SampleType, at time: Int64) {
    columns?.update(app) { $0.arrive(type, at: time) }
  }

  func settle(_ app: App, _ pending: [PendingSaves], at time: Int64) {
    columns?.update(app) { $0.settle(pending, at: time) }
  }

  func note(_ conditions: DeviceConditions, at time: Int64) {
    let code =
      (conditions.isLocked ? 1 : 0) + (conditions.isPowerGood ? 0 : 2)
      + (conditions.isNetworkGood ? 0 : 4)
    columns?.conditions.set(Int64(code), at: time)
  }

  func note(_ app: App, _ condition: AppCondition, at time: Int64) {
    columns?.update(app) {
      $0.conditions.set(condition.code(after: $0.conditions.values.last), at: time)
    }
  }

  func end(at time: Int64) {}

  func handOver(isLast: Bool) throws(TraceError) {
    let grown = (columns?.size ?? 0) - sizeReserved
    sizeReserved += grown
    if grown > 0, !whole.reserve(grown) { columns = nil }
    guard isLast else { return }
    closeDay(next: .min)
    do throws(BlockError) {
      let packed = try columns.map { columns throws(BlockError) in
        try PackedTimeline(columns, device: device, place: place, symbols)
      }
      whole.add(packed, days)
    } catch let error {
      throw TraceError(code: error.code, file: "report", message: error.message)
    }
    columns = nil
    _ = whole.reserve(-sizeReserved)
  }
}
