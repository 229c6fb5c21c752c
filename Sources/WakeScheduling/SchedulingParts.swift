package import WakeEvents

// Parts of the scheduler by themselves, for benchmarks. The loops stand here, so that what is measured is
// compiled as it is where it is used.

/// The coalescer, with so many subscriptions on each of a few types.
package struct CoalescerPart {
  private var coalescer = Coalescer()
  /// Of each type the first subscription and the last: all of a type count alike.
  private let watched: [Int]

  /// Makes a coalescer on whose subscriptions saves are pending, or none are: then each of them pays
  /// attention to the next.
  package init(types: Int, subscriptionsOnEach: Int, hasPending: Bool) {
    var slots: [Int] = []
    for app in 0..<subscriptionsOnEach {
      for type in 0..<types {
        slots.append(
          coalescer.insert(
            app: app, type: SampleType(index: UInt32(type)), typeHash: UInt64(type), period: 0,
            mode: hasPending ? .counting : .idle))
      }
    }
    watched = Array(slots.prefix(types) + slots.suffix(types))
  }

  /// Counts saves, none of which changes more than a count; returns what became pending where.
  package mutating func count(_ columns: borrowing InputColumns) -> UInt64 {
    let before = watched.map { coalescer.pending($0) }
    let run = coalescer.countQuiet(
      columns, rows: 0..<columns.count, from: columns.times[0], until: .max)
    var hash = WakeHash()
    hash.combine(Int64(run.end))
    for (slot, before) in zip(watched, before) {
      hash.combine(Int64(coalescer.pending(slot) - before))
    }
    return hash.value
  }

  /// Lets each save wake for each subscription on its type; returns what the wakes carried.
  package mutating func wake(_ columns: borrowing InputColumns) -> UInt64 {
    var carried: Int64 = 0
    for row in 0..<columns.count {
      let type = Int(columns.types[row])
      let time = columns.times[row]
      coalescer.tallies[type].count += 1
      for place in 0..<coalescer.attentive[type].count {
        let slot = Int(coalescer.attentive[type][place])
        coalescer.subscriptions[slot].counted += 1
        coalescer.subscriptions[slot].oldest = time
        coalescer.countIfPending(slot)
        coalescer.carry(slot, in: row + 1, at: time)
        carried &+= Int64(coalescer.subscriptions[slot].carriedSaves)
        carried &+= coalescer.subscriptions[slot].carriedOldest
      }
    }
    var hash = WakeHash()
    hash.combine(carried)
    return hash.value
  }
}

/// The backoff of an app.
package enum BackoffPart {
  /// Takes strikes, of which every other time the last is answered; returns when health data might wake.
  package static func strike(count: Int, policy: Policy) -> UInt64 {
    var tracker = BackoffTracker()
    var hash = WakeHash()
    for number in 0..<count {
      tracker.strike(at: Int64(number) * 1_000_000_000, policy: policy)
      hash.combine(tracker.until)
      if tracker.isStopped { tracker.rearm() } else if number % 5 == 1 { tracker.answer() }
    }
    return hash.value
  }
}

/// The timers of many apps.
package struct TimerPart {
  private var timers = TimerTree()
  private let apps: Int

  /// Makes the timers of so many apps.
  package init(apps: Int) {
    self.apps = apps
    for _ in 0..<apps { timers.appendApp() }
  }

  /// Sets the first timer anew, again and again, as wakes do; returns what was due.
  package mutating func turn(count: Int) -> UInt64 {
    for app in 0..<apps { timers.set(.timer, app: app, due: Int64(app &* 7_919 % 10_007)) }
    var random: UInt64 = 1
    var hash = WakeHash()
    for _ in 0..<count {
      guard let first = timers.first else { break }
      hash.combine(first.due)
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      timers.set(first.purpose, app: first.app, due: first.due + 1 + Int64(random >> 50))
    }
    return hash.value
  }
}

/// The window of wakes charged to a budget.
package enum WindowPart {
  /// Notes wakes, each when the window opens; returns when it opened.
  package static func charge(count: Int, limit: Int, window: Int64) -> UInt64 {
    var charged = WakeWindow(capacity: limit)
    var hash = WakeHash()
    var time: Int64 = 0
    for number in 0..<count {
      let opens = charged.opens(limit: limit, window: window)
      hash.combine(opens)
      time = max(time + Int64(number % 7), opens)
      charged.append(time)
    }
    return hash.value
  }
}
