import WakeEvents

/// Counts saves by type, and finds the subscriptions for which a save is more than a count.
///
/// A type's tally is the number of its saves and deletes so far. Where a save only adds one to what
/// is pending, or to the live deliveries, the subscription keeps its count less the tally, so that
/// what adds to the tally adds to it: a save costs the same for one such subscription or a thousand. The others, those in `idle` and
/// `filtered`, are the type's attentive ones, bits in the order of app numbers.
struct Coalescer: ~Copyable {
  /// What the hot path touches of a type.
  struct Tally {
    /// Saves and deletes in rows that were counted as the first of four, or alone.
    var first = 0
    /// Those that were counted as the others of four: adding to one number twice in a row would wait.
    var second = 0
    var third = 0
    var fourth = 0
    var attention = Attention()
    /// The place in ``sieves`` of the sieve that the type is sifted with.
    var sieve: Int32 = Sieve.idle

    /// The saves and deletes of the type so far.
    @inline(__always)
    var count: Int { first &+ second &+ third &+ fourth }
  }

  /// Where the subscriptions on a type stand.
  struct Roster {
    /// Their first place in ``members``.
    var members = 0
    /// Their first place in ``attentive``.
    var words = 0
    var count = 0
    /// How many there is room for: 0 or a power of two.
    var capacity = 0
    /// The hash of the type's name.
    var typeHash: UInt64 = 0

    /// How many words hold a bit for each of so many.
    static func words(for count: Int) -> Int { (count + 63) / 64 }
  }

  /// By ``SampleType/index``.
  var tallies = Table<Tally>()
  /// By ``SampleType/index``, as far as one was ever subscribed to.
  var rosters = Table<Roster>()
  /// Slots, those of a type beside each other and by app number.
  var members = Table<Int32>()
  /// A bit for each subscription of a type, by its rank there: whether it is attentive.
  var attentive = Table<UInt64>()
  /// The subscriptions by slot; slots of `free` hold none.
  var subscriptions = Table<SubscriptionState>()
  /// By slot, as far as one was ever filtered: for those in `filtered` the predicates of which a save must
  /// match one.
  var filters = Table<[Predicate]>()
  /// By ``Sieve/place(of:)``, as far as ``filters``: the same made ready for many rows.
  var sieves = Table<Sieve>()
  private var free = Table<Int32>()
  /// How many slots hold no subscription.
  var freeCount: Int { free.count }
  /// Live deliveries that are accounted for.
  var liveDeliveries = 0

  /// Becomes a copy of another one.
  mutating func copy(_ other: borrowing Coalescer) {
    tallies.copy(other.tallies)
    rosters.copy(other.rosters)
    members.copy(other.members)
    attentive.copy(other.attentive)
    subscriptions.copy(other.subscriptions)
    filters.copy(other.filters)
    sieves.copy(other.sieves)
    free.copy(other.free)
    liveDeliveries = other.liveDeliveries
  }

  /// Makes room for the types with an index below `count`: always for a power of two, so that the bits of
  /// many indices together tell whether one of them is beyond.
  mutating func reserveTypes(_ count: Int) {
    guard count > tallies.count else { return }
    var room = max(4, tallies.count)
    while room < count { room *= 2 }
    tallies.fill(to: room, with: Tally())
  }

  /// Adds a subscription in a mode and returns its slot.
  ///
  /// - Complexity: O(1), amortised, and O(apps with a higher number on the type).
  mutating func insert(
    app: Int, type: SampleType, typeHash: UInt64, frequency: Frequency,
    mode: SubscriptionState.Mode
  ) -> Int {
    let index = Int(type.index)
    reserveTypes(index + 1)
    rosters.fill(to: index + 1, with: Roster())
    rosters[index].typeHash = typeHash
    return insert(SubscriptionState(app: app, type: type, frequency: frequency), mode: mode)
  }

  /// Adds a subscription of another app that is as one of an app that is not in the foreground.
  mutating func insert(copyOf slot: Int, app: Int) -> Int {
    let mode = subscriptions[slot].mode
    settle(slot)
    var state = subscriptions[slot]
    begin(mode, of: slot)
    state.app = app
    return insert(state, mode: mode)
  }

  /// Adds a subscription, which is settled, and sets its mode.
  private mutating func insert(
    _ state: SubscriptionState, mode: SubscriptionState.Mode
  ) -> Int {
    let slot: Int
    if let reused = free.popLast() {
      slot = Int(reused)
      subscriptions[slot] = state
    } else {
      slot = subscriptions.count
      subscriptions.append(state)
    }
    enrol(slot)
    begin(mode, of: slot)
    return slot
  }

