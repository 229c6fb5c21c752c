import WakeEvents

/// The running observer queries of an app; they outlive a termination (rules, 1).
struct ObserverQueries {
  private struct Running {
    var query: Query
    var type: SampleType
    var predicate: Predicate?
  }

  private var running: [Running] = []

  /// Whether any of them has a predicate.
  var havePredicates: Bool { running.contains { $0.predicate != nil } }

  /// Starts a query; returns the type of the query that it replaces.
  mutating func execute(_ query: Query, type: SampleType, predicate: Predicate?) -> SampleType? {
    let replaced = stop(query)
    running.append(Running(query: query, type: type, predicate: predicate))
    return replaced
  }

  /// Stops a query; returns its type if it was running.
  mutating func stop(_ query: Query) -> SampleType? {
    guard let index = running.firstIndex(where: { $0.query == query }) else { return nil }
    return running.remove(at: index).type
  }

  /// Whether a sample of `type` must match a predicate: there are queries on the type, and all have predicates
  /// (rule 5.1).
  func filter(_ type: SampleType) -> Bool {
    var found = false
    for query in running where query.type == type {
      if query.predicate == nil { return false }
      found = true
    }
    return found
  }

  /// Replaces the contents of `predicates` by the predicates of the queries on a type.
  func collectPredicates(on type: SampleType, into predicates: inout [Predicate]) {
    predicates.removeAll(keepingCapacity: true)
    for query in running where query.type == type {
      if let predicate = query.predicate { predicates.append(predicate) }
    }
  }
}
