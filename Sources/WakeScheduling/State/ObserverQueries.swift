import WakeEvents

/// The running observer queries of an app; they outlive a termination (rules, 1).
///
/// A few are looked through one after the other. Once there were more, or so many predicates on one type that
/// ``PredicateTrees`` pay, ``ManyQueries`` has them.
struct ObserverQueries {
  /// A query on a type; nil for a predicate if it has none.
  private struct Running {
    var query: Query
    var type: SampleType
    var predicate: Predicate?
  }

  private static var mostOfFew: Int { 64 }

  /// In no order; empty where ``many`` has them.
  private var few: [Running] = []
  private var many: ManyQueries?

  /// Whether any of them has a predicate.
  var havePredicates: Bool {
    many?.havePredicates ?? few.contains { $0.predicate != nil }
  }

  /// Starts a query; returns the type of the query that it replaces.
  ///
  /// - Complexity: O(1), amortised.
  mutating func execute(_ query: Query, type: SampleType, predicate: Predicate?) -> SampleType? {
    if let many { return many.execute(query, type: type, predicate: predicate) }
    if let place = place(of: query) {
      let replaced = few[place].type
      few[place].type = type
      few[place].predicate = predicate
      return replaced
    }
    if few.count < Self.mostOfFew {
      few.append(Running(query: query, type: type, predicate: predicate))
      return nil
    }
    return moveToMany().execute(query, type: type, predicate: predicate)
  }

  private mutating func moveToMany() -> ManyQueries {
    let many = ManyQueries()
    for old in few { _ = many.execute(old.query, type: old.type, predicate: old.predicate) }
    few = []
    self.many = many
    return many
  }

  /// Stops a query; returns its type if it was running.
  ///
  /// - Complexity: O(1), amortised.
  mutating func stop(_ query: Query) -> SampleType? {
    if let many { return many.stop(query) }
    guard let place = place(of: query) else { return nil }
    let type = few[place].type
    // Not `swapAt`, which copies predicates twice.
    let last = few.removeLast()
    if place < few.count { few[place] = last }
    return type
  }

  // Mutating for speed alone, here and below: a method that is not retains and releases the arrays.

  private mutating func place(of query: Query) -> Int? {
    for place in few.indices where few[place].query == query { return place }
    return nil
  }

  /// Whether a sample of a type must match one of the predicates: there are queries, and all have predicates (rule 5.1).
  mutating func filters(_ type: SampleType) -> Bool {
    if let many { return many.filters(type) }
    var isFiltered = false
    for place in few.indices where few[place].type == type {
      if few[place].predicate == nil { return false }
      isFiltered = true
    }
    return isFiltered
  }

  /// The queries with predicates on a type, where there are many of them; else nil.
  mutating func manyPredicates(on type: SampleType) -> FilteredQueries? {
    let hasMany =
      many == nil && few.count > PredicateTrees.few
      && countPredicates(on: type) > PredicateTrees.few
    let queries = (hasMany ? moveToMany() : many)?.predicates(on: type)
    guard let queries, queries.count > PredicateTrees.few else { return nil }
    return queries
  }

  /// The number of predicates on a type among the few.
  private mutating func countPredicates(on type: SampleType) -> Int {
    var count = 0
    for place in few.indices where few[place].type == type && few[place].predicate != nil {
      count += 1
    }
    return count
  }

  /// Replaces the elements of an array, which keeps its memory, with the predicates on a type.
  mutating func copyPredicates(on type: SampleType, to predicates: inout [Predicate]) {
    if let many {
      predicates.removeAll(keepingCapacity: true)
      if let queries = many.predicates(on: type) { predicates += queries.predicates }
      return
    }
    // They replace those before, as emptying an array costs more.
    var count = 0
    for place in few.indices where few[place].type == type {
      guard let predicate = few[place].predicate else { continue }
      if count < predicates.count {
        predicates[count] = predicate
      } else {
        predicates.append(predicate)
      }
      count += 1
    }
    if count < predicates.count { predicates.removeLast(predicates.count - count) }
  }
}

