import WakeEvents

/// The order of an app's subscriptions by the names of their types, in which the types of a wake are told (rules, 7).
///
/// Subscriptions come and go without it. At first each call sorts its places by comparing names. Once the calls have sorted as
/// many places as the app has, all places are ranked by name, and later calls compare ranks. So changes and wakes in turn do
/// not sort all names each time.
struct NameOrder {
  /// By place; empty if not known.
  private(set) var ranks: [Int32] = []
  /// Places that were sorted by name since ``reset()``.
  private var sorted = 0

  /// The places have changed.
  mutating func reset() {
    guard sorted > 0 else { return }
    ranks.removeAll(keepingCapacity: true)
    sorted = 0
  }

  /// Sorts places of an app, by the names of all its places.
  ///
  /// - Complexity: O(places log places), and once after ``reset()`` O(names log names).
  mutating func sort(_ places: inout [Int], names: Int, name: (Int) -> String) {
    if ranks.isEmpty {
      sorted += places.count
      guard sorted >= names else {
        Self.sort(&places, name)
        return
      }
      var all = Array(0..<names)
      Self.sort(&all, name)
      ranks = [Int32](repeating: 0, count: names)
      for (rank, place) in all.enumerated() { ranks[place] = Int32(rank) }
    }
    places.sort { ranks[$0] < ranks[$1] }
  }

  private static func sort(_ places: inout [Int], _ name: (Int) -> String) {
    let named = places.map { (name: name($0), place: $0) }
    places = named.sorted { $0.name.precedes($1.name) }.map(\.place)
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
    guard !apps[app].arePlacesSorted else { return apps[app].subscriptions }
    var places = Array(apps[app].subscriptions.indices)
    sortByName(&places, of: app)
    return places.map { apps[app].subscriptions[$0] }
  }

  /// The slots of the subscriptions that an app's wake carries.
  mutating func carriedByName(of app: Int) -> [Int] {
    var places: [Int] = []
    var carried = apps[app].places.all(in: .carried)
    while let place = carried.next(in: &apps[app].places) {
      places.append(place)
    }
    if places.count > 1, !apps[app].arePlacesSorted { sortByName(&places, of: app) }
    return places.map { apps[app].subscriptions[$0] }
  }

  private mutating func sortByName(_ places: inout [Int], of app: Int) {
    var order = NameOrder()
    swap(&order, &apps[app].nameOrder)
    order.sort(&places, names: apps[app].subscriptions.count) {
      symbols.types.name(of: coalescer.subscriptions[apps[app].subscriptions[$0]].type)
    }
    swap(&order, &apps[app].nameOrder)
  }
}
