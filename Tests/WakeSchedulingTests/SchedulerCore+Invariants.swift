@testable import WakeEvents
@testable import WakeScheduling

// What must hold between any two inputs.
extension SchedulerCore {
  /// What is wrong with the state, or nil.
  ///
  /// Everything that is counted, sorted, cached or kept as a difference is compared with what it stands for.
  ///
  /// - Complexity: O(subscriptions log subscriptions + apps + types).
  mutating func brokenInvariant() -> String? {
    timers.brokenInvariant() ?? brokenCohort() ?? brokenTimer() ?? brokenSubscription()
      ?? brokenObservation() ?? brokenAnswer() ?? brokenCountOfWakes() ?? brokenPushID()
  }

  /// The apps of a cohort lie side by side, and only the first has subscriptions and a timer.
  private mutating func brokenCohort() -> String? {
    var leader = 0
    for app in apps.indices {
      if app == leader + apps[leader].cohort || app == 0 {
        leader = app
        if !apps[app].leads { return "app \(app) follows no cohort" }
        if app + apps[app].cohort > apps.count { return "app \(app) leads apps that are not there" }
      } else {
        if self.leader(of: app) != leader { return "app \(app) is not led by \(leader)" }
        if apps[app].leads { return "app \(app) leads within the cohort of app \(leader)" }
        if !apps[app].subscriptions.isEmpty { return "app \(app) follows with subscriptions" }
        if timers.due(app: app).due != .max { return "app \(app) follows with a timer" }
        if apps[leader].activity == .foreground { return "the cohort of \(leader) is in front" }
      }
    }
    return nil
  }

  /// Every app's timer is that of rule 4.4.
  private mutating func brokenTimer() -> String? {
    for app in apps.indices where apps[app].leads {
      let (timer, purpose) = timers.due(app: app)
      if timer < present { return "app \(app) is due in the past" }
      switch apps[app].activity {
      case .awake:
        let begin = apps[app].wake.time
        let delay =
          timer == .max && begin + policy.completionTimeout >= Timers.never
          ? policy.completionTimeout : timer - begin
        let answer = policy.behaviour.completesAfter ?? .max
        let isRight =
          purpose == .timer
          ? delay == policy.completionTimeout
          : delay < policy.completionTimeout
            && (delay == answer || delay - policy.behaviour.coldStart == answer)
        if !isRight { return "app \(app) is awake, and its wake ends by itself after \(delay)" }
        if !apps[app].isOutstanding { return "app \(app) is awake with nothing outstanding" }
        continue
      case .foreground:
        if timer != .max { return "app \(app) is in the foreground and has a timer" }
      case .suspended, .terminated:
        let due = dueTimes(app)
        let earliest = due.earliest
        if earliest <= present { return "app \(app) is due and was not woken" }
        if let broken = brokenHold(of: app, timer: timer, due: earliest) { return broken }
      }
      if purpose == .modelledCompletion, timer != apps[app].answeredAt {
        return "app \(app) is not awake and will complete"
      }
    }
    return nil
  }

  /// A timer is exact; or, where something holds apps back, it may be too early, as of before that; and an app whose timer
  /// takes account of what holds it back is noted.
  private mutating func brokenHold(of app: Int, timer: Int64, due: Int64) -> String? {
    func told(_ due: Int64) -> Int64 { due < Timers.never ? due : .max }
    let wrong = "app \(app) has timer \(timer), should be \(due)"
    guard accelerations.contains(.heldApps) else { return timer == told(due) ? nil : wrong }
    if !held.inUse.contains(app),
      apps[app].activity != .terminated || apps[app].holdsPush || apps[app].isForceQuit
        || isAnsweredAhead(app)
    {
      return "app \(app) is in use, and not noted as such"
    }
    let state = (holds, commonStatus, apps[app].refresh)
    defer { (holds, commonStatus, apps[app].refresh) = state }
    holds.remove(.lock)
    if told(dueTimes(app).earliest) < timer, !held.locked.contains(app),
      state.0.contains(.lock)
    {
      return "\(wrong), and it is not noted as held back by the lock"
    }
    holds = state.0
    holds.subtract([.network, .power])
    if told(dueTimes(app).earliest) < timer, !held.conditions.contains(app),
      !(held.mayBeAvailable && held.status.contains(app))
    {
      return "\(wrong), and it is not noted as held back by network or power"
    }
    commonStatus.set(.available)
    if told(dueTimes(app).earliest) < timer, !held.conditions.contains(app),
      !held.status.contains(app)
    {
      return "\(wrong), and it is not noted as held back by its status"
    }
    holds.remove(.lock)
    return told(dueTimes(app).earliest) <= timer && timer <= told(due) ? nil : wrong
  }

