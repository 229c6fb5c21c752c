import WakeEvents

// What must hold between any two inputs, for tests.
extension Scheduler {
  /// Says what is wrong with the state, or nil if nothing is.
  ///
  /// Everything that is counted, sorted, cached or kept by difference is held against what it stands
  /// for.
  ///
  /// - Complexity: O(subscriptions log subscriptions + apps + types).
  package func brokenInvariant() -> String? {
    timers.brokenInvariant() ?? brokenCohort() ?? brokenTimer() ?? brokenSubscription()
      ?? brokenAttention() ?? brokenAnswer()
  }

  /// Cohorts lie side by side, and all that they have stands with the app that leads.
  private func brokenCohort() -> String? {
    var leader = 0
    for app in apps.indices {
      if app == leader + apps[leader].cohort || app == 0 {
        leader = app
        if !apps[app].leads { return "app \(app) follows no cohort" }
        if app + apps[app].cohort > apps.count { return "app \(app) leads apps that are not there" }
      } else {
        if apps[app].leads { return "app \(app) leads within the cohort of app \(leader)" }
        if !apps[app].subscriptions.isEmpty { return "app \(app) follows with subscriptions" }
        if timers.due(app: app).due != .max { return "app \(app) follows with a timer" }
        if apps[leader].activity == .foreground { return "the cohort of \(leader) is in front" }
      }
    }
    return nil
  }

  /// Every app's timer is the one of SPEC 4.4.
  private func brokenTimer() -> String? {
    for app in apps.indices where apps[app].leads {
      let (timer, purpose) = timers.due(app: app)
      if timer < present { return "app \(app) is due in the past" }
      switch apps[app].activity {
      case .awake:
        let begin = apps[app].wake.time.nanoseconds
        let delay =
          timer == .max && begin + policy.completionTimeout >= TimerTree.never
          ? policy.completionTimeout : timer - begin
        let answer = policy.behaviour.completesAfter ?? .max
        let isRight =
          purpose == .timer
          ? delay == policy.completionTimeout
          : delay < policy.completionTimeout
            && (delay == answer || delay - policy.behaviour.coldStart == answer)
        if !isRight { return "app \(app) is awake, and its wake ends by itself after \(delay)" }
        if apps[app].outstanding == 0 { return "app \(app) is awake with nothing outstanding" }
        continue
      case .foreground:
        if timer != .max { return "app \(app) is in the foreground and has a timer" }
      case .suspended, .terminated:
        let due = dueTimes(app)
        let earliest = due.earliest
        if apps[app].isPlain, min(due.refresh, due.push) != .max {
          return "app \(app) may be woken for more than pending saves"
        }
        if earliest <= present { return "app \(app) is due and was not woken" }
        if timer != (earliest < TimerTree.never ? earliest : .max) {
          return "app \(app) has timer \(timer), should be \(earliest)"
        }
      }
      if purpose == .modelledCompletion, timer != apps[app].awakeUntil {
        return "app \(app) is not awake and will complete"
      }
    }
    return nil
  }

  /// An answer that is counted ahead is that of the last wake of an app which nothing but it keeps from waking.
  private func brokenAnswer() -> String? {
    for app in apps.indices where isCountedAhead(app) {
      let at = "app \(app), whose answer is counted ahead,"
      if tellsAll { return "\(at) is told of" }
      if !apps[app].leads { return "\(at) follows" }
      if apps[app].activity != .suspended { return "\(at) is \(apps[app].activity)" }
      if !apps[app].isPlain { return "\(at) may be woken for more than pending saves" }
      if apps[app].backoff.strikes != 0 { return "\(at) has strikes" }
      let wake = apps[app].wake
      if wake.end?.nanoseconds != apps[app].awakeUntil || wake.outcome != .completed {
        return "\(at) has a wake that is \(wake.outcome), or ends at another time"
      }
    }
    return nil
  }

