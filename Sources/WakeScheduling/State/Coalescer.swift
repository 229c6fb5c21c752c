import WakeEvents

/// The wake coalescer's state: the subscriptions of all apps, by slot, and the saves pending on them.
///
/// The subscriptions on a type lie side by side in ``members``, in the order of app numbers (rule 5.1). Those that the
/// rules must see for each save are *observed* and have a bit in ``observedBits``. Without the acceleration
/// ``Accelerations/saveCounting`` that is every subscription.
struct Coalescer: ~Copyable {
  /// Where the subscriptions on a type are.
  struct Roster {
    /// The place of the first in ``members``.
    var members = 0
    /// The place of their first word in ``observedBits``.
    var words = 0
    var count = 0
    /// How many there is room for: 0 or a power of two.
    @Narrow var capacity = 0
    /// How many of them are filtered.
    var filtered: Int32 = 0
    /// The hash of the type's name.
    var typeHash: UInt64 = 0

    /// The number of words with a bit for each of `count`.
    static func words(for count: Int) -> Int { (count + 63) / 64 }
  }

  /// Whether ``Accelerations/saveCounting`` and ``Accelerations/predicateScan`` are on.
  let countsSaves: Bool
  let scansPredicates: Bool
  /// Saves per type, by ``SampleType/index``: for ``knownTypes`` and, up to a power of two, places whose attention is
  /// ``Attention/unknown``.
  var typeCounts = UncheckedArray<TypeCount>()
  /// Types with an index below this are known.
  private(set) var knownTypes = 0
  /// By ``SampleType/index``, up to the last one with a subscription.
  var rosters = UncheckedArray<Roster>()
  /// Slots of subscriptions, those on a type side by side.
  var members = UncheckedArray<Int32>()
  /// A bit for each member: whether it is observed.
  var observedBits = UncheckedArray<UInt64>()
  /// The subscriptions by slot; slots of `free` hold none.
  var subscriptions = UncheckedArray<SubscriptionState>()
  /// By slot, for filtered subscriptions: the predicates of which a save must match one.
  var filters = UncheckedArray<[Predicate]>()
  /// By ``CompiledPredicate/place(of:)``: ``filters`` for ``Accelerations/predicateScan``.
  var compiled = UncheckedArray<CompiledPredicate>()
  private var free = UncheckedArray<Int32>()
  /// The number of slots without a subscription.
  var freeCount: Int { free.count }
  /// Live deliveries taken over from subscriptions.
  var liveDeliveries = 0

  init(_ accelerations: Accelerations) {
    countsSaves = accelerations.contains(.saveCounting)
    scansPredicates = accelerations.contains(.predicateScan)
  }

  /// Becomes a copy of another one with the same accelerations.
  mutating func copy(_ other: borrowing Coalescer) {
    typeCounts.copy(other.typeCounts)
    knownTypes = other.knownTypes
    rosters.copy(other.rosters)
    members.copy(other.members)
    observedBits.copy(other.observedBits)
    subscriptions.copy(other.subscriptions)
    filters.copy(other.filters)
    compiled.copy(other.compiled)
    free.copy(other.free)
    liveDeliveries = other.liveDeliveries
  }

  /// Makes the types with an index below `count` known. There is room for a power of two of them, so that the bits of
  /// several indices together tell whether one is beyond.
  mutating func reserveTypes(_ count: Int) {
    guard count > knownTypes else { return }
    var room = max(4, typeCounts.count)
    while room < count { room *= 2 }
    typeCounts.fill(to: room, with: TypeCount(attention: .unknown))
    for type in knownTypes..<count { typeCounts[type].attention = Attention() }
    knownTypes = count
  }

  /// Adds a subscription, detached, and returns its slot.
  ///
  /// - Complexity: O(1), amortized, and O(apps with a higher number on the type).
  mutating func insert(_ subscription: SubscriptionState, typeHash: UInt64) -> Int {
    let type = subscription.typeIndex
    reserveTypes(type + 1)
    rosters.fill(to: type + 1, with: Roster())
    rosters[type].typeHash = typeHash
    let slot: Int
    if let reused = free.popLast() {
      slot = Int(reused)
      subscriptions[slot] = subscription
    } else {
      slot = subscriptions.count
      subscriptions.append(subscription)
    }
    enroll(slot)
    return slot
  }

  /// Removes a subscription and its pending saves.
  mutating func remove(_ slot: Int) {
    materialize(slot)
    setFiltered(slot, false)
    strikeOff(slot)
    free.append(Int32(slot))
  }

  /// The hash of the name of a subscription's type.
  @inline(__always)
  func typeHash(of slot: Int) -> UInt64 { rosters[subscriptions[slot].typeIndex].typeHash }

  /// Adds a save to an observed subscription; true if it is the only one pending.
  @inline(__always)
  mutating func addPending(_ slot: Int, at time: Int64) -> Bool {
    subscriptions[slot].counted += 1
    guard subscriptions[slot].oldest == .max else { return false }
    subscriptions[slot].oldest = time
    return true
  }

  /// Takes the pending saves off a subscription.
  @inline(__always)
  mutating func takePending(_ slot: Int) -> (saves: Int, oldest: Int64) {
    guard subscriptions[slot].oldest != .max else { return (0, .max) }
    let taken = (pendingOnTaking(slot), subscriptions[slot].oldest)
    subscriptions[slot].counted = 0
    subscriptions[slot].oldest = .max
    return taken
  }

  /// Whether an app with a subscription on a type filters its saves.
  @inline(__always)
  func isFiltered(type: Int) -> Bool { type < rosters.count && rosters[type].filtered > 0 }

  /// Sets whether saves must match predicates to reach a detached subscription.
  mutating func setFiltered(_ slot: Int, _ isFiltered: Bool) {
    let change: Int32 = (isFiltered ? 1 : 0) - (subscriptions[slot].isFiltered ? 1 : 0)
    rosters[subscriptions[slot].typeIndex].filtered += change
    subscriptions[slot].isFiltered = isFiltered
  }

  /// Sets the predicates of a filtered, detached subscription to those of its app's queries on the type.
  mutating func setFilter(_ slot: Int, to queries: borrowing ObserverQueries) {
    filters.fill(to: slot + 1, with: [])
    queries.collectPredicates(on: subscriptions[slot].type, into: &filters[slot])
    compileFilter(slot)
  }

  /// Puts the saves back that a wake carried in vain (rule 6.5); true if they are the only ones pending.
  mutating func giveBack(_ slot: Int) -> Bool {
    let areOnlyOnes = subscriptions[slot].oldest == .max
    subscriptions[slot].counted += subscriptions[slot].carriedSaves
    subscriptions[slot].oldest = min(
      subscriptions[slot].oldest, subscriptions[slot].carriedOldest)
    countIfPending(slot)
    return areOnlyOnes
  }
}
