import Testing
import WakeTestSupport

@testable import WakeScheduling

@Suite("The sets of places of subscriptions")
struct PlaceSetsTests {
  private static let names: [PlaceSets.Name] = [.ripe, .unripe, .carried]

  @Test(
    "hold what sets of numbers hold, below 64, 128, beyond, and where words are summed up",
    arguments: [10, 64, 65, 129, 200, 9_000])
  func random(places: Int) {
    for seed in 0..<20 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var sets = PlaceSets()
      var expected: [Set<Int>] = [[], [], []]
      var dues: [Int: Int64] = [:]
      for step in 0..<300 {
        let at = "seed \(seed), step \(step)"
        let name = random.pick(Self.names)
        let place = random.below(places)
        switch random.below(9) {
        case 0...3:
          if name == .unripe {
            // A place has one due time: what was there before is forgotten.
            let due = Int64(random.below(50))
            dues[place] = nil
            sets.remove(place, from: .unripe)
            sets.setDue(ofGroupWith: place, to: least(dues, with: place))
            dues[place] = due
            sets.insertUnripe(place, due: due)
          } else {
            sets.insert(place, in: name)
          }
          expected[name.rawValue].insert(place)
        case 4, 5:
          sets.remove(place, from: name)
          expected[name.rawValue].remove(place)
          guard name == .unripe else { break }
          dues[place] = nil
          sets.setDue(ofGroupWith: place, to: least(dues, with: place))
        case 6:
          let time = Int64(random.below(60))
          ripen(&sets, dueBy: time, dues)
          let due = dues.filter { $0.value <= time }.keys
          expected[0].formUnion(due)
          expected[1].subtract(due)
          for place in due { dues[place] = nil }
        case 7 where random.chance(30):
          var ripe = sets.takeRipe()
          var taken: [Int] = []
          while let place = ripe.next(in: &sets) { taken.append(place) }
          #expect(taken == expected[0].sorted(), "\(at)")
          expected[0] = []
        case 8:
          guard sets.ripenOnly() else {
            #expect(dues.count > 1 || places > 128 || dues.keys.contains { $0 >= 64 }, "\(at)")
            break
          }
          #expect(dues.count <= 1, "\(at)")
          expected[0].formUnion(expected[1])
          (expected[1], dues) = ([], [:])
        default:
          guard random.chance(20) else { continue }
          sets.removeAll(from: name)
          expected[name.rawValue] = []
          if name == .unripe { dues = [:] }
        }
        for name in Self.names {
          #expect(members(of: sets, name) == expected[name.rawValue].sorted(), "\(at), \(name)")
        }
        #expect(sets.unripeDue == dues.values.min() ?? .max, "\(at)")
        #expect(
          sets.contains(place, in: name) == expected[name.rawValue].contains(place), "\(at)")
      }
    }
  }

  /// The earliest due time in the group of a place.
  private func least(_ dues: [Int: Int64], with place: Int) -> Int64 {
    dues.filter { $0.key / 16 == place / 16 }.values.min() ?? .max
  }

  /// As a scheduler does, by the places' due times.
  private func ripen(_ sets: inout PlaceSets, dueBy time: Int64, _ dues: [Int: Int64]) {
    for group in 0..<8 where sets.groups(dueBy: time) >> group & 1 == 1 {
      ripen(&sets, groupWith: 16 * group, dueBy: time, dues)
    }
    var next = 128
    while let group = sets.nextOtherGroup(from: next, dueBy: time) {
      next = group + 16
      ripen(&sets, groupWith: group, dueBy: time, dues)
    }
  }

  private func ripen(
    _ sets: inout PlaceSets, groupWith first: Int, dueBy time: Int64, _ dues: [Int: Int64]
  ) {
    let unripe = sets.unripe(ofGroupWith: first)
    let places = (0..<16).filter { unripe >> UInt64($0) & 1 == 1 }
    let ripe = places.filter { dues[first + $0, default: .max] <= time }
    sets.ripen(ripe.reduce(0) { $0 | 1 << UInt64($1) }, ofGroupWith: first)
    let left = dues.filter { $0.key / 16 == first / 16 && $0.value > time }
    sets.setDue(ofGroupWith: first, to: left.values.min() ?? .max)
  }

  private func members(of sets: PlaceSets, _ name: PlaceSets.Name) -> [Int] {
    var members: [Int] = []
    while let place = sets.next(in: name, from: (members.last ?? -1) + 1) {
      members.append(place)
    }
    return members
  }
}