  /// Subscriptions belong to their apps, and their modes and sums to what is pending on them.
  private func brokenSubscription() -> String? {
    var seen: Set<Int> = []
    for app in apps.indices {
      var earliestPending = Int64.max
      var carried = 0
      var names: [String] = []
      for slot in apps[app].subscriptions {
        let subscription = coalescer.subscriptions[slot]
        let at = "subscription \(slot) of app \(app)"
        if !seen.insert(slot).inserted { return "\(at) is there twice" }
        if subscription.app != app { return "\(at) says it is of app \(subscription.app)" }
        names.append(symbols.types.name(of: subscription.type))
        let pending = coalescer.pending(slot)
        if (pending > 0) != (subscription.oldest != .max) {
          return "\(at) has \(pending) pending, the oldest at \(subscription.oldest)"
        }
        if pending == 0, subscription.mode != .live, subscription.counted != 0 {
          return "\(at) counts \(subscription.counted), none of them pending"
        }
        if subscription.oldest != .max {
          if subscription.oldest > present { return "\(at) has a pending save from the future" }
          earliestPending = min(earliestPending, subscription.pendingFrom)
        }
        let mode = mode(app: app, type: subscription.type, pending: pending > 0)
        if mode != subscription.mode { return "\(at) is \(subscription.mode), should be \(mode)" }
        if mode == .filtered {
          var predicates: [Predicate] = []
          apps[app].queries.collectPredicates(on: subscription.type, into: &predicates)
          if coalescer.filters[slot] != predicates { return "\(at) has the wrong filter" }
        }
        if coalescer.typeHash(of: slot) != symbols.types.hash(of: subscription.type) {
          return "\(at) has the hash of another type"
        }
        if isOutstanding(app, slot: slot) {
          carried += 1
          if subscription.carriedSaves < 1 { return "\(at) is carried without saves" }
        }
      }
      if earliestPending != apps[app].earliestPending {
        return "app \(app) takes \(apps[app].earliestPending) for \(earliestPending)"
      }
      if zip(names, names.dropFirst()).contains(where: {
        !$0.utf8.lexicographicallyPrecedes($1.utf8)
      }) {
        return "the subscriptions of app \(app) are not sorted by type: \(names)"
      }
      if apps[app].activity == .awake {
        let others =
          (apps[app].isPushOutstanding ? 1 : 0) + (apps[app].isRefreshOutstanding ? 1 : 0)
        if apps[app].outstanding != carried + others {
          return "app \(app) has \(apps[app].outstanding) outstanding, not \(carried + others)"
        }
      }
    }
    return coalescer.subscriptions.count - coalescer.freeCount == seen.count
      ? nil : "slots are neither free nor an app's"
  }

  /// Each type's attentive subscriptions are those that are idle or filtered, by app.
  private func brokenAttention() -> String? {
    var attentive: [Int: [Int]] = [:]
    for app in apps.indices {
      for slot in apps[app].subscriptions {
        let subscription = coalescer.subscriptions[slot]
        guard [.idle, .filtered].contains(subscription.mode) else { continue }
        attentive[Int(subscription.type.index), default: []].append(slot)
      }
    }
    for type in coalescer.tallies.indices {
      let expected = attentive[type] ?? []
      if attending(toType: type) != expected {
        return "type \(type) attends to \(attending(toType: type)), should to \(expected)"
      }
      let attention = coalescer.tallies[type].attention
      if attention.count != expected.count {
        return "type \(type) counts \(attention.count) attentive"
      }
      guard attention.isSifted else {
        if coalescer.tallies[type].sieve == Sieve.idle { continue }
        return "type \(type) has a sieve, and is not sifted"
      }
      let slot = Sieve.slot(at: coalescer.tallies[type].sieve)
      if expected != [slot] { return "type \(type) is sifted for \(slot), not for \(expected)" }
      let sieve = coalescer.sieves[Sieve.place(of: slot)]
      let isForeground = apps[coalescer.subscriptions[slot].app].activity == .foreground
      let isFirst = coalescer.subscriptions[slot].oldest == .max && !isForeground
      if coalescer.subscriptions[slot].mode != .filtered || !sieve.isWhole
        || attention.isUpToPlainSources && (!sieve.isPassed(by: present) || sieve.stops != 0)
        || attention.isUpToSources && sieve.question != .source
        || attention.isUpToValues && (sieve.question != .value || sieve.stops != 0)
        || isFirst && sieve.stops == 0
      {
        return "type \(type) is sifted, though its saves reach \(slot) in another way"
      }
    }
    return nil
  }

  /// The slots of a type whose bits are set, some of which may belong to no subscription.
  private func attending(toType type: Int) -> [Int] {
    guard type < coalescer.rosters.count else { return [] }
    let roster = coalescer.rosters[type]
    return (0..<roster.capacity).compactMap { rank in
      let word = coalescer.attentive[roster.words + rank >> 6]
      guard word >> UInt64(rank & 63) & 1 == 1 else { return nil }
      return rank < roster.count ? Int(coalescer.members[roster.members + rank]) : -1
    }
  }
}
