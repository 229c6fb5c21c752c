/// How the wakes of one app on one device differ between two replays of the same inputs.
///
/// Wakes at the same time belong together. Between two such pairs, those that are left are paired in order while something
/// may have waited for both: they moved. What is left then is on one side alone.
struct WakeAlignment {
  enum Difference {
    /// At the same time, with other contents or another end.
    case changed(ComparedWake, ComparedWake)
    /// At another time.
    case moved(ComparedWake, ComparedWake)
    /// In the first replay alone.
    case missing(ComparedWake)
    /// In the second replay alone.
    case extra(ComparedWake)
  }

  private(set) var same = 0
  private(set) var differences: [Difference] = []

  /// Aligns wakes, each side in the order of their times.
  ///
  /// - Complexity: O(wakes).
  init(_ first: [ComparedWake], _ second: [ComparedWake]) {
    var (one, other) = (0, 0)
    var (lonely, others): ([ComparedWake], [ComparedWake]) = ([], [])
    while one < first.count || other < second.count {
      if one < first.count, other < second.count, first[one].time == second[other].time {
        pair(&lonely, &others)
        if first[one] == second[other] {
          same += 1
        } else {
          differences.append(.changed(first[one], second[other]))
        }
        one += 1
        other += 1
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

  private mutating func pair(_ first: inout [ComparedWake], _ second: inout [ComparedWake]) {
    var (one, other) = (0, 0)
    while one < first.count || other < second.count {
      if one < first.count, other < second.count, first[one].overlaps(second[other]) {
        differences.append(.moved(first[one], second[other]))
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
