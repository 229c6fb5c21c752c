import WakeEvents
import WakeScheduling

/// The least elements of all that are added. Of two lists of the least, the least are those of all elements of both, so
/// lists in results stay bounded and do not depend on the order of merges.
struct LeastElements<Element: Equatable> {
  private let limit: Int
  private let isUnique: Bool
  private let precedes: (Element, Element) -> Bool
  private var kept: [Element] = []
  /// Whether `kept` is sorted and has `limit` elements, of which the last is the greatest that is needed.
  private var isFull = false

  /// - Parameter isUnique: Whether equal elements are kept once.
  init(_ limit: Int, isUnique: Bool, by precedes: @escaping (Element, Element) -> Bool) {
    self.limit = limit
    self.isUnique = isUnique
    self.precedes = precedes
  }

  /// - Complexity: O(log(limit)) on average.
  mutating func add(_ element: Element) {
    if isFull, !precedes(element, kept[limit - 1]) { return }
    kept.append(element)
    if kept.count >= 2 * limit { trim() }
  }

  private mutating func trim() {
    var sorted = kept.sorted(by: precedes)
    if isUnique {
      let unsorted = sorted
      sorted.removeAll(keepingCapacity: true)
      for element in unsorted where sorted.last != element { sorted.append(element) }
    }
    kept = Array(sorted.prefix(limit))
    isFull = kept.count == limit
  }

  /// The least elements in order.
  var elements: [Element] {
    var copy = self
    copy.trim()
    return copy.kept
  }
}

extension ReplayResult {
  /// The lists of merged results.
  struct Lists {
    /// The first traces by path.
    var traces = LeastElements<Trace>(1_000, isUnique: true) { one, other in
      one.file == other.file
        ? one.bytes < other.bytes : one.file.precedes(other.file)
    }
    /// The first damages by path and place.
    var damages = LeastElements<Loss.Damage>(1_000, isUnique: true) { one, other in
      if one.file != other.file { return one.file.precedes(other.file) }
      let (place, otherPlace) = (one.offset ?? -1, other.offset ?? -1)
      if place != otherPlace { return place < otherPlace }
      return one.message.precedes(other.message)
    }
    var notices = LeastElements<String>(100, isUnique: true) {
      $0.precedes($1)
    }
    /// The first stopped apps by name; those of devices without a name may have equal ones.
    var stoppedApps = LeastElements<String>(10_000, isUnique: false) {
      $0.precedes($1)
    }

    mutating func add(_ result: ReplayResult) {
      for trace in result.traces { traces.add(trace) }
      for damage in result.loss.damages { damages.add(damage) }
      for notice in result.notices { notices.add(notice) }
      for app in result.summary.stoppedApps { stoppedApps.add(app) }
    }
  }

  /// Sets the lists to those of merged results.
  mutating func setLists(_ lists: Lists) {
    traces = lists.traces.elements
    loss.damages = lists.damages.elements
    notices = lists.notices.elements
    summary.stoppedApps = lists.stoppedApps.elements
  }

  /// Shortens the lists to those of merged results.
  mutating func boundLists() {
    var lists = Lists()
    lists.add(self)
    setLists(lists)
  }
}
