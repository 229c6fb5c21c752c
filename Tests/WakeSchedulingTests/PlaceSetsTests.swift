import Testing
import WakeTestSupport

@testable import WakeScheduling

@Suite("The sets of places of subscriptions")
struct PlaceSetsTests {
  private static let names: [PlaceSets.Name] = [.ripe, .unripe, .carried]

  @Test("hold what sets of numbers hold, below 64 and beyond", arguments: [10, 64, 65, 200])
  func random(places: Int) {
    for seed in 0..<20 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var sets = PlaceSets()
      var expected: [[Int]] = [[], [], []]
      for step in 0..<300 {
        let name = random.pick(Self.names)
        let place = random.below(places)
        switch random.below(8) {
        case 0...3:
          sets.insert(place, in: name)
          expected[name.rawValue] = (expected[name.rawValue].filter { $0 != place } + [place])
            .sorted()
        case 4, 5:
          sets.remove(place, from: name)
          expected[name.rawValue].removeAll { $0 == place }
        case 6:
          // As for a subscription that is inserted, or removed.
          let isInserted = random.chance(50)
          if !isInserted {
            sets.remove(place, from: name)
            expected[name.rawValue].removeAll { $0 == place }
          }
          sets.move(from: place, by: isInserted ? 1 : -1, in: name)
          expected[name.rawValue] = expected[name.rawValue].map {
            $0 < place ? $0 : $0 + (isInserted ? 1 : -1)
          }
        default:
          guard random.chance(20) else { continue }
          sets.removeAll(from: name)
          expected[name.rawValue] = []
        }
        for name in Self.names {
          #expect(
            members(of: sets, name) == expected[name.rawValue],
            "seed \(seed), step \(step), \(name)")
        }
        let both = Set(expected[0] + expected[1]).sorted()
        #expect(members(of: sets, .ripe, or: .unripe) == both, "seed \(seed), step \(step)")
        #expect(
          sets.contains(place, in: name) == expected[name.rawValue].contains(place),
          "seed \(seed), step \(step)")
      }
    }
  }

  private func members(
    of sets: PlaceSets, _ name: PlaceSets.Name, or further: PlaceSets.Name? = nil
  ) -> [Int] {
    var members: [Int] = []
    while let place = sets.next(in: name, or: further, from: (members.last ?? -1) + 1) {
      members.append(place)
    }
    return members
  }
}
