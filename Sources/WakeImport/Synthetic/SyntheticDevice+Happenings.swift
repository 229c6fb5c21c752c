import WakeEvents

/// The events of a synthetic device beside its samples: a wearable syncs, something is due in the scheduler, an app
/// answers a wake, the device is locked or unlocked, a push comes, the user opens or leaves an app, the system ends one,
/// the device restarts.
enum SyntheticHappening: Int, CaseIterable {
  case sync, wake, answer, lock, push, visit, leave, termination, reboot
}

struct DueTimes {
  static let never = Int64.max

  private var times = [Int64](repeating: never, count: SyntheticHappening.allCases.count)
  private(set) var next = never

  subscript(happening: SyntheticHappening) -> Int64 {
    get { times[happening.rawValue] }
    set {
      times[happening.rawValue] = newValue
      next = times.reduce(Self.never, min)
    }
  }

  /// The happening that is due first; of several the first by declaration.
  var first: SyntheticHappening? {
    guard next < Self.never else { return nil }
    return times.firstIndex(of: next).flatMap(SyntheticHappening.init(rawValue:))
  }
}

extension SyntheticDevice {
  private static let second: Int64 = 1_000_000_000
  private static let day: Int64 = 86_400 * second

  mutating func scheduleFirst() {
    sync.last = clock
    sync.planned = clock
    if workload.syncEvery > 0 { due[.sync] = clock + workload.syncEvery }
    schedule(.push, workload.pushGap)
    schedule(.visit, workload.visitGap)
    schedule(.termination, workload.terminationGap)
    schedule(.reboot, workload.rebootGap)
    schedule(.lock, workload.pickupGap / 4)
  }

  private mutating func schedule(_ happening: SyntheticHappening, _ mean: Int64) {
    due[happening] = mean > 0 ? clock + random.gap(mean: mean) : DueTimes.never
  }

  mutating func happen() {
    switch due.first {
    case .sync: beginSync()
    case .wake:
      apps.advance(to: rounded(clock), &random)
      scheduleApps()
    case .answer:
      upcoming += apps.takeAnswer()
      scheduleApps()
    case .lock: turnLock()
    case .push:
      upcoming.append(apps.push(&random))
      schedule(.push, workload.pushGap)
    case .visit: visit()
    case .leave:
      upcoming += apps.leave(&random)
      due[.leave] = DueTimes.never
      schedule(.visit, workload.visitGap)
    case .termination:
      upcoming += apps.terminate(&random)
      schedule(.termination, workload.terminationGap)
    case .reboot: reboot()
    case nil: break
    }
  }

  private mutating func beginSync() {
    sync.owed += workload.syncEvery * Int64(workload.syncedPerThousand)
    // One sync in eight fails; the next brings its samples too.
    if random.below(8) > 0 {
      let price = workload.meanGap * 1_000
      let samples = sync.owed / price
      sync.owed -= samples * price
      sync.left = Int(samples)
      sync.rank = -1
      // One in eight sources is a wearable.
      sync.source = random.below((names.sources.count + 7) / 8)
      sync.began = clock
      sync.step = samples > 0 ? (clock - sync.last) / samples : 0
      sync.last = clock
    }
    sync.planned += workload.syncEvery
    due[.sync] = sync.planned + Int64(random.below(Int(workload.syncEvery / 16)))
  }

  private mutating func turnLock() {
    if isLocked {
      upcoming.append(.unlock)
      isLocked = false
      schedule(.lock, workload.pickupGap / 4)
    } else {
      upcoming.append(.lock)
      isLocked = true
      due[.lock] = wakingTime(clock + random.gap(mean: workload.pickupGap))
    }
  }

  /// The time itself, or a time after 7 o'clock if it is at night.
  private mutating func wakingTime(_ time: Int64) -> Int64 {
    var timeOfDay = time % Self.day
    if timeOfDay < 0 { timeOfDay += Self.day }
    let hour = timeOfDay / (3_600 * Self.second)
    guard hour >= 23 || hour < 7 else { return time }
    let midnight = time - timeOfDay + (hour >= 23 ? Self.day : 0)
    return midnight + 7 * 3_600 * Self.second + random.gap(mean: 600 * Self.second)
  }

  private mutating func visit() {
    guard !isLocked else {
      // The user unlocks the device first.
      due[.visit] = due[.lock] + 2 * Self.second
      return
    }
    upcoming += apps.open(&random)
    due[.visit] = DueTimes.never
    due[.leave] = clock + Self.second + random.gap(mean: 120 * Self.second)
  }

  private mutating func reboot() {
    upcoming.append(.reboot)
    if apps.reboot() {
      due[.leave] = DueTimes.never
      schedule(.visit, workload.visitGap)
    }
    isLocked = true
    due[.lock] = clock + 20 * Self.second + random.gap(mean: 20 * Self.second)
    schedule(.reboot, workload.rebootGap)
  }

  mutating func scheduleApps() {
    due[.answer] = apps.firstAnswer
    // Wakes take effect at the next time that the resolution can express, so a replay of the rounded times sees
    // them before the inputs that follow.
    let next = apps.nextWake
    let isWhole = next == DueTimes.never || rounded(next) == next
    due[.wake] = isWhole ? next : rounded(next) + (next > 0 ? workload.resolution : 0)
  }
}