  /// Removes a subscription and what is pending on it.
  mutating func remove(_ slot: Int) {
    settle(slot)
    strikeOff(slot)
    free.append(Int32(slot))
  }

  /// The saves pending on a subscription.
  func pending(_ slot: Int) -> Int {
    guard subscriptions[slot].oldest != .max else { return 0 }
    let tally = tallies[subscriptions[slot].typeIndex]
    let pending = subscriptions[slot].pending(tally: tally.count)
    return isSifted(slot) ? pending + sieves[Sieve.place(of: slot)].matched : pending
  }

  /// Accounts for every save up to now; none reaches the subscription until another mode begins.
  mutating func settle(_ slot: Int) {
    let type = subscriptions[slot].typeIndex
    if subscriptions[slot].mode == .filtered { stopSifting(slot) }
    if subscriptions[slot].mode.isAttentive { ignore(slot, ofType: type) }
    if subscriptions[slot].isTallied { subscriptions[slot].counted += tallies[type].count }
    if subscriptions[slot].mode == .live {
      liveDeliveries += subscriptions[slot].counted
      subscriptions[slot].counted = 0
    }
    subscriptions[slot].mode = .settled
  }

  /// Lets saves reach a settled subscription in a mode, from the next one on.
  private mutating func begin(_ mode: SubscriptionState.Mode, of slot: Int) {
    let type = subscriptions[slot].typeIndex
    subscriptions[slot].mode = mode
    if subscriptions[slot].isTallied { subscriptions[slot].counted -= tallies[type].count }
    if mode.isAttentive { attend(slot, ofType: type) }
  }

  /// Changes how saves reach a subscription, from the next one on.
  mutating func setMode(_ mode: SubscriptionState.Mode, of slot: Int) {
    settle(slot)
    begin(mode, of: slot)
  }

  /// Takes the pending saves off a subscription; its mode becomes that of one with none.
  @inline(__always)
  mutating func take(_ slot: Int) -> (saves: Int, oldest: Int64) {
    guard subscriptions[slot].oldest != .max else { return (0, .max) }
    let type = subscriptions[slot].typeIndex
    if subscriptions[slot].mode == .filtered { stopSifting(slot) }
    let taken = (
      subscriptions[slot].pending(tally: tallies[type].count), subscriptions[slot].oldest
    )
    subscriptions[slot].counted = 0
    subscriptions[slot].oldest = .max
    if subscriptions[slot].mode == .counting {
      subscriptions[slot].mode = .idle
      attend(slot, ofType: type)
    }
    return taken
  }

  /// The hash of the name of a subscription's type.
  @inline(__always)
  func typeHash(of slot: Int) -> UInt64 { rosters[subscriptions[slot].typeIndex].typeHash }

  /// Lets an idle subscription on which something is pending by now count from the next save on.
  @inline(__always)
  mutating func countIfPending(_ slot: Int) {
    guard subscriptions[slot].mode == .idle, subscriptions[slot].oldest != .max else { return }
    let type = subscriptions[slot].typeIndex
    subscriptions[slot].mode = .counting
    subscriptions[slot].counted -= tallies[type].count
    ignore(slot, ofType: type)
  }

  /// Puts saves back that a wake carried in vain (SPEC 6.5).
  mutating func giveBack(_ slot: Int) {
    let subscription = subscriptions[slot]
    subscriptions[slot].carriedIn = 0
    subscriptions[slot].counted += subscription.carriedSaves
    subscriptions[slot].oldest = min(subscription.oldest, subscription.carriedOldest)
    countIfPending(slot)
  }

  @inline(__always)
  private mutating func attend(_ slot: Int, ofType type: Int) {
    if tallies[type].attention.isSifted { stopSifting(Sieve.slot(at: tallies[type].sieve)) }
    let rank = subscriptions[slot].rank
    attentive[rosters[type].words + rank >> 6] |= 1 &<< UInt64(rank & 63)
    tallies[type].attention.addOne()
  }

  @inline(__always)
  private mutating func ignore(_ slot: Int, ofType type: Int) {
    let rank = subscriptions[slot].rank
    attentive[rosters[type].words + rank >> 6] &= ~(1 &<< UInt64(rank & 63))
    tallies[type].attention.dropOne()
  }
}
