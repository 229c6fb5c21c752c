import WakeEvents

// Acceleration `predicateTrees`.
//
// Rule: 5.1, whether a sample matches one of the predicates of an app's queries on a type, or those of which apps.
// Plain: one predicate after the other, one app after the other.
// Here: predicates are boxes in the space of source, start, end and value, and a tree of boxes finds one that holds the
// sample (a bounding volume hierarchy, as for rays in computer graphics). A box is at least as large as its predicate,
// which decides in the end. New predicates wait in a list; when it is full, they become a tree, together with the trees
// that are not larger (Bentley and Saxe, Decomposable searching problems I, 1980), so each is sorted O(log n) times.
// Condition: more than a few predicates, or apps all of which have predicates (`TypeFilters.swift`). Where boxes overlap much
// and none holds the sample, it may look at many.
// Tests: PredicateTreesTests, DifferentialTests.
// Gain: 63,594 to 5,088 instructions a save in scheduler/filters/1000; growth by predicates (`Benchmarks/limits --only
// inputs`).
struct PredicateTrees {
  /// So many are looked at one by one.
  static let few = 16
  /// So many wait before they become a tree.
  private static let mostNew = 64

  /// How many there are.
  private var count = 0
  /// The number of the predicate that comes next.
  private(set) var nextNumber = 0
  private var new: [Entry] = []
  /// In descending order of size.
  private var trees: [Tree] = []
  /// The numbers of predicates that are gone and still in a tree or new.
  private var gone: Set<Int> = []

  fileprivate struct Entry {
    var box: Box
    var number: Int
    var predicate: Predicate
  }

  /// Adds a predicate; returns its number, one more than that of the one before.
  mutating func add(_ predicate: Predicate) -> Int {
    defer { nextNumber += 1 }
    new.append(Entry(box: Box(predicate), number: nextNumber, predicate: predicate))
    count += 1
    return nextNumber
  }

  /// Removes a predicate by its number.
  ///
  /// - Complexity: O(1), amortised.
  mutating func remove(_ number: Int) {
    gone.insert(number)
    count -= 1
    guard gone.count > count + Self.mostNew else { return }
    new = (trees.flatMap(\.entries) + new).filter { !gone.contains($0.number) }
    (trees, gone) = ([], [])
  }

  /// Whether a sample matches one of the predicates.
  ///
  /// - Complexity: O(log predicates) where boxes overlap little; at most O(predicates).
  mutating func matches(_ sample: Sample, writtenAt time: Timestamp) -> Bool {
    find(sample, writtenAt: time) { _ in true }
  }

  /// Calls `body` with the numbers of the predicates that a sample matches, until that returns true; returns whether it
  /// did.
  ///
  /// - Complexity: As ``matches(_:writtenAt:)`` and O(log predicates) for each that matches.
  mutating func find(
    _ sample: Sample, writtenAt time: Timestamp, _ body: (_ number: Int) -> Bool
  ) -> Bool {
    if new.count > Self.mostNew { plant() }
    let point = Point(sample, writtenAt: time)
    let gone = gone
    func isWanted(_ entry: Entry) -> Bool {
      entry.box.holds(point) && entry.predicate.matches(sample, writtenAt: time)
        && !gone.contains(entry.number) && body(entry.number)
    }
    return new.contains(where: isWanted) || trees.contains { $0.holds(point, where: isWanted) }
  }

  /// Makes a tree of the new predicates and of the trees that are not larger.
  private mutating func plant() {
    while let last = trees.last, last.entries.count <= new.count {
      new += last.entries
      trees.removeLast()
    }
    let kept = gone.isEmpty ? new : new.filter { gone.remove($0.number) == nil }
    if !kept.isEmpty { trees.append(Tree(kept)) }
    new = []
  }
}

extension PredicateTrees {
  /// What of a sample predicates ask for, as whole numbers: source, start, end, rank of the value.
  fileprivate typealias Point = InlineArray<4, Int64>
  fileprivate static let dimensions = 4

