import WakeEvents

// Page Rules, 6.5 and 6.6: the end of a wake, strikes, and backoff.
extension SchedulerCore {
  /// Whether a wake of the app is in flight and carries the subscription's type without an answer.
  mutating func isOutstanding(_ slot: Int, of app: Int) -> Bool {
    apps[app].activity == .awake
      && apps[app].places.contains(coalescer.subscriptions[slot].place, in: .carried)
  }

  /// Ends the wake in flight at the present. The caller sets the app's activity and evaluates it.
  ///
  /// - Parameter isAnswer: Whether the wake ends by rule 5.4 or 5.5, not by a disable (5.3).
  mutating func endWake(
    of app: Int, _ outcome: WakeOutcome, isAnswer: Bool, _ listener: WakeListener
  ) {
    if waits != nil { settleWaits(of: app) }
    if outcome != .completed {
      if !policy.lifted.contains(.unanswered) { giveBack(app) }
    } else if isAnswer, apps[app].wake.saves > 0 {
      // Rule 6.6.
      apps[app].backoff.clear()
    }
    report(app, outcome, end: present, listener)
  }

  /// Puts back the saves of the types outstanding; a strike if there are any (rule 6.5).
  private mutating func giveBack(_ app: Int) {
    var isStrike = false
    var carried = apps[app].places.all(in: .carried)
    while let place = carried.next(in: &apps[app].places) {
      isStrike = true
      let slot = apps[app].subscriptions[place]
      if coalescer.giveBack(slot) { notePending(slot, of: app) }
      waits?.giveBack(slot, after: present - apps[app].wake.time)
    }
    if isStrike {
      apps[app].backoff.strike(at: present, backoffDelays)
      if apps[app].backoff.isStopped { apps[app].isWokenBySavesOnly = false }
      mostStrikes = max(mostStrikes, apps[app].backoff.strikes)
      if listeners != nil { tellReturn(app) }
      if seesArrivals { noteReturn(app) }
    }
  }

  /// Notes how a wake ended and reports it (rules, 7).
  mutating func report(
    _ app: Int, _ outcome: WakeOutcome, end: Int64?, _ listener: WakeListener
  ) {
    apps[app].endWake(outcome, at: end)
    if reportsEnds {
      listener(.ended, view(of: app))
    } else if history.isKept {
      keepEnd(of: app, outcome, at: end)
    }
  }
}

/// An app's strikes, its growing backoff, and whether it was stopped (rules 6.5, 6.6).
struct BackoffTracker {
  /// The delay after the last strike in nanoseconds; 0 before the first.
  private var delay: Int64 = 0
  /// Health data wakes the app at this time at the earliest.
  private(set) var until = Int64.min
  @Narrow private(set) var strikes = 0
  /// Whether health data wakes the app no more.
  private(set) var isStopped = false

  /// Adds a strike for a wake that ended at `time` with types outstanding. Inlined, as a call would copy the delays.
  @inline(__always)
  mutating func strike(at time: Int64, _ delays: BackoffDelays) {
    let count = strikes &+ 1
    strikes = count
    if count >= delays.maxStrikes {
      isStopped = true
      return
    }
    let next = delays.delay(ofStrike: count, after: delay)
    delay = next
    until = time + next
  }

  /// Clears strikes and backoff after an answer (rule 6.6).
  mutating func clear() {
    strikes = 0
    delay = 0
    until = .min
  }

  /// Clears *stopped* too, after an enable (rule 5.2).
  mutating func reset() {
    clear()
    isStopped = false
  }
}
