/// How the wakes of one app on one device differ between two sides.
///
/// Wakes that are no further apart than the tolerance are paired, each with the nearest. Between two such pairs, those that
/// are left are paired in order while they may be the same wake (``DiffWake/mayHaveMoved(to:_:)``): they moved. What is
/// left then is on one side alone.
struct DiffAlignment {
  enum Difference {
    /// At the same time, with other fields.
    case changed(DiffWake, DiffWake, DiffWake.Fields)
    /// At another time, perhaps with other fields.
    case moved(DiffWake, DiffWake, DiffWake.Fields)
    /// On the first side alone.
    case missing(DiffWake)
    /// On the second side alone.
    case extra(DiffWake)

    var time: Int64 {
      switch self {
      case .changed(let one, let other, _), .moved(let one, let other, _):
        min(one.time, other.time)
      case .missing(let wake), .extra(let wake): wake.time
      }
    }
  }

  private(set) var same = 0
  private(set) var differences: [Difference] = []

  private let within: Int64
  private let sets: TypeSets

  /// Aligns wakes, each side in the order of their times.
  ///
  /// - Parameter within: The tolerance in nanoseconds.
  /// - Complexity: O(wakes).
  init(_ first: [DiffWake], _ second: [DiffWake], within: Int64, _ sets: TypeSets) {
    self.within = within
    self.sets = sets
    var (one, other) = (0, 0)
    var (lonely, others): ([DiffWake], [DiffWake]) = ([], [])
    /// How far apart two wakes are; nil if one is not there.
    func distance(_ one: Int, _ other: Int) -> UInt64? {
      guard one < first.count, other < second.count else { return nil }
      return (first[one].time - second[other].time).magnitude
    }
    while one < first.count || other < second.count {
      let apart = distance(one, other)
      if let apart, apart <= UInt64(within) {
        if let next = distance(one + 1, other), next < apart {
          lonely.append(first[one])
          one += 1
        } else if let next = distance(one, other + 1), next < apart {
          others.append(second[other])
          other += 1
        } else {
          pair(&lonely, &others)
          compare(first[one], second[other])
          one += 1
          other += 1
        }
      } else if other >= second.count || one < first.count && first[one].time < second[other].time {
        lonely.append(first[one])
        one += 1
      } else {
        others.append(second[other])
        other += 1
      }
    }
    pair(&lonely, &others)
  }

  private mutating func compare(_ one: DiffWake, _ other: DiffWake) {
    let fields = one.differences(from: other, within: within)
    if fields.isEmpty {
      same += 1
    } else {
      differences.append(.changed(one, other, fields))
    }
  }

  private mutating func pair(_ first: inout [DiffWake], _ second: inout [DiffWake]) {
    var (one, other) = (0, 0)
    while one < first.count || other < second.count {
      if one < first.count, other < second.count,
        first[one].mayHaveMoved(to: second[other], sets)
      {
        let fields = first[one].differences(from: second[other], within: within)
        differences.append(.moved(first[one], second[other], fields))
        one += 1
        other += 1
      } else if other >= second.count || one < first.count && first[one].time < second[other].time {
        differences.append(.missing(first[one]))
        one += 1
      } else {
        differences.append(.extra(second[other]))
        other += 1
      }
    }
    first.removeAll(keepingCapacity: true)
    second.removeAll(keepingCapacity: true)
  }
}
