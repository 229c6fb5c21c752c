import WakeEvents

/// The wake coalescer's state: the subscriptions of all apps, by slot, and the saves pending on them.
///
/// The subscriptions on a type lie side by side in ``members``, in the order of app numbers (rule 5.1). Those that the
/// rules must see for each save are *observed* and have a bit in ``TypeCount/observed`` or ``furtherObserved``. Without the
/// acceleration ``Accelerations/saveCounting`` that is every subscription.
struct Coalescer: ~Copyable {
  /// Where the subscriptions on a type are.
  struct Roster {
    /// The place of the first in ``members``.
    @Narrow var members = 0
    /// The place of their first word in ``furtherObserved``, if they have one.
    @Narrow var words = 0
    @Narrow var count = 0
    /// The rank behind the last of them. Below it some ranks may be free.
    @Narrow var end = 0
    /// How many there is room for: 0 or a power of two.
    @Narrow var capacity = 0
    /// How many of them are filtered.
    var filtered: Int32 = 0
    /// The hash of the type's name.
    var typeHash: UInt64 = 0

    /// The number of words with a bit for each of `count` but the first ``firstRanks``.
    static func words(for count: Int) -> Int { (count + 63 - firstRanks) / 64 }
  }

  /// The predicates of which a save must match one.
  struct Filter {
    /// If there are few; else they are in ``queries``.
    var few: [Predicate] = []
    var queries: FilteredQueries?
    /// ``few`` for ``Accelerations/sparseRows``, if ``isCompiled``.
    var compiled = CompiledFilter()
    var isCompiled = false
    /// Whether ``Coalescer/compiled`` has them.
    var isScanCompiled = false

    /// - Parameter inTrees: Whether ``Accelerations/predicateTrees`` is on.
    @inline(__always)
    func matches(_ sample: Sample, writtenAt time: Timestamp, inTrees: Bool) -> Bool {
      guard let queries else { return few.contains { $0.matches(sample, writtenAt: time) } }
      return queries.matches(sample, writtenAt: time, inTrees: inTrees)
    }
  }

  // What most runs of saves touch comes first.

  /// Saves per type, by ``SampleType/index``: for ``knownTypes`` and, up to a multiple of four, places whose attention is
  /// ``Attention/unknown``.
  var typeCounts = UncheckedArray<TypeCount>()
  /// The subscriptions by slot; slots of `free` hold none.
  var subscriptions = UncheckedArray<SubscriptionState>()
  /// By ``SampleType/index``, up to the last one with a subscription.
  var rosters = UncheckedArray<Roster>()
  /// Slots of subscriptions, those on a type side by side, by rank; ``nobody`` where a rank is free.
  var members = UncheckedArray<Int32>()
  /// Types with an index below this are known.
  private(set) var knownTypes = 0
  /// The rows for which ``prepareToCount(_:)`` was called since counts began again.
  @Narrow var rowsCounted = 0
  /// How many types have subscriptions.
  @Narrow var subscribedTypes = 0
  /// Whether ``Accelerations/saveCounting`` and ``Accelerations/predicateScan`` are on.
  let countsSaves: Bool
  let scansPredicates: Bool
  /// So many ranks of a type have their bits in ``TypeCount/observed``: those of most types.
  static let firstRanks = UInt32.bitWidth
  /// A bit for each member of a further rank: whether it is observed.
  var furtherObserved = UncheckedArray<UInt64>()