  /// Between two calls no id is in the caller's memory, and whoever names pushes finds that of each push that is held.
  private func brokenPushID() -> String? {
    if heldPushIDs.borrowers.count > 0 { return "ids of pushes are in the caller's memory" }
    for app in apps.indices where namesPushes && apps[app].holdsPush {
      guard app < heldPushIDs.held.count, let id = heldPushIDs.held[app].id else {
        return "app \(app) holds a push without an id"
      }
      if NameHash.ofMany(id) != apps[app].heldPush {
        return "app \(app) holds a push with the id '\(id)' of another"
      }
    }
    return nil
  }

  /// A completion that is counted ahead is that of the last wake of an app, which is not woken before.
  private mutating func brokenAnswer() -> String? {
    for app in apps.indices where isAnsweredAhead(app) {
      let at = "app \(app), whose completion is counted ahead,"
      if reportsEnds { return "\(at) has a wake whose end is reported" }
      if !apps[app].leads { return "\(at) follows" }
      if apps[app].activity != .suspended { return "\(at) is \(apps[app].activity)" }
      if dueTimes(app).earliest < apps[app].answeredAt { return "\(at) may be woken before" }
      if apps[app].backoff.strikes != 0, apps[app].wake.saves > 0, waits == nil {
        return "\(at) has strikes"
      }
      let wake = apps[app].wake
      if wake.end != apps[app].answeredAt || wake.outcome != WakeOutcome.completed.rawValue {
        return "\(at) has a wake with outcome \(wake.outcome), or one that ends at another time"
      }
    }
    return nil
  }

