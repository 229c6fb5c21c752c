import WakeEvents
import WakeScheduling
import WakeTrace

/// What a capture holds of an app, by device and day in UTC.
struct SubscribedDays {
  struct Day: Sendable {
    /// Nanoseconds for which the app had a subscription on the device.
    var subscribed: Int64 = 0
    /// Wakes that began while it had one, and what became of them.
    var wakes = 0
    var expired = 0
    var saves = 0
  }

  /// By app's name, of each device and day on which it had a subscription.
  private(set) var days: [ExactName: DaySums] = [:]
  /// By app's name, wakes while it had none, such as for a push: they are in no day.
  private(set) var outside: [ExactName: Int] = [:]
  private(set) var devices = 0
  private(set) var inputs = 0
  private(set) var digest = Digest()

  private static let dayLength: Int64 = 86_400_000_000_000

  /// Replays a capture.
  ///
  /// - Complexity: O(events + days of devices and their apps). Memory grows with the apps, and with the days of one device.
  init(_ files: [TraceFile], _ policy: Policy, _ accelerations: Accelerations) throws(TraceError) {
    let index = try TraceIndex(files: files)
    let symbols = Symbols()
    let cache = BlockCache(index, symbols: symbols) { block, decoder throws(TraceError) in
      try decoder.decode(
        block.entry, of: index.files[block.file], details: index.startsPredicates,
        sources: index.startsPredicates)
      return true
    }
    var start = SchedulerCore(policy: policy, symbols: symbols, accelerations: accelerations)
    start.reportsPushes = false
    var hasher = WakeHasher()
    for place in index.devices.indices {
      let device = OfDevice()
      var scheduler = SchedulerCore(like: start, device: nil, hash: 0)
      let cursor = try DeviceCursor(device: place, from: cache)
      var hasBegun = false
      while let batch = try cursor.next() {
        guard !batch.rows.isEmpty else { continue }
        if !hasBegun {
          scheduler.restart(like: start, device: batch.device, hash: index.devices[place].hash)
          hasBegun = true
        }
        device.take(batch, &scheduler, &hasher)
      }
      guard hasBegun else { continue }
      device.end(at: scheduler.present)
      scheduler.close(&hasher) { phase, wakes in
        if phase == .ended { wakes.forEachWake { device.note($0) } }
      }
      device.count()
      devices += 1
      inputs += scheduler.inputs
      for (key, day) in device.days.sorted(by: {
        ($0.key.app, $0.key.day) < ($1.key.app, $1.key.day)
      }) {
        let app = ExactName(symbols.apps.name(of: App(index: key.app)))
        if day.subscribed > 0 {
          days[app, default: DaySums()].append(day)
        } else {
          // A subscription that began and ended at one time is none.
          outside[app, default: 0] += day.wakes
        }
      }
      for (app, wakes) in device.outside {
        outside[ExactName(symbols.apps.name(of: App(index: app))), default: 0] += wakes
      }
    }
    digest.value = hasher.takeDigest()
  }

  /// One device while it is replayed.
  private final class OfDevice {
    struct Key: Hashable {
      var app: UInt32
      var day: Int64
    }

    private struct Ended {
      var app: UInt32
      var time: Int64
      var isExpired: Bool
      var saves: Int
    }

    var days: [Key: Day] = [:]
    /// By app, wakes while it had no subscription.
    var outside: [UInt32: Int] = [:]
    /// Since when apps have a subscription.
    private var since: [UInt32: Int64] = [:]
    /// Wakes that ended since the last change of subscriptions was noted: an input that makes one may also wake for it.
    private var ended: [Ended] = []
    /// By app, when they had one before, in the order of time.
    private var past: [UInt32: [ClosedRange<Int64>]] = [:]

    func take(
      _ batch: DeviceCursor.Batch, _ scheduler: inout SchedulerCore, _ hasher: inout WakeHasher
    ) {
      var start = batch.rows.lowerBound
      // Only these inputs change who has a subscription; the policy's are there from the first input on.
      if since.isEmpty, scheduler.inputs == 0 {
        schedule(batch, start..<start + 1, &scheduler, &hasher)
        noteSubscribed(&scheduler)
        start += 1
      }
      if !batch.columns.others.isEmpty {
        for row in start..<batch.rows.upperBound {
          switch InputKind(rawValue: batch.columns.kinds[row]) {
          case .enable, .disable, .disableAll:
            schedule(batch, start..<row + 1, &scheduler, &hasher)
            noteSubscribed(&scheduler)
            start = row + 1
          default: break
          }
        }
      }
      schedule(batch, start..<batch.rows.upperBound, &scheduler, &hasher)
      count()
    }

    private func schedule(
      _ batch: DeviceCursor.Batch, _ rows: Range<Int>, _ scheduler: inout SchedulerCore,
      _ hasher: inout WakeHasher
    ) {
      guard !rows.isEmpty else { return }
      scheduler.take(batch.columns, rows: rows, &hasher) { phase, wakes in
        if phase == .ended { wakes.forEachWake { note($0) } }
      }
    }

    func note(_ wake: borrowing Wake) {
      ended.append(
        Ended(
          app: wake.app.index, time: wake.time.nanoseconds, isExpired: wake.outcome == .expired,
          saves: wake.saves))
    }

    /// Counts the wakes that ended.
    func count() {
      for wake in ended {
        guard hadSubscription(wake.app, at: wake.time) else {
          outside[wake.app, default: 0] += 1
          continue
        }
        let key = Key(app: wake.app, day: SubscribedDays.day(of: wake.time))
        days[key, default: Day()].wakes += 1
        if wake.isExpired { days[key, default: Day()].expired += 1 }
        days[key, default: Day()].saves += wake.saves
      }
      ended.removeAll(keepingCapacity: true)
    }

    private func noteSubscribed(_ scheduler: inout SchedulerCore) {
      let present = scheduler.present
      var subscribed: Set<UInt32> = []
      scheduler.forEachSubscribed { subscribed.insert($0.index) }
      for (app, time) in since where !subscribed.contains(app) {
        add(app, from: time, to: present)
        since[app] = nil
      }
      for app in subscribed where since[app] == nil { since[app] = present }
      count()
    }

    func end(at time: Int64) {
      for (app, start) in since { add(app, from: start, to: time) }
      since = [:]
    }

    private func add(_ app: UInt32, from start: Int64, to end: Int64) {
      past[app, default: []].append(start...max(start, end))
      var time = start
      while time < end {
        let day = SubscribedDays.day(of: time)
        let next = min(end, (day + 1) * SubscribedDays.dayLength)
        days[Key(app: app, day: day), default: Day()].subscribed += next - time
        time = next
      }
    }

    /// Whether an app had a subscription when a wake began, which may have ended since.
    private func hadSubscription(_ app: UInt32, at time: Int64) -> Bool {
      if let start = since[app], start <= time { return true }
      // Wakes come in the order of their times, so the last is the one.
      return past[app]?.last { $0.lowerBound <= time }?.contains(time) ?? false
    }
  }

  private static func day(of time: Int64) -> Int64 {
    let day = time / dayLength
    return time < 0 && time % dayLength != 0 ? day - 1 : day
  }
}
