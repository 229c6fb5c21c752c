import WakeEvents

/// The running observer queries of an app; they outlive a termination (rules, 1).
struct ObserverQueries {
  private var running: [Query: SampleType] = [:]
  private var byType: [SampleType: TypeQueries] = [:]

  /// Whether any of them has a predicate.
  var havePredicates: Bool { byType.values.contains { !$0.predicates.isEmpty } }

  /// Starts a query; returns the type of the query that it replaces.
  ///
  /// - Complexity: O(1), amortised.
  mutating func execute(_ query: Query, type: SampleType, predicate: Predicate?) -> SampleType? {
    let replaced = stop(query)
    running[query] = type
    let queries = byType[type] ?? TypeQueries()
    byType[type] = queries
    queries.add(query, predicate)
    return replaced
  }

  /// Stops a query; returns its type if it was running.
  ///
  /// - Complexity: O(1), amortised.
  mutating func stop(_ query: Query) -> SampleType? {
    guard let type = running.removeValue(forKey: query) else { return nil }
    byType[type]?.remove(query)
    return type
  }

  /// The queries on a type; nil if there never was one.
  subscript(type: SampleType) -> TypeQueries? { byType[type] }
}

/// The running observer queries of an app on a type.
///
/// A class, as the app's subscription on the type shares it: an app may begin and stop many queries.
final class TypeQueries {
  /// The predicates, in no order.
  private(set) var predicates: [Predicate] = []
  /// Their queries.
  private var queries: [Query] = []
  /// The index of a query's predicate; nil if it has none.
  private var places: [Query: Int?] = [:]
  /// For ``Accelerations/predicateTrees``, once there were many.
  private var trees: PredicateTrees?
  /// The numbers of the predicates in ``trees``.
  private var numbers: [Int] = []

  /// Whether a sample must match a predicate: there are queries, and all have predicates (rule 5.1).
  var filter: Bool { !queries.isEmpty && queries.count == places.count }

  func add(_ query: Query, _ predicate: Predicate?) {
    places[query] = .some(predicate == nil ? nil : predicates.count)
    guard let predicate else { return }
    predicates.append(predicate)
    queries.append(query)
    if let number = trees?.add(predicate) { numbers.append(number) }
  }

  func remove(_ query: Query) {
    guard let place = places.removeValue(forKey: query), let place else { return }
    if trees != nil {
      trees?.remove(numbers[place])
      numbers.swapAt(place, numbers.count - 1)
      numbers.removeLast()
    }
    let last = queries.removeLast()
    let predicate = predicates.removeLast()
    guard last != query else { return }
    queries[place] = last
    predicates[place] = predicate
    places[last] = place
  }

  /// Whether a sample matches one of the predicates.
  ///
  /// - Parameter inTrees: Whether ``Accelerations/predicateTrees`` is on.
  func matches(_ sample: Sample, writtenAt time: Timestamp, inTrees: Bool) -> Bool {
    if inTrees, predicates.count > PredicateTrees.few {
      if trees == nil { plantTrees() }
      return trees?.matches(sample, writtenAt: time) ?? false
    }
    return predicates.contains { $0.matches(sample, writtenAt: time) }
  }

  private func plantTrees() {
    var planted = PredicateTrees()
    numbers = predicates.map { planted.add($0) }
    trees = planted
  }
}
