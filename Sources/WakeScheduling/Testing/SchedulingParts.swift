import WakeEvents

// Parts of the scheduler by themselves, for benchmarks. The loops are in this module, so that a part is compiled as it
// is where it is used.

/// Saves that only change a count, with some subscriptions on each of a few types.
package struct CountingPart: ~Copyable {
  private var scheduler: SchedulerCore
  private var hasher = WakeHasher()
  private var columns = InputColumns()
  /// Of each type the subscriptions of the first and the last app: all of a type count alike.
  private let watched: [Int]

  /// Makes a scheduler on whose subscriptions saves are pending, for a week to come.
  ///
  /// - Parameter types: The types of the saves, in order.
  package init(types: [UInt32], subscriptionsOnEach: Int) {
    let symbols = Symbols()
    let count = Int(types.max() ?? 0) + 1
    let names = (0..<count).map { symbols.types.intern("type \($0)") }
    let source = symbols.sources.intern("source")
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 0
    scheduler = SchedulerCore(policy: policy, symbols: symbols)
    for number in 0..<subscriptionsOnEach {
      let app = symbols.apps.intern("app \(number)")
      for type in names {
        scheduler.take(
          .enable(app: app, type: type, frequency: .weekly), at: Self.time(0), &hasher
        ) { _, _ in }
      }
    }
    // The first wakes each app, the second stays pending.
    for second in 1...2 {
      for type in names {
        scheduler.take(
          .save(Sample(type: type, source: source)), at: Self.time(second), &hasher
        ) { _, _ in }
      }
    }
    for type in types {
      columns.append(
        .save(Sample(type: SampleType(index: type), source: source)), at: Self.time(3))
    }
    let slots = scheduler.coalescer.subscriptions.count
    watched = Array(0..<min(count, slots)) + Array(max(0, slots - count)..<slots)
  }

  private static func time(_ seconds: Int) -> Timestamp {
    Timestamp(nanoseconds: 1_767_225_600_000_000_000 + Int64(seconds) * 1_000_000_000)
  }

  /// Saves of each iteration.
  package var count: Int { columns.count }

  /// Counts the saves; returns a hash of what became pending.
  package mutating func measure() -> UInt64 {
    let before = watched.map { scheduler.coalescer.pending($0) }
    scheduler.take(columns, rows: 0..<columns.count, &hasher) { _, _ in }
    var hash = WakeHash()
    for (slot, before) in zip(watched, before) {
      hash.combine(Int64(scheduler.coalescer.pending(slot) - before))
    }
    return hash.value
  }
}

/// The backoff of an app.
package struct BackoffPart {
  private let delays: BackoffDelays

  /// Makes the backoff of an app under a policy.
  package init(_ policy: Policy) { delays = BackoffDelays(policy) }

  /// Takes strikes with answers between them; returns a hash of when the backoffs end.
  package func strike(count: Int) -> UInt64 {
    var tracker = BackoffTracker()
    var hash = WakeHash()
    for number in 0..<count {
      tracker.strike(at: Int64(number) * 1_000_000_000, delays)
      hash.combine(tracker.until)
      if tracker.isStopped { tracker.reset() } else if number % 5 == 1 { tracker.clear() }
    }
    return hash.value
  }
}

/// The timers of many apps.
package struct TimerPart: ~Copyable {
  private var timers = Timers()
  private let apps: Int

  /// Makes the timers of so many apps.
  package init(apps: Int) {
    self.apps = apps
    for _ in 0..<apps { timers.appendApp() }
  }

  /// Sets the first timer again and again, as wakes do; returns a hash of the due times.
  package mutating func turn(count: Int) -> UInt64 {
    for app in 0..<apps { timers.set(.timer, app: app, due: Int64(app &* 7_919 % 10_007)) }
    var random: UInt64 = 1
    var hash = WakeHash()
    for _ in 0..<count {
      let first = timers.first
      hash.combine(first.due)
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      timers.set(first.purpose, app: first.app, due: first.due + 1 + Int64(random >> 50))
    }
    return hash.value
  }
}

/// The window of wakes charged to a budget.
package enum WindowPart {
  /// Adds wakes, each when the window opens; returns a hash of these times.
  package static func charge(count: Int, limit: Int, window: Int64) -> UInt64 {
    var windows = WakeWindows()
    var charged = WakeWindow()
    var hash = WakeHash()
    var time: Int64 = 0
    for number in 0..<count {
      let opens = windows.opens(charged, limit: limit, length: window)
      hash.combine(opens)
      time = max(time + Int64(number % 7), opens)
      windows.append(time, to: &charged, capacity: limit)
    }
    return hash.value
  }
}
