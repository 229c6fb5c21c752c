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
  private var sorted = 0

  /// Something that is told by its type.
  struct Entry {
    let type: SampleType
    let slot: Int
  }

  /// The slots of entries in the order of their types' names.
  ///
  /// - Complexity: O(entries log entries), and now and then O(types log types).
  mutating func slots(of entries: [Entry], _ types: SymbolTable<NameOf.SampleType>) -> [Int] {
    if entries.contains(where: { $0.type.index >= ranks.count }) {
      sorted += entries.count
      guard sorted >= types.count else {
        return entries.map { (name: types.name(of: $0.type), slot: $0.slot) }
          .sorted { $0.name.precedes($1.name) }.map(\.slot)
      }
      ranks = types.ranks()
      sorted = 0
    }
    return entries.sorted { ranks[Int($0.type.index)] < ranks[Int($1.type.index)] }.map(\.slot)
  }
}

// What is told of an app's subscriptions, by the names of their types.
extension SchedulerCore {
  /// Sorts the types that the wake which begins carries.
  @inline(never)
  mutating func sortTypes(of app: Int) {
    guard apps[app].carriedTypes.count > 1 else { return }
    for (count, slot) in carriedByName(of: app).enumerated() {
      apps[app].setCarriedType(coalescer.subscriptions[slot].type, at: count)
    }
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
