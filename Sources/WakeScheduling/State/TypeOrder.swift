import WakeEvents

/// The order of types by name, in which an app's subscriptions and the types of a wake are told (rules, 7).
///
/// Types may come at any time. At first they are sorted by comparing names. Once as many were sorted so as there are types, all
/// are ranked by name, and later calls compare ranks, until a type comes that has none. So each type that is sorted costs
/// O(log types) comparisons of names, however types, changes and wakes take turns.
struct TypeOrder {
  /// The rank of each type among the names, by index.
  private var ranks: [UInt32] = []
  /// Types that were sorted by name since they were ranked last.
  private var sortedByName = 0

  /// Something that is told by its type.
  struct Entry {
    let type: SampleType
    let slot: Int
  }

  /// The slots of entries in the order of their types' names.
  ///
  /// - Complexity: O(entries log entries), and now and then O(types log types).
  mutating func slots(of entries: [Entry], _ types: SymbolTable<NameOf.SampleType>) -> [Int] {
    let highest = entries.reduce(0) { max($0, $1.type.index) }
    let areRanked = areRanked(upTo: highest, count: entries.count, types)
    return sorted(entries, areRanked: areRanked, types).map(\.slot)
  }

  private func sorted(
    _ entries: [Entry], areRanked: Bool, _ types: SymbolTable<NameOf.SampleType>
  ) -> [Entry] {
    if areRanked {
      return entries.sorted { ranks[Int($0.type.index)] < ranks[Int($1.type.index)] }
    }
    return entries.map { (name: types.name(of: $0.type), entry: $0) }
      .sorted { $0.name.precedes($1.name) }.map(\.entry)
  }

  /// Up to so many that have ranks are sorted without memory.
  private static let few = 16

  /// Sorts types by their names, mostly without memory.
  ///
  /// - Complexity: As ``slots(of:_:)``.
  mutating func sort(
    _ listed: inout MutableSpan<SampleType>, _ types: SymbolTable<NameOf.SampleType>
  ) {
    var highest: UInt32 = 0
    for place in listed.indices { highest = max(highest, listed[place].index) }
    let areRanked = areRanked(upTo: highest, count: listed.count, types)
    guard areRanked, listed.count <= Self.few else {
      let entries = listed.indices.map { Entry(type: listed[$0], slot: 0) }
      for (place, entry) in sorted(entries, areRanked: areRanked, types).enumerated() {
        listed[place] = entry.type
      }
      return
    }
    // Each is inserted where it belongs among those before it.
    for end in listed.indices.dropFirst() {
      let type = listed[end]
      let rank = ranks[Int(type.index)]
      var place = end
      while place > 0, ranks[Int(listed[place - 1].index)] > rank {
        listed[place] = listed[place - 1]
        place -= 1
      }
      listed[place] = type
    }
  }

  /// Whether types with an index up to `highest` have ranks; if not, `count` more are sorted by name, until all are ranked.
  private mutating func areRanked(
    upTo highest: UInt32, count: Int, _ types: SymbolTable<NameOf.SampleType>
  ) -> Bool {
    guard highest >= ranks.count else { return true }
    sortedByName += count
    guard sortedByName >= types.count else { return false }
    ranks = types.ranks()
    sortedByName = 0
    return true
  }
}

// What is told of an app's subscriptions, by the names of their types.
extension SchedulerCore {
  /// Sorts the types that the wake which begins carries.
  @inline(never)
  mutating func sortTypes(of app: Int) {
    guard apps[app].carriedTypes.count > 1 else { return }
    // Taken out meanwhile, as `self` is not to be used twice at once.
    var types: [SampleType] = []
    swap(&types, &apps[app].carriedTypes)
    defer { swap(&types, &apps[app].carriedTypes) }
    var listed = types.mutableSpan
    typeOrder.sort(&listed, symbols.types)
  }

  /// The next type that the wake of an app carries, in the order of places; nil at the end.
  @inline(__always)
  mutating func nextType(
    of app: Int, in carried: inout PlaceSets.AllPlaces
  ) -> SampleType? {
    guard let place = carried.next(in: &apps[app].places) else { return nil }
    return coalescer.subscriptions[apps[app].subscriptions[place]].type
  }

  /// The slots of an app's subscriptions.
  mutating func slotsByName(of app: Int) -> [Int] {
    let slots = apps[app].subscriptions
    return apps[app].arePlacesSorted ? slots : sortedByName(slots)
  }

  /// The slots of the subscriptions that an app's wake carries.
  mutating func carriedByName(of app: Int) -> [Int] {
    var slots: [Int] = []
    var carried = apps[app].places.all(in: .carried)
    while let place = carried.next(in: &apps[app].places) {
      slots.append(apps[app].subscriptions[place])
    }
    return slots.count < 2 || apps[app].arePlacesSorted ? slots : sortedByName(slots)
  }

  private mutating func sortedByName(_ slots: [Int]) -> [Int] {
    let entries = slots.map {
      TypeOrder.Entry(type: coalescer.subscriptions[$0].type, slot: $0)
    }
    return typeOrder.slots(of: entries, symbols.types)
  }
}