/// The running observer queries of an app that has, or had, more than a few.
private final class ManyQueries {
  private struct OnType {
    /// The number of queries without a predicate.
    var unconditional = 0
    /// Those with one.
    var filtered = FilteredQueries()
  }

  private var types: [Query: (type: SampleType, hasPredicate: Bool)] = [:]
  private var byType: [SampleType: OnType] = [:]

  var havePredicates: Bool { byType.values.contains { $0.filtered.count > 0 } }

  func execute(_ query: Query, type: SampleType, predicate: Predicate?) -> SampleType? {
    let replaced = stop(query)
    types[query] = (type, predicate != nil)
    var queries = byType[type] ?? OnType()
    if let predicate {
      queries.filtered.add(query, predicate)
    } else {
      queries.unconditional += 1
    }
    byType[type] = queries
    return replaced
  }

  func stop(_ query: Query) -> SampleType? {
    guard let (type, hasPredicate) = types.removeValue(forKey: query) else { return nil }
    if hasPredicate {
      byType[type]?.filtered.remove(query)
    } else {
      byType[type]?.unconditional -= 1
    }
    return type
  }

  func filters(_ type: SampleType) -> Bool {
    guard let queries = byType[type] else { return false }
    return queries.unconditional == 0 && queries.filtered.count > 0
  }

  func predicates(on type: SampleType) -> FilteredQueries? { byType[type]?.filtered }
}

/// The running observer queries of an app on a type that have predicates, where the app has many queries.
///
/// A class, as the app's subscription on the type shares it: an app may begin and stop many queries. Its content is one
/// value, so that Swift checks access to it once for each call.
final class FilteredQueries {
  private var content = PredicatesByQuery()

  var count: Int { content.count }

  /// The predicates, in no order.
  var predicates: [Predicate] { content.predicates }

  /// Adds a query that is not running.
  func add(_ query: Query, _ predicate: Predicate) { content.add(query, predicate) }

  func remove(_ query: Query) { content.remove(query) }

  /// Whether a sample matches one of the predicates.
  ///
  /// - Parameter inTrees: Whether ``Accelerations/predicateTrees`` is on.
  func matches(_ sample: Sample, writtenAt time: Timestamp, inTrees: Bool) -> Bool {
    content.matches(sample, writtenAt: time, inTrees: inTrees)
  }
}

private struct PredicatesByQuery {
  /// The predicates in no order, and those of which queries they are.
  private(set) var predicates: [Predicate] = []
  private var queries: [Query] = []
  /// By query, the place of its predicate.
  private var places: [Query: Int] = [:]
  /// For ``Accelerations/predicateTrees``, once there were many.
  private var trees: PredicateTrees?
  /// The numbers of the predicates in ``trees``, by place.
  private var numbers: [Int] = []

  var count: Int { predicates.count }

  mutating func add(_ query: Query, _ predicate: Predicate) {
    places[query] = count
    predicates.append(predicate)
    queries.append(query)
    if let number = trees?.add(predicate) { numbers.append(number) }
  }

  /// Removes a query, to whose place the last one moves.
  mutating func remove(_ query: Query) {
    guard let place = places.removeValue(forKey: query) else { return }
    let last = count - 1
    predicates.swapAt(place, last)
    predicates.removeLast()
    queries.swapAt(place, last)
    queries.removeLast()
    if place < last { places[queries[place]] = place }
    guard trees != nil else { return }
    trees?.remove(numbers[place])
    numbers.swapAt(place, last)
    numbers.removeLast()
  }

  mutating func matches(_ sample: Sample, writtenAt time: Timestamp, inTrees: Bool) -> Bool {
    if inTrees, count > PredicateTrees.few {
      if trees == nil { plantTrees() }
      return trees?.matches(sample, writtenAt: time) ?? false
    }
    return predicates.contains { $0.matches(sample, writtenAt: time) }
  }

  private mutating func plantTrees() {
    var planted = PredicateTrees()
    numbers = predicates.map { planted.add($0) }
    trees = planted
  }
}
