import WakeEvents

// Part of the acceleration `predicateTrees`: types that many apps observe, each with predicates. One tree has the predicates
// of all of them, and a save looks at the apps that it matches.

/// The predicates of the subscriptions on a type.
final class TypeFilters {
  private var trees = PredicateTrees()
  /// The subscriptions by the numbers of their predicates.
  private var slots: [Int: Int] = [:]
  /// The numbers by subscription.
  private var numbers: [Int: Range<Int>] = [:]
  /// Subscriptions with many predicates, which have trees of their own.
  private var others: Set<Int> = []

  /// Sets the filter of a subscription; nil if it has none any more.
  func set(_ filter: Coalescer.Filter?, of slot: Int) {
    for number in numbers.removeValue(forKey: slot) ?? 0..<0 {
      slots[number] = nil
      trees.remove(number)
    }
    others.remove(slot)
    guard let filter else { return }
    guard filter.queries == nil else {
      others.insert(slot)
      return
    }
    let first = trees.nextNumber
    for predicate in filter.few { slots[trees.add(predicate)] = slot }
    numbers[slot] = first..<trees.nextNumber
  }

  /// The subscriptions with predicates of which a save matches one, and those with many predicates; in no order, and once
  /// for each predicate that matches.
  func candidates(_ sample: Sample, writtenAt time: Timestamp) -> [Int] {
    var found = Array(others)
    _ = trees.find(sample, writtenAt: time) { number in
      if let slot = slots[number] { found.append(slot) }
      return false
    }
    return found
  }
}

extension SchedulerCore {
  /// Whether the subscriptions that take a save of a type are found by ``deliverFound(_:ofType:writtenAt:_:_:)``.
  @inline(__always)
  func findsFilters(ofType type: Int) -> Bool {
    coalescer.findsFilters(ofType: type) && accelerations.contains(.predicateTrees)
  }

  /// Lets the subscriptions that match a save take it, without a look at the others.
  @inline(never)
  mutating func deliverFound(
    _ sample: Sample, ofType type: Int, writtenAt time: Timestamp, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    // The same slots are side by side, as they have the same rank.
    var last: Int?
    for slot in coalescer.matchingSlots(sample, ofType: type, writtenAt: time) where slot != last {
      deliverMatching(sample, writtenAt: time, to: slot, &hasher, listener)
      last = slot
    }
  }
}

extension Coalescer {
  /// Whether many subscriptions on a type have predicates, and no other one is observed.
  @inline(__always)
  func findsFilters(ofType type: Int) -> Bool {
    type < rosters.count && rosters[type].filtered > PredicateTrees.few
      && typeCounts[type].attention.observedCount == Int(rosters[type].filtered)
  }

  /// The subscriptions on a type that a save may match, in app order; some of them several times.
  mutating func matchingSlots(
    _ sample: Sample, ofType type: Int, writtenAt time: Timestamp
  ) -> [Int] {
    let filters = typeFilters[type] ?? collectFilters(ofType: type)
    var slots = filters.candidates(sample, writtenAt: time)
    if slots.count > 1 { slots.sort { subscriptions[$0].rank < subscriptions[$1].rank } }
    return slots
  }

  private mutating func collectFilters(ofType type: Int) -> TypeFilters {
    let collected = TypeFilters()
    for rank in 0..<rosters[type].end {
      let member = members[rosters[type].members + rank]
      let slot = Int(member)
      guard member != Self.nobody, subscriptions[slot].isFiltered else { continue }
      collected.set(filters[slot], of: slot)
    }
    typeFilters[type] = collected
    return collected
  }
}