  /// Subscriptions belong to their apps, and have the mode and counts of what is pending on them.
  private mutating func brokenSubscription() -> String? {
    var seen: Set<Int> = []
    for app in apps.indices {
      var pendingDue = Int64.max
      var unripeDue = Int64.max
      var names: [String] = []
      for (place, slot) in apps[app].subscriptions.enumerated() {
        let subscription = coalescer.subscriptions[slot]
        let at = "subscription \(slot) of app \(app)"
        if !seen.insert(slot).inserted { return "\(at) is there twice" }
        if subscription.app != app { return "\(at) says it is of app \(subscription.app)" }
        if subscription.place != place { return "\(at) is at \(place), not \(subscription.place)" }
        let (isRipe, isUnripe) = (
          apps[app].places.contains(place, in: .ripe), apps[app].places.contains(place, in: .unripe)
        )
        if isRipe && isUnripe || (isRipe || isUnripe) != (subscription.oldest != .max) {
          return "\(at) is ripe (\(isRipe)) or unripe (\(isUnripe)) against what is pending"
        }
        if isRipe, subscription.pendingDue > present { return "\(at) is ripe too soon" }
        if isUnripe { unripeDue = min(unripeDue, subscription.pendingDue) }
        names.append(symbols.types.name(of: subscription.type))
        let pending = coalescer.pending(slot)
        if (pending > 0) != (subscription.oldest != .max) {
          return "\(at) has \(pending) pending, the oldest at \(subscription.oldest)"
        }
        if pending == 0, subscription.mode != .live, subscription.counted != 0 {
          return "\(at) counts \(subscription.counted), with none pending"
        }
        if subscription.oldest != .max {
          if subscription.oldest > present { return "\(at) has a pending save from the future" }
          pendingDue = min(pendingDue, subscription.pendingDue)
        }
        let isForeground = apps[app].activity == .foreground
        let isLive = subscription.mode == .live && isForeground && !subscription.isFiltered
        if isLive, !apps[app].places.contains(place, in: .live) {
          return "\(at) is live and not among those that are"
        }
        if coalescer.isScanned(slot), !apps[app].mayHaveScans {
          return "\(at) is scanned and no scan has started"
        }
        let mode = coalescer.mode(subscription)
        if !isLive, mode != subscription.mode {
          return "\(at) is \(subscription.mode), should be \(mode)"
        }
        var queries = apps[app].queries
        if subscription.isFiltered != queries.filters(subscription.type) {
          return "\(at) is filtered or not against the app's queries"
        }
        if subscription.isFiltered {
          let filter = coalescer.filters[slot]
          var predicates: [Predicate] = []
          queries.copyPredicates(on: subscription.type, to: &predicates)
          if filter.queries !== queries.manyPredicates(on: subscription.type)
            || filter.queries == nil
              && (filter.few.count != predicates.count || Set(filter.few) != Set(predicates))
          {
            return "\(at) has the wrong predicates"
          }
        }
        if coalescer.typeHash(of: slot) != symbols.types.hash(of: subscription.type) {
          return "\(at) has the hash of another type"
        }
        if isOutstanding(slot, of: app) {
          if subscription.carriedSaves < 1 { return "\(at) is carried without saves" }
        }
      }
      let hasRipe = apps[app].places.next(in: .ripe, from: 0) != nil
      if hasRipe ? apps[app].pendingDue > present : pendingDue != apps[app].pendingDue {
        return "app \(app) is due \(apps[app].pendingDue), not \(pendingDue)"
      }
      if apps[app].isWokenBySavesOnly,
        !accelerations.contains(.directWakes) || apps[app].isForceQuit
          || apps[app].backoff.isStopped
          || min(dueTimes(app).refresh, dueTimes(app).push) != .max
      {
        return "app \(app) may be woken for more than pending saves, or for nothing"
      }
      let budgetOpens = apps[app].budgetOpens
      updateBudget(app)
      if apps[app].budgetOpens != budgetOpens {
        return "the budget of app \(app) opens at \(apps[app].budgetOpens), not \(budgetOpens)"
      }
      if unripeDue != apps[app].unripeDue || unripeDue != apps[app].places.unripeDue {
        return "app \(app) ripens at \(apps[app].unripeDue), not \(unripeDue)"
      }
      if apps[app].arePlacesSorted,
        zip(names, names.dropFirst()).contains(where: {
          !$0.utf8.lexicographicallyPrecedes($1.utf8)
        })
      {
        return "the subscriptions of app \(app) are not sorted by type: \(names)"
      }
      let byName = slotsByName(of: app).map {
        symbols.types.name(of: coalescer.subscriptions[$0].type)
      }
      if byName != names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
        return "the subscriptions of app \(app) are told in the order \(byName)"
      }
      if apps[app].activity == .awake, !apps[app].isOutstanding {
        return "app \(app) is awake with nothing outstanding"
      }
    }
    return coalescer.subscriptions.count - coalescer.freeCount == seen.count
      ? nil : "slots are neither free nor an app's"
  }

  /// Each type's observed subscriptions have their bits, in app order.
  private mutating func brokenObservation() -> String? {
    let subscribed = Set(
      apps.indices.flatMap { apps[$0].subscriptions }.map { coalescer.subscriptions[$0].typeIndex })
    if coalescer.subscribedTypes != subscribed.count {
      return "\(coalescer.subscribedTypes) types have subscriptions, should be \(subscribed.count)"
    }
    var observed: [Int: [Int]] = [:]
    for app in apps.indices {
      for slot in apps[app].subscriptions where coalescer.subscriptions[slot].mode == .observed {
        observed[coalescer.subscriptions[slot].typeIndex, default: []].append(slot)
      }
    }
    for type in 0..<coalescer.knownTypes {
      let expected = observed[type] ?? []
      let found = observedSlots(ofType: type)
      if found != expected { return "type \(type) is observed by \(found), should by \(expected)" }
      let filtered = expected.count { coalescer.subscriptions[$0].isFiltered }
      if type < coalescer.rosters.count, coalescer.rosters[type].filtered != filtered {
        return "type \(type) counts \(coalescer.rosters[type].filtered) filtered"
      }
      let attention = coalescer.typeCounts[type].attention
      if attention.observedCount != expected.count {
        return "type \(type) counts \(attention.observedCount) that observe it"
      }
      if let broken = brokenScan(ofType: type, observedBy: expected) { return broken }
    }
    return nil
  }

  /// A type is scanned only where its one observed subscription has one predicate, and as far as that needs.
  private mutating func brokenScan(ofType type: Int, observedBy observed: [Int]) -> String? {
    let attention = coalescer.typeCounts[type].attention
    guard attention.isScanned else {
      return type >= coalescer.scans.count || coalescer.scans[type] == CompiledPredicate.noScan
        ? nil : "type \(type) has a predicate, and is not scanned"
    }
    let slot = CompiledPredicate.slot(at: coalescer.scans[type])
    if observed != [slot] { return "type \(type) is scanned for \(slot), not for \(observed)" }
    let predicate = coalescer.compiled[CompiledPredicate.place(of: slot)]
    let isForeground = apps[coalescer.subscriptions[slot].app].activity == .foreground
    let isFirst = coalescer.subscriptions[slot].oldest == .max && !isForeground
    if !coalescer.subscriptions[slot].isFiltered || coalescer.filters[slot].few.count != 1
      || !coalescer.filters[slot].isScanCompiled
      || attention.needsAtMostSourceWithoutDetails
        && (!predicate.isAlwaysInTime(from: present) || predicate.stopsAtMatch != 0)
      || attention.needsAtMostSource && predicate.question != .source
      || attention.needsAtMostValue && (predicate.question != .value || predicate.stopsAtMatch != 0)
      || isFirst && predicate.stopsAtMatch == 0
    {
      return "type \(type) is scanned for \(slot) in a way that its predicate does not allow"
    }
    return nil
  }

  /// The slots of a type whose bits are set; -1 for a bit without a subscription.
  private func observedSlots(ofType type: Int) -> [Int] {
    guard type < coalescer.rosters.count else { return [] }
    let roster = coalescer.rosters[type]
    return (0..<max(roster.capacity, Coalescer.firstRanks)).compactMap { rank in
      let further = rank - Coalescer.firstRanks
      let isObserved =
        further < 0
        ? coalescer.typeCounts[type].observed >> UInt32(rank) & 1 == 1
        : coalescer.furtherObserved[roster.words + further >> 6] >> UInt64(further & 63) & 1 == 1
      guard isObserved else { return nil }
      return rank < roster.end ? Int(coalescer.members[roster.members + rank]) : -1
    }
  }
}

extension Scheduler {
  /// What is wrong with the state, or nil.
  mutating func brokenInvariant() -> String? { core.brokenInvariant() }
}

extension Timers {
  /// Says what is wrong with the timers, or nil; for tests.
  fileprivate func brokenInvariant() -> String? {
    for app in 0..<capacity {
      if app >= apps, keys[app] != Self.nothing {
        return "there is no app \(app), and it has a timer"
      }
      if winners[capacity + app] != app { return "leaf \(app) holds another app" }
    }
    for node in 1..<capacity where winners[node] != winner(below: node) {
      return "node \(node) does not hold the least key below it"
    }
    return firstKey == keys[Int(winners[1])] ? nil : "the first key is not that of the root"
  }
}
