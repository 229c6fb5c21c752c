package import WakeScheduling

extension Accelerations {
  /// None, all, all but one, one, or any subset.
  package static func drawn(by random: inout SplitMix64) -> Accelerations {
    let one = random.pick(byName.map(\.acceleration))
    switch random.below(6) {
    case 0: return []
    case 1: return .all
    case 2: return .all.subtracting(one)
    case 3: return one
    default:
      return Accelerations(rawValue: UInt32(truncatingIfNeeded: random.next())).intersection(.all)
    }
  }

  /// None, all, and all but each one.
  package static let bisecting: [Accelerations] =
    [[], .all] + byName.map { Accelerations.all.subtracting($0.acceleration) }
}