  /// The apps of ``members``, in ascending order for each type; where a rank is free that of a rank before it, or one that was
  /// there.
  var memberApps = UncheckedArray<Int32>()
  /// Keeps what ``rosters`` and ``members`` borrow; nil if they own their memory.
  private var sharedRosters: SharedRosters?
  /// As ``typeCounts``, once a type was scanned: the place in ``compiled`` of the predicate with which it is.
  var scans = UncheckedArray<Int32>()
  /// By slot, for filtered subscriptions: the queries of which a save must match one.
  var filters = UncheckedArray<Filter>()
  /// By type, for ``Accelerations/predicateTrees``.
  var typeFilters: [Int: TypeFilters] = [:]
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
    rowsCounted = other.rowsCounted
    subscribedTypes = other.subscribedTypes
    scans.copy(other.scans)
    knownTypes = other.knownTypes
    copyRosters(other)
    furtherObserved.copy(other.furtherObserved)
    subscriptions.copy(other.subscriptions)
    filters.copy(other.filters)
    // Nobody has queries at first.
    if !typeFilters.isEmpty { typeFilters = [:] }
    compiled.copy(other.compiled)
    free.copy(other.free)
    liveDeliveries = other.liveDeliveries
  }

  /// Lets copies share ``rosters`` and ``members`` until one of them changes.
  mutating func shareRosters() {
    let shared = SharedRosters(&rosters, &members, &memberApps)
    rosters.borrow(shared.rosters)
    members.borrow(shared.members)
    memberApps.borrow(shared.memberApps)
    sharedRosters = shared
  }

  private mutating func copyRosters(_ other: borrowing Coalescer) {
    guard let shared = other.sharedRosters else {
      rosters.copy(other.rosters)
      members.copy(other.members)
      memberApps.copy(other.memberApps)
      return sharedRosters = nil
    }
    // It may still have those of the device before.
    guard shared !== sharedRosters else { return }
    rosters.borrow(shared.rosters)
    members.borrow(shared.members)
    memberApps.borrow(shared.memberApps)
    sharedRosters = shared
  }

  /// Makes ``rosters`` and ``members`` its own, before they change.
  private mutating func ownRosters() {
    guard sharedRosters != nil else { return }
    rosters.own()
    members.own()
    memberApps.own()
    sharedRosters = nil
  }

  /// The rosters and members of devices that start alike. Constants, which Swift need not check for exclusive access.
  private final class SharedRosters {
    let rosters: UncheckedArray<Roster>
    let members: UncheckedArray<Int32>
    let memberApps: UncheckedArray<Int32>

    /// Takes them and leaves empty ones.
    init(
      _ rosters: inout UncheckedArray<Roster>, _ members: inout UncheckedArray<Int32>,
      _ memberApps: inout UncheckedArray<Int32>
    ) {
      self.rosters = rosters.take()
      self.members = members.take()
      self.memberApps = memberApps.take()
    }
  }

  /// Makes the types with an index below `count` known.
  mutating func reserveTypes(_ count: Int) {
    guard count > knownTypes else { return }
    let room = (count + 3) & ~3
    typeCounts.fill(to: room, with: TypeCount(attention: .unknown))
    if scans.count > 0 { scans.fill(to: room, with: CompiledPredicate.noScan) }
    for type in knownTypes..<count { typeCounts[type].attention = Attention() }
    knownTypes = count
  }

  /// Adds a subscription, detached, and returns its slot.
  ///
  /// - Complexity: As ``enroll(_:)``.
  mutating func insert(_ subscription: SubscriptionState, typeHash: UInt64) -> Int {
    let type = subscription.typeIndex
    reserveTypes(type + 1)
    ownRosters()
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
    ownRosters()
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

  /// Whether an app with a subscription on a type filters its saves.
  @inline(__always)
  func isFiltered(type: Int) -> Bool { type < rosters.count && rosters[type].filtered > 0 }

  /// Sets whether saves must match predicates to reach a detached subscription.
  mutating func setFiltered(_ slot: Int, _ isFiltered: Bool) {
    let change: Int32 = (isFiltered ? 1 : 0) - (subscriptions[slot].isFiltered ? 1 : 0)
    if change != 0 {
      ownRosters()
      rosters[subscriptions[slot].typeIndex].filtered += change
    }
    subscriptions[slot].isFiltered = isFiltered
    if !isFiltered, !typeFilters.isEmpty {
      typeFilters[subscriptions[slot].typeIndex]?.set(nil, of: slot)
    }
  }

  /// Sets the predicates of a filtered subscription that is not scanned to those of its app's queries on the type.
  mutating func setFilter(_ slot: Int, to queries: inout ObserverQueries) {
    if slot >= filters.count { filters.fill(to: slot + 1, with: Filter()) }
    let type = subscriptions[slot].type
    filters[slot].queries = queries.manyPredicates(on: type)
    // Copied into the same memory, as the queries change theirs.
    if filters[slot].queries == nil {
      queries.copyPredicates(on: type, to: &filters[slot].few)
    } else {
      filters[slot].few.removeAll(keepingCapacity: true)
    }
    filters[slot].isCompiled = false
    filters[slot].isScanCompiled = false
    if !typeFilters.isEmpty {
      typeFilters[subscriptions[slot].typeIndex]?.set(filters[slot], of: slot)
    }
  }

  /// Puts the saves back that a wake carried in vain (rule 6.5); true if they are the only ones pending.
  @inline(__always)
  mutating func giveBack(_ slot: Int) -> Bool {
    let areOnlyOnes = subscriptions[slot].oldest == .max
    subscriptions[slot].counted += subscriptions[slot].carriedSaves
    subscriptions[slot].oldest = min(
      subscriptions[slot].oldest, subscriptions[slot].carriedOldest)
    countIfPending(slot)
    return areOnlyOnes
  }
}
