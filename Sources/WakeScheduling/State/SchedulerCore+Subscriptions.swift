import WakeEvents

// The subscriptions of an app, in no order: a new one comes last, and the last one takes the place of one removed.
extension SchedulerCore {
  /// Whether an app has had a subscription since the last start, by the policy or an input.
  ///
  /// - Complexity: O(1), as slots are used again and never dropped.
  package var hadSubscriptions: Bool { coalescer.subscriptions.count > 0 }

  /// The slot of an app's subscription on a type.
  ///
  /// - Complexity: O(1) for an app with few subscriptions, else O(log apps on the type).
  mutating func subscription(of app: Int, on type: SampleType) -> Int? {
    guard apps[app].subscriptions.count <= Self.fewSubscriptions else {
      return coalescer.member(ofType: Int(type.index), app: app)
    }
    for slot in apps[app].subscriptions where coalescer.subscriptions[slot].type == type {
      return slot
    }
    return nil
  }

  /// So many subscriptions of an app are looked through one after the other. They do not wait for each other, unlike the
  /// steps of a search among the apps on a type.
  private static var fewSubscriptions: Int { 8 }

  /// Adds a subscription to its app.
  ///
  /// - Complexity: As ``Coalescer/insert(_:typeHash:)``.
  mutating func add(_ subscription: SubscriptionState) {
    let app = subscription.app
    let place = apps[app].subscriptions.count
    if apps[app].arePlacesSorted, let last = apps[app].subscriptions.last {
      let (before, name) = (
        symbols.types.name(of: coalescer.subscriptions[last].type),
        symbols.types.name(of: subscription.type)
      )
      apps[app].arePlacesSorted = before.precedes(name)
    }
    let slot = coalescer.insert(subscription, typeHash: symbols.types.hash(of: subscription.type))
    coalescer.subscriptions[slot].place = place
    coalescer.attach(slot)
    apps[app].subscriptions.append(slot)
  }

  /// Removes a subscription of an app and its pending saves. No wake in flight carries it without an answer.
  ///
  /// - Complexity: As ``Coalescer/remove(_:)``.
  mutating func remove(_ slot: Int, of app: Int) {
    let place = coalescer.subscriptions[slot].place
    forgetPending(place, of: app)
    // Or live, in the foreground; so below.
    apps[app].places.remove(place, from: .carried)
    coalescer.remove(slot)
    // The last one takes its place, unless it is the last itself.
    guard let last = apps[app].subscriptions.popLast(), last != slot else {
      if apps[app].subscriptions.isEmpty { apps[app].arePlacesSorted = true }
      return
    }
    apps[app].arePlacesSorted = apps[app].subscriptions.count == 1
    let isPending = coalescer.subscriptions[last].oldest != .max
    let lastPlace = coalescer.subscriptions[last].place
    if isPending { forgetPending(lastPlace, of: app) }
    apps[app].subscriptions[place] = last
    coalescer.subscriptions[last].place = place
    if isPending { notePending(last, of: app) }
    if apps[app].places.contains(lastPlace, in: .carried) {
      apps[app].places.remove(lastPlace, from: .carried)
      apps[app].places.insert(place, in: .carried)
    }
  }
}
