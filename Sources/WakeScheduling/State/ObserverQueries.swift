import WakeEvents

/// The running observer queries of an app; they outlive a termination (rules, 1).
struct ObserverQueries {
  private struct Running {
    var type: SampleType
    var hasPredicate: Bool
  }

  private struct OnType {
    /// The number of queries without a predicate.
    var unconditional = 0
    /// Those with one; nil if there never was one.
    var filtered: FilteredQueries?

    mutating func add(_ query: Query, _ predicate: Predicate) {
      let queries = filtered ?? FilteredQueries()
      queries.add(query, predicate)
      filtered = queries
    }
  }

  private var running = SmallMap<Query, Running>()
  private var byType = SmallMap<SampleType, OnType>()

  /// Whether any of them has a predicate.
  var havePredicates: Bool { byType.values.contains { $0.filtered.map { $0.count > 0 } ?? false } }

  /// Starts a query; returns the type of the query that it replaces.
  ///
  /// - Complexity: O(1), amortised.
  mutating func execute(_ query: Query, type: SampleType, predicate: Predicate?) -> SampleType? {
    let begun = Running(type: type, hasPredicate: predicate != nil)
    var replaced: SampleType?
    if let place = running.place(of: query) {
      replaced = running.entries[place].value.type
      remove(query, running.entries[place].value)
      running.entries[place].value = begun
    } else {
      running.append(query, begun)
    }
    let place = byType.place(of: type) ?? byType.append(type, OnType())
    if let predicate {
      byType.entries[place].value.add(query, predicate)
    } else {
      byType.entries[place].value.unconditional += 1
    }
    return replaced
  }

  /// Stops a query; returns its type if it was running.
  ///
  /// - Complexity: O(1), amortised.
  mutating func stop(_ query: Query) -> SampleType? {
    guard let place = running.place(of: query) else { return nil }
    let stopped = running.remove(at: place)
    remove(query, stopped)
    return stopped.type
  }

  /// Removes a query from those on its type.
  private mutating func remove(_ query: Query, _ stopped: Running) {
    guard let place = byType.place(of: stopped.type) else { return }
    if stopped.hasPredicate {
      byType.entries[place].value.filtered?.remove(query)
    } else {
      byType.entries[place].value.unconditional -= 1
    }
  }

  /// The queries of which a sample of a type must match one: there are queries, and all have predicates (rule 5.1). Nil if
  /// it need not match any.
  func filter(_ type: SampleType) -> FilteredQueries? {
    guard let place = byType.place(of: type), byType.entries[place].value.unconditional == 0,
      let filtered = byType.entries[place].value.filtered, filtered.count > 0
    else { return nil }
    return filtered
  }
}

/// The running observer queries of an app on a type that have predicates.
///
/// A class, as the app's subscription on the type shares it: an app may begin and stop many queries. Its content is one
/// value, so that Swift checks access to it once for each call.
final class FilteredQueries {
  private var content = PredicatesByQuery()

  var count: Int { content.count }

  /// The predicates, in no order.
  var predicates: some Sequence<Predicate> { content.predicates }

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
  private var running = SmallMap<Query, Predicate>()
  /// For ``Accelerations/predicateTrees``, once there were many.
  private var trees: PredicateTrees?
  /// The numbers of the predicates in ``trees``, in the order of ``running``.
  private var numbers: [Int] = []

  var count: Int { running.count }
  var predicates: some Sequence<Predicate> { running.values }

  mutating func add(_ query: Query, _ predicate: Predicate) {
    running.append(query, predicate)
    if let number = trees?.add(predicate) { numbers.append(number) }
  }

  mutating func remove(_ query: Query) {
    guard let place = running.place(of: query) else { return }
    running.remove(at: place)
    guard trees != nil else { return }
    trees?.remove(numbers[place])
    let last = numbers.removeLast()
    if place < numbers.count { numbers[place] = last }
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
