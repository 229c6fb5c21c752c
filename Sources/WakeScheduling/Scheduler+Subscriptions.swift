import WakeEvents

// How an app's state decides the way saves reach its subscriptions.
extension Scheduler {
  /// The slot of an app's subscription on a type.
  ///
  /// - Complexity: O(subscriptions of the app).
  func subscription(of app: Int, on type: SampleType) -> Int? {
    apps[app].subscriptions.first { coalescer.subscriptions[$0].type == type }
  }

  /// Where a subscription on the type of that name belongs among an app's, which are kept by name, so
  /// that the types of every wake come out sorted (SPEC 7).
  ///
  /// - Complexity: O(log subscriptions of the app) look-ups of names.
  func place(ofType name: String, in app: Int) -> Int {
    var (low, high) = (0, apps[app].subscriptions.count)
    while low < high {
      let middle = (low + high) / 2
      let other = coalescer.subscriptions[apps[app].subscriptions[middle]].type
      if symbols.types.name(of: other).utf8.lexicographicallyPrecedes(name.utf8) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  /// Whether a wake of the app is in flight and carries the subscription's type unanswered.
  @inline(always)
  func isOutstanding(_ app: Int, slot: Int) -> Bool {
    apps[app].activity == .awake && coalescer.subscriptions[slot].carriedIn == apps[app].wakeCount
  }

  /// The mode that a subscription must be in.
  func mode(app: Int, type: SampleType, pending: Bool) -> SubscriptionState.Mode {
    if apps[app].queries.filter(type) { return .filtered }
    if apps[app].activity == .foreground { return .live }
    return pending ? .counting : .idle
  }

  /// Sets the modes of an app's subscriptions anew, of one type or of all, after what decides them
  /// has changed.
  @inline(never)
  mutating func rearm(_ app: Int, type: SampleType? = nil) {
    for slot in apps[app].subscriptions {
      let subscription = coalescer.subscriptions[slot]
      if let type, subscription.type != type { continue }
      let isPending = subscription.oldest != .max
      coalescer.setMode(
        mode(app: app, type: subscription.type, pending: isPending), of: slot)
      if type != nil { setFilter(of: slot) }
    }
  }

  /// Notes what saves must match to reach a subscription, after queries on its type have changed.
  mutating func setFilter(of slot: Int) {
    guard coalescer.subscriptions[slot].mode == .filtered else { return }
    coalescer.filters.fill(to: slot + 1, with: [])
    coalescer.sieves.fill(to: Sieve.place(of: slot) + 1, with: Sieve([]))
    let type = coalescer.subscriptions[slot].type
    apps[coalescer.subscriptions[slot].app].queries.collectPredicates(
      on: type, into: &coalescer.filters[slot])
    coalescer.stopSifting(slot)
    coalescer.sieves[Sieve.place(of: slot)] = Sieve(coalescer.filters[slot])
  }

  /// Sets what an app is doing; in the foreground and beyond it, saves reach it in another way.
  @inline(__always)
  mutating func setActivity(_ activity: AppState.Activity, of app: Int) {
    let old = apps[app].activity
    apps[app].activity = activity
    if (old == .foreground) != (activity == .foreground) { rearm(app) }
    if activity == .foreground { timers.set(app: app, due: .max) }
  }

  /// Finds ``AppState/earliestPending`` anew.
  ///
  /// - Complexity: O(subscriptions of the app).
  mutating func findEarliestPending(_ app: Int) {
    var earliest = Int64.max
    for slot in apps[app].subscriptions {
      earliest = min(earliest, coalescer.subscriptions[slot].pendingFrom)
    }
    apps[app].earliestPending = earliest
  }
}
