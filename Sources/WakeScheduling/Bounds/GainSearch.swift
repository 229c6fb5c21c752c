/// Gains of about the same size (rules, 10.4).
package struct GainCell: Sendable {
  /// The gains that would be counted here, in nanoseconds.
  package var values: ClosedRange<Int64>
  /// How many there are.
  package var count: Int
  package var sum: Int64
}

/// Takes the greatest of all gains, as many as a goal asks for (rules, 10.4).
///
/// Where there are too many different gains to keep each, a ``GainCounter`` has them in cells. Whole cells are taken, and
/// ``open`` is the cell of which only a part is: another pass over the same inputs counts it alone. Each pass makes the
/// cell a thousand times narrower, so mostly two are enough.
package struct GainSearch: Sendable {
  package enum Goal: Sendable {
    /// So many gains, or all if there are fewer.
    case count(Int)
    /// The fewest gains whose sum reaches this one, or all.
    case sum(Int64)
  }

  private let goal: Goal
  /// How many gains are taken.
  package private(set) var count = 0
  /// Their sum.
  package private(set) var sum: Int64 = 0
  /// Where the next gains to take are; nil if the goal is reached or there are no more.
  package private(set) var open: ClosedRange<Int64>? = GainCounter.everything

  package init(_ goal: Goal) {
    self.goal = goal
  }

  /// Takes what is known of the gains in ``open``.
  ///
  /// - Parameter cells: The greatest gains first.
  package mutating func narrow(to cells: [GainCell]) {
    open = nil
    for cell in cells {
      if isReached { return }
      if takes(allOf: cell) {
        count += cell.count
        sum += cell.sum
      } else if cell.values.count == 1 {
        take(some: cell.values.lowerBound)
      } else {
        open = cell.values
        return
      }
    }
  }

  private var isReached: Bool {
    switch goal {
    case .count(let goal): count >= goal
    case .sum(let goal): sum >= goal
    }
  }

  private func takes(allOf cell: GainCell) -> Bool {
    switch goal {
    case .count(let goal): count + cell.count <= goal
    case .sum(let goal): sum + cell.sum <= goal
    }
  }

  /// Takes as many gains of one size as the goal needs.
  private mutating func take(some gain: Int64) {
    let taken =
      switch goal {
      case .count(let goal): goal - count
      case .sum(let goal): Int((goal - sum - 1) / gain) + 1
      }
    count += taken
    sum += Int64(taken) * gain
  }
}
