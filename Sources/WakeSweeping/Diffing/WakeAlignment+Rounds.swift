extension WakeAlignment {
  /// Gives the keys of a wake to `key`.
  typealias Keys = (_ wake: DiffWake, _ key: (UInt64) -> Void) -> Void
  typealias Accepts = (DiffWake, DiffWake) -> Bool

  /// A wake under one of its keys.
  struct Node: Comparable {
    var key: UInt64
    /// Its index; with this bit for the second side.
    var place: UInt32

    static let second: UInt32 = 1 << 31

    var isSecond: Bool { place & Self.second != 0 }
    var index: Int { Int(place & ~Self.second) }

    static func < (one: Self, other: Self) -> Bool {
      one.key == other.key ? one.place < other.place : one.key < other.key
    }
  }

  private mutating func pair(_ one: Int, _ other: Int) {
    partners.first[one] = Int32(other)
    partners.second[other] = Int32(one)
    left.first -= 1
    left.second -= 1
  }

  /// Pairs wakes that are the same and the only ones of their instant, as most are: no keys are needed.
  mutating func pairSingles() {
    func next(_ place: Int, in wakes: [DiffWake]) -> Int {
      var next = place + 1
      while next < wakes.count, wakes[next].time == wakes[place].time { next += 1 }
      return next
    }
    var (one, other) = (0, 0)
    while one < first.count, other < second.count {
      if first[one].time < second[other].time {
        one += 1
      } else if second[other].time < first[one].time {
        other += 1
      } else {
        let after = (next(one, in: first), next(other, in: second))
        if after == (one + 1, other + 1),
          first[one].differences(from: second[other], within: within).isEmpty
        {
          pair(one, other)
        }
        (one, other) = after
      }
    }
  }

  /// Pairs wakes with a key in common that are no further apart than `limit`: each with the nearest, then the rest in
  /// order.
  ///
  /// - Parameter telling: What the wakes of each side must tell; nil is anything.
  mutating func pairNear(
    _ limit: Int64, telling: (first: DiffWake.Fields, second: DiffWake.Fields)? = nil,
    _ accepts: Accepts, keys: Keys
  ) {
    for nearest in limit > 0 ? [true, false] : [false] {
      guard left.first > 0, left.second > 0 else { return }
      var nodes: [Node] = []
      for isSecond in [false, true] {
        let told = isSecond ? telling?.second : telling?.first
        forEachLeft(isSecond, within: limit) { index, wake in
          guard told.map({ $0 == wake.told }) ?? true else { return }
          keys(wake) { nodes.append(Node(key: $0, place: Self.place(index, isSecond))) }
        }
      }
      pairGroups(&nodes, limit, nearest, accepts)
    }
  }

  /// Pairs wakes with a key in common at any times, in order.
  ///
  /// - Parameter bySection: Whether no two wakes at the same time that were paired, and have the key in common, may lie
  ///   between.
  mutating func pairMoved(bySection: Bool, _ accepts: Accepts, keys: Keys) {
    guard left.first > 0, left.second > 0 else { return }
    var nodes: [Node] = []
    for isSecond in [false, true] {
      let (wakes, others) = isSecond ? (second, first) : (first, second)
      let partners = isSecond ? partners.second : partners.first
      // By key, how many pairs came before.
      var sections: [UInt64: UInt64] = [:]
      var common: [UInt64] = []
      for index in wakes.indices {
        let partner = Int(partners[index])
        if partner < 0 {
          keys(wakes[index]) { key in
            var key = key
            if bySection, let section = sections[key] { key = DiffWake.key(key, section) }
            nodes.append(Node(key: key, place: Self.place(index, isSecond)))
          }
        } else if bySection, abs(wakes[index].time - others[partner].time) <= within {
          common.removeAll(keepingCapacity: true)
          keys(others[partner]) { common.append($0) }
          keys(wakes[index]) { if common.contains($0) { sections[$0, default: 0] += 1 } }
        }
      }
    }
    pairGroups(&nodes, nil, false, accepts)
  }

  private static func place(_ index: Int, _ isSecond: Bool) -> UInt32 {
    UInt32(index) | (isSecond ? Node.second : 0)
  }

  /// Calls `body` for the wakes of a side that have no partner, but may find one no further apart than `limit`.
  private func forEachLeft(
    _ isSecond: Bool, within limit: Int64, _ body: (Int, DiffWake) -> Void
  ) {
    let (wakes, others) = isSecond ? (second, first) : (first, second)
    let (own, theirs) =
      isSecond ? (partners.second, partners.first) : (partners.first, partners.second)
    var other = 0
    for index in wakes.indices where own[index] < 0 {
      while other < others.count,
        theirs[other] >= 0 || others[other].time < wakes[index].time - limit
      {
        other += 1
      }
      guard other < others.count else { return }
      if others[other].time <= wakes[index].time + limit { body(index, wakes[index]) }
    }
  }

  private mutating func pairGroups(
    _ nodes: inout [Node], _ limit: Int64?, _ nearest: Bool, _ accepts: Accepts
  ) {
    nodes.sort()
    var start = 0
    while start < nodes.count {
      let key = nodes[start].key
      // Those that have found a partner by another key are left out.
      var (middle, last, end) = (start, start, start)
      while end < nodes.count, nodes[end].key == key {
        let node = nodes[end]
        if (node.isSecond ? partners.second : partners.first)[node.index] < 0 {
          nodes[last] = node
          last += 1
          if !node.isSecond { middle = last }
        }
        end += 1
      }
      pairGroup(nodes, start..<middle, middle..<last, limit, nearest, accepts)
      start = end
    }
  }

  /// Pairs the wakes of a group in order. Where two are not a pair, the earlier one is alone.
  private mutating func pairGroup(
    _ nodes: [Node], _ ones: Range<Int>, _ others: Range<Int>, _ limit: Int64?, _ nearest: Bool,
    _ accepts: Accepts
  ) {
    var (one, other) = (ones.lowerBound, others.lowerBound)
    while one < ones.upperBound, other < others.upperBound {
      let (here, there) = (nodes[one].index, nodes[other].index)
      let apart = apart(here, there)
      let isNear = limit.map { apart <= $0 } ?? true
      if isNear, nearest, one + 1 < ones.upperBound, self.apart(nodes[one + 1].index, there) < apart
      {
        one += 1
      } else if isNear, nearest, other + 1 < others.upperBound,
        self.apart(here, nodes[other + 1].index) < apart
      {
        other += 1
      } else if isNear, accepts(first[here], second[there]) {
        pair(here, there)
        one += 1
        other += 1
      } else if first[here].time <= second[there].time {
        one += 1
      } else {
        other += 1
      }
    }
  }
}
