import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

/// Drives a scheduler as a live daemon does: sleeps until something is due or an input comes.
private struct Daemon: ~Copyable {
  private(set) var scheduler: Scheduler
  /// The time on the fake clock.
  private(set) var clock = Int64.min
  private(set) var ended: [Wake] = []

  init(policy: Policy, symbols: Symbols, device: String) {
    scheduler = Scheduler(policy: policy, symbols: symbols, device: device)
  }

  /// Sleeps and wakes until `event` comes, then hands it on. Sleeps last up to `lateness` too long,
  /// but never past the event, which interrupts them.
  ///
  /// - Returns: What is wrong with the time at which the scheduler asks to be called, or nil.
  mutating func live(through event: Event, lateness: Int64) -> String? {
    let arrival = max(clock, event.time.nanoseconds)
    while let due = scheduler.nextDue, due.nanoseconds <= arrival {
      if due.nanoseconds < clock { return "asks for \(due) at \(clock)" }
      clock = min(due.nanoseconds + lateness, arrival)
      scheduler.advance(to: Timestamp(nanoseconds: clock)) { phase, wake in
        if phase == .ended { ended.append(copy wake) }
      }
      if let next = scheduler.nextDue, next.nanoseconds <= clock {
        return "still asks for \(next) after \(clock)"
      }
    }
    clock = arrival
    scheduler.take(event.input, at: event.time) { phase, wake in
      if phase == .ended { ended.append(copy wake) }
    }
    if let next = scheduler.nextDue, next.nanoseconds < clock {
      return "asks for \(next) at \(clock)"
    }
    return nil
  }

  /// The wakes in the order of their numbers, and the summary.
  consuming func finish() -> (wakes: [Wake], summary: Summary) {
    var ended = ended
    let summary = scheduler.finish { _, wake in ended.append(copy wake) }
    return (ended.sorted { $0.number < $1.number }, summary)
  }
}

@Suite("The scheduler driven by a clock")
struct DaemonTests {
  @Test(
    "gives the wakes of a replay, whether called on time or late",
    arguments: 0..<60 as Range<UInt64>)
  func randomInputs(seed: UInt64) {
    let given = RandomInputs(seed: seed, count: 1_000)
    let symbols = given.symbols
    var random = SplitMix64(seed: seed)
    for device in given.events.devices {
      let events = given.events.filter { $0.device == device }
      var daemon = Daemon(
        policy: given.policy, symbols: symbols, device: symbols.devices.name(of: device))
      var reference = ReferenceScheduler(
        policy: given.policy, symbols: symbols, device: device)
      for (place, event) in events.enumerated() {
        let at: Comment = "seed \(seed), input \(place + 1) of its device"
        let lateness: Int64 = random.pick([0, 0, 1, 1_000_000_000, 100_000_000_000])
        reference.take(event.input, at: event.time)
        let fault = daemon.live(through: event, lateness: lateness)
        let (due, expected) = (daemon.scheduler.nextDue, reference.nextDueTime)
        #expect(fault == nil, at)
        #expect(due == expected, at)
        guard fault == nil, due == expected else { return }
      }
      let replayed = SchedulerRun.run(
        events: events, policy: given.policy, symbols: symbols, feeding: .batched)
      let (wakes, summary) = daemon.finish()
      let difference = Differential.difference(
        of: (wakes.map { (device, $0) }, summary), from: replayed, symbols)
      #expect(difference == nil, "seed \(seed), device \(symbols.devices.name(of: device))")
    }
  }

  @Test("asks for nothing when nothing can happen, and for what can happen when it can")
  func nextDue() {
    let symbols = Symbols()
    let app = symbols.apps.intern("app")
    let type = symbols.types.intern("type")
    let save = Input.save(Sample(type: type, source: symbols.sources.intern("source")))
    var policy = Policy.iOS
    policy.caps[ExactName("type")] = .hourly
    var scheduler = Scheduler(policy: policy, symbols: symbols)
    var wakes = 0
    func take(_ input: Input, at second: Int64) -> Int64? {
      scheduler.take(input, at: Timestamp(nanoseconds: second * 1_000_000_000)) { phase, _ in
        if phase == .began { wakes += 1 }
      }
      return scheduler.nextDue.map { $0.nanoseconds / 1_000_000_000 }
    }
    #expect(scheduler.nextDue == nil, "a new device")
    var due = take(save, at: 0)
    #expect(due == nil, "nobody listens")
    due = take(.enable(app: app, type: type, frequency: .immediate), at: 1)
    #expect(due == nil, "nothing is pending")
    due = take(save, at: 2)
    #expect(due == 32 && wakes == 1, "the deadline")
    due = take(.complete(app: app, item: .everything, result: nil), at: 3)
    #expect(due == nil, "nothing is pending any more")
    due = take(save, at: 4)
    #expect(due == 3602, "the end of the hour")
    due = take(.lock, at: 5)
    #expect(due == nil, "the lock blocks it")
    due = take(.unlock, at: 6)
    #expect(due == 3602, "nothing blocks it any more")
    due = take(.launch(app: app), at: 7)
    #expect(due == nil, "it was delivered live")
    due = take(save, at: 8)
    #expect(due == nil, "as all is in the foreground")
    #expect(wakes == 1)
  }
}
