import WakeEvents

/// A subscription of an app on a sample type: its period and what is pending on it.
struct SubscriptionState {
  /// How the saves of its type reach it.
  enum Mode {
    /// Nothing is pending; the next save counts, is its oldest, and may wake the app.
    case idle
    /// Saves are pending; each further one adds one and changes nothing else.
    case counting
    /// The app is in the foreground; each save is a live delivery.
    case live
    /// Each save must be held against the app's predicates.
    case filtered
  }

  var app: Int
  var type: SampleType
  /// The hash of the type's name.
  var typeHash: UInt64
  /// The least nanoseconds between two wakes that it starts.
  var period: Int64
  var mode = Mode.idle
  /// Pending saves that are counted here; in `counting` there are those since `base` besides.
  var counted = 0
  /// The tally of the type up to which everything is accounted for.
  var base = 0
  /// The time of the first pending save, where something is pending.
  var oldest = Int64.max
  /// The time of the last wake that carried the type.
  var lastWake = Int64.min

  /// The app's number of the wake in flight that carries the type unanswered; 0 if there is none.
  var carriedIn = 0
  /// The saves that it carries.
  var carriedSaves = 0
  /// The time of the first of them.
  var carriedOldest = Int64.max

  /// When it may start a wake at the earliest (SPEC 6.1).
  var dueFrom: Int64 { lastWake + period }
}

/// Counts saves by type, and finds the subscriptions for which a save is more than a count.
///
/// A type's tally is the number of its saves and deletes so far. Where a save only adds one to what
/// is pending, or to the live deliveries, the subscription remembers the tally at which that began;
/// so a save costs the same for one such subscription or a thousand. The others, those in `idle` and
/// `filtered`, are the type's attentive ones, kept by app number.
struct Coalescer {
  /// What the hot path touches of a type.
  struct Tally {
    var count = 0
    /// The number of attentive subscriptions.
    var attention = 0
  }

  /// By ``SampleType/index``.
  var tallies: [Tally] = []
  /// By ``SampleType/index``: the slots of attentive subscriptions, by app number.
  private(set) var attentive: [[Int32]] = []
  /// The subscriptions by slot; slots of `free` hold none.
  var subscriptions: [SubscriptionState] = []
  private var free: [Int32] = []
  /// How many slots hold no subscription.
  var freeCount: Int { free.count }
  /// Live deliveries that are accounted for.
  var liveDeliveries = 0

  /// Makes room for the types with an index below `count`.
  mutating func reserveTypes(_ count: Int) {
    while tallies.count < count {
      tallies.append(Tally())
      attentive.append([])
    }
  }

  /// Adds a subscription in a mode and returns its slot.
  mutating func insert(
    app: Int, type: SampleType, typeHash: UInt64, period: Int64, mode: SubscriptionState.Mode
  ) -> Int {
    reserveTypes(Int(type.index) + 1)
    let state = SubscriptionState(
      app: app, type: type, typeHash: typeHash, period: period, mode: .live)
    let slot: Int
    if let reused = free.popLast() {
      slot = Int(reused)
      subscriptions[slot] = state
    } else {
      slot = subscriptions.count
      subscriptions.append(state)
    }
    subscriptions[slot].base = tallies[Int(type.index)].count
    setMode(mode, of: slot)
    return slot
  }

  /// Removes a subscription and what is pending on it.
  mutating func remove(_ slot: Int) {
    settle(slot)
    if isAttentive(subscriptions[slot].mode) { removeAttentive(slot) }
    free.append(Int32(slot))
  }

  /// The saves pending on a subscription.
  func pending(_ slot: Int) -> Int {
    let subscription = subscriptions[slot]
    guard subscription.mode == .counting else { return subscription.counted }
    return subscription.counted + tallies[Int(subscription.type.index)].count - subscription.base
  }

  /// Accounts for every save up to now.
  mutating func settle(_ slot: Int) {
    let count = tallies[Int(subscriptions[slot].type.index)].count
    switch subscriptions[slot].mode {
    case .counting: subscriptions[slot].counted += count - subscriptions[slot].base
    case .live: liveDeliveries += count - subscriptions[slot].base
    case .idle, .filtered: break
    }
    subscriptions[slot].base = count
  }

  /// Takes the pending saves off a subscription, whose mode becomes that of one with none.
  mutating func take(_ slot: Int) -> (saves: Int, oldest: Int64) {
    settle(slot)
    let taken = (subscriptions[slot].counted, subscriptions[slot].oldest)
    subscriptions[slot].counted = 0
    subscriptions[slot].oldest = .max
    if subscriptions[slot].mode == .counting { setMode(.idle, of: slot) }
    return taken
  }

  /// Lets an idle subscription on which something is pending by now count from the next save on.
  mutating func countIfPending(_ slot: Int) {
    guard subscriptions[slot].mode == .idle, subscriptions[slot].oldest != .max else { return }
    setMode(.counting, of: slot)
  }

  /// Moves the pending saves of a subscription, which has some, to its app's wake of that number.
  mutating func carry(_ slot: Int, in wake: Int, at time: Int64) {
    let (saves, oldest) = take(slot)
    subscriptions[slot].lastWake = time
    subscriptions[slot].carriedIn = wake
    subscriptions[slot].carriedSaves = saves
    subscriptions[slot].carriedOldest = oldest
  }

  /// Puts saves back that a wake carried in vain (SPEC 6.5).
  mutating func giveBack(_ slot: Int) {
    let subscription = subscriptions[slot]
    subscriptions[slot].carriedIn = 0
    subscriptions[slot].counted += subscription.carriedSaves
    subscriptions[slot].oldest = min(subscription.oldest, subscription.carriedOldest)
    countIfPending(slot)
  }

  /// Changes how saves reach a subscription, from the next one on.
  mutating func setMode(_ mode: SubscriptionState.Mode, of slot: Int) {
    settle(slot)
    let old = subscriptions[slot].mode
    subscriptions[slot].mode = mode
    switch (isAttentive(old), isAttentive(mode)) {
    case (false, true): insertAttentive(slot)
    case (true, false): removeAttentive(slot)
    default: break
    }
  }

  private func isAttentive(_ mode: SubscriptionState.Mode) -> Bool {
    mode == .idle || mode == .filtered
  }

  private mutating func insertAttentive(_ slot: Int) {
    let type = Int(subscriptions[slot].type.index)
    let place = attentivePlace(ofApp: subscriptions[slot].app, type: type)
    attentive[type].insert(Int32(slot), at: place)
    tallies[type].attention += 1
  }

  private mutating func removeAttentive(_ slot: Int) {
    let type = Int(subscriptions[slot].type.index)
    let place = attentivePlace(ofApp: subscriptions[slot].app, type: type)
    attentive[type].remove(at: place)
    tallies[type].attention -= 1
  }

  /// The place of an app's subscription in the attentive ones of a type, or where it belongs.
  private func attentivePlace(ofApp app: Int, type: Int) -> Int {
    var low = 0
    var high = attentive[type].count
    while low < high {
      let middle = (low + high) / 2
      if subscriptions[Int(attentive[type][middle])].app < app {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