  /// What samples may have, from `least` to `most`.
  fileprivate struct Box {
    var least: Point
    var most: Point

    init(_ predicate: Predicate) {
      least = Point(repeating: .min)
      most = Point(repeating: .max)
      if let source = predicate.source {
        (least[0], most[0]) = (Int64(source.index), Int64(source.index))
      }
      if let start = predicate.start?.nanoseconds {
        least[predicate.strictStart == true ? 1 : 2] = start
      }
      if let end = predicate.end?.nanoseconds { most[predicate.strictEnd == true ? 2 : 1] = end }
      // No value has the least rank.
      if let rank = predicate.leastRank { least[3] = rank }
      if let rank = predicate.mostRank { most[3] = rank }
    }

    @inline(__always)
    func holds(_ point: Point) -> Bool {
      for dimension in 0..<PredicateTrees.dimensions
      where point[dimension] < least[dimension] || point[dimension] > most[dimension] {
        return false
      }
      return true
    }

    /// Grows so that it holds another box.
    mutating func add(_ other: Box) {
      for dimension in 0..<PredicateTrees.dimensions {
        least[dimension] = min(least[dimension], other.least[dimension])
        most[dimension] = max(most[dimension], other.most[dimension])
      }
    }

    /// Where it is in a dimension: one end of it, which is not open.
    func key(_ dimension: Int) -> Int64 {
      least[dimension] == .min ? most[dimension] : least[dimension]
    }
  }

  /// Boxes, sorted so that those near each other lie side by side, and the boxes around them.
  fileprivate struct Tree {
    private static let leafCount = 8
    /// The entries below a node, and the index of the first node that is not below it.
    private struct Node {
      var box: Box
      var entries: Range<Int>
      var end: Int
      var isLeaf: Bool
    }

    private(set) var entries: [Entry]
    /// Each before those below it.
    private var nodes: [Node] = []

    init(_ entries: [Entry]) {
      self.entries = entries
      build(0..<entries.count)
    }

    private mutating func build(_ range: Range<Int>) {
      let place = nodes.count
      let isLeaf = range.count <= Self.leafCount
      var box = entries[range.lowerBound].box
      for entry in range { box.add(entries[entry].box) }
      nodes.append(Node(box: box, entries: range, end: place + 1, isLeaf: isLeaf))
      guard !isLeaf else { return }
      let dimension = dimensionToSplit(range)
      entries[range].sort { $0.box.key(dimension) < $1.box.key(dimension) }
      let middle = range.lowerBound + range.count / 2
      build(range.lowerBound..<middle)
      build(middle..<range.upperBound)
      nodes[place].end = nodes.count
    }

    /// The dimension in which the halves of a few entries overlap least.
    private func dimensionToSplit(_ range: Range<Int>) -> Int {
      let step = max(1, range.count / 32)
      let sample = stride(from: range.lowerBound, to: range.upperBound, by: step).map {
        entries[$0].box
      }
      func overlap(_ dimension: Int) -> Int {
        let sorted = sample.sorted { $0.key(dimension) < $1.key(dimension) }
        let (low, high) = (sorted[..<(sorted.count / 2)], sorted[(sorted.count / 2)...])
        let least = high.reduce(Int64.max) { min($0, $1.least[dimension]) }
        let most = low.reduce(Int64.min) { max($0, $1.most[dimension]) }
        let keys = zip(sorted, sorted.dropFirst()).count { $0.key(dimension) != $1.key(dimension) }
        // Of equal ones that with the most keys.
        return 64
          * (low.count { $0.most[dimension] >= least } + high.count { $0.least[dimension] <= most })
          - keys
      }
      return (0..<PredicateTrees.dimensions).min { overlap($0) < overlap($1) } ?? 0
    }

    /// Whether an entry whose box holds a point passes a test.
    func holds(_ point: Point, where fits: (Entry) -> Bool) -> Bool {
      var place = 0
      while place < nodes.count {
        guard nodes[place].box.holds(point) else {
          place = nodes[place].end
          continue
        }
        if nodes[place].isLeaf, nodes[place].entries.contains(where: { fits(entries[$0]) }) {
          return true
        }
        place += 1
      }
      return false
    }
  }
}

extension PredicateTrees.Point {
  fileprivate init(_ sample: Sample, writtenAt time: Timestamp) {
    let start = sample.start ?? time
    self.init(repeating: .min)
    self[0] = Int64(sample.source.index)
    self[1] = start.nanoseconds
    self[2] = (sample.end ?? start).nanoseconds
    if let value = sample.value { self[3] = value.rank }
  }
}
