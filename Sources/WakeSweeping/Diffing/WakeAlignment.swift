/// Which wakes of one app on one device belong together on two sides, by the rules of the page Diff, "How wakes are paired".
///
/// Each rule is a round of ``align()``: it groups the wakes that are left by keys, such as the types that they carry, and
/// pairs each group in order.
struct WakeAlignment {
  /// The indices of two wakes that belong together; nil where a side has none.
  typealias Pair = (first: Int?, second: Int?)

  let first: [DiffWake]
  let second: [DiffWake]
  let within: Int64
  let sets: TypeSets
  /// By index, that of the other side's wake; -1 is none.
  var partners: (first: [Int32], second: [Int32])
  /// How many wakes have no partner yet.
  var left: (first: Int, second: Int)

  private static let mostTellings = 64

  /// Aligns wakes, each side in the order of their times.
  ///
  /// - Parameter within: The tolerance in nanoseconds.
  /// - Complexity: O(*n* log *n*), where *n* counts a wake once for each type that it carries; O(wakes) where all are the
  ///   same. Memory: 4 bytes for each wake, and 16 for each of *n* that is not the same while it aligns.
  init(_ first: [DiffWake], _ second: [DiffWake], within: Int64, _ sets: TypeSets) {
    (self.first, self.second, self.within, self.sets) = (first, second, within, sets)
    partners = (
      Array(repeating: -1, count: first.count), Array(repeating: -1, count: second.count)
    )
    left = (first.count, second.count)
    pairSingles()
    if left.first > 0, left.second > 0 { align() }
  }

  private mutating func align() {
    let (within, sets) = (within, sets)
    // A field is part of a key only if all wakes tell it, as what a wake does not tell is equal to anything.
    let told = [first, second].joined().reduce(DiffWake.Fields.all) { $0.intersection($1.told) }
    let items = told.intersection(.items)
    func isSame(_ one: DiffWake, _ other: DiffWake) -> Bool {
      one.differences(from: other, within: within).isEmpty
    }
    func hasSameItems(_ one: DiffWake, _ other: DiffWake) -> Bool {
      one.differences(from: other, within: within).isDisjoint(with: .items)
    }
    // At the same time: the same, then other details, then other items, but one in common.
    for (one, other) in tellings {
      pairNear(0, telling: (one, other), isSame) { $1($0.key(one.intersection(other))) }
    }
    pairNear(0, isSame) { $1($0.key(told)) }
    if within > 0 { pairNear(within, isSame) { $1($0.key(told.subtracting([.oldest, .end]))) } }
    pairNear(within, hasSameItems) { $1($0.key(items)) }
    pairNear(within) {
      $0.sharesItem(with: $1, sets)
    } keys: {
      $0.forEachItem(sets, $1)
    }
    // At other times: with the same oldest save, the same items, then one in common; then so with another oldest save.
    pairMoved(bySection: false) {
      $0.oldest == $1.oldest && hasSameItems($0, $1)
    } keys: {
      if $0.hasOldest { $1($0.key(items.union(.oldest))) }
    }
    pairMoved(bySection: false) {
      $0.oldest == $1.oldest && $0.sharesItem(with: $1, sets)
    } keys: {
      wake, key in
      guard wake.hasOldest else { return }
      wake.forEachItem(sets) { key(DiffWake.key($0, UInt64(bitPattern: wake.oldest))) }
    }
    pairMoved(bySection: true) {
      hasSameItems($0, $1) && $0.mayHaveMoved(to: $1, sets)
    } keys: {
      $1($0.key(items))
    }
    pairMoved(bySection: true) {
      $0.mayHaveMoved(to: $1, sets)
    } keys: {
      $0.forEachItem(sets, $1)
    }
    // At the same time, with nothing in common.
    pairNear(within) { _, _ in
      true
    } keys: {
      $1(0)
    }
  }

  /// What wakes tell on both sides, where some tell more than others, those first that have most in common; none if that is
  /// too varied.
  ///
  /// Of two such kinds of wakes what both tell is known, so that it can be a key.
  private var tellings: [(DiffWake.Fields, DiffWake.Fields)] {
    let kinds = (Set(first.map(\.told)), Set(second.map(\.told)))
    guard 2...Self.mostTellings ~= kinds.0.count * kinds.1.count else { return [] }
    let pairs = kinds.0.flatMap { one in kinds.1.map { (one, $0) } }
    return pairs.sorted { one, other in
      func rank(_ pair: (DiffWake.Fields, DiffWake.Fields)) -> (Int, UInt8, UInt8) {
        (
          -pair.0.intersection(pair.1).rawValue.nonzeroBitCount, pair.0.rawValue, pair.1.rawValue
        )
      }
      return rank(one) < rank(other)
    }
  }

  /// Calls `body` for each pair and each wake that is alone, in the order of their earlier times.
  ///
  /// - Complexity: O(wakes).
  func forEachPair(_ body: (Pair) -> Void) {
    var (one, other) = (0, 0)
    while one < first.count || other < second.count {
      if other >= second.count || one < first.count && first[one].time <= second[other].time {
        let partner = Int(partners.first[one])
        if partner < 0 {
          body((one, nil))
        } else if first[one].time <= second[partner].time {
          body((one, partner))
        }
        one += 1
      } else {
        let partner = Int(partners.second[other])
        if partner < 0 {
          body((nil, other))
        } else if second[other].time < first[partner].time {
          body((partner, other))
        }
        other += 1
      }
    }
  }

  /// Whether two wakes are at the same time, give or take the tolerance.
  func isNear(_ one: Int, _ other: Int) -> Bool { apart(one, other) <= within }

  func apart(_ one: Int, _ other: Int) -> Int64 { abs(first[one].time - second[other].time) }
}
