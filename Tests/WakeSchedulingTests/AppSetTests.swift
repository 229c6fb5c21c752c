import Testing
import WakeTestSupport

@testable import WakeScheduling

@Suite("A set of apps")
struct AppSetTests {
  @Test("gives what was inserted in order", arguments: [3, 64, 65, 1_000, 20_000])
  func random(apps: Int) {
    for seed in 0..<20 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var set = AppSet()
      var expected: Set<Int> = []
      for step in 0..<300 {
        let app = random.below(apps)
        switch random.below(8) {
        case 0...4:
          set.insert(app)
          expected.insert(app)
        case 5:
          #expect(set.popFirst() == expected.min(), "seed \(seed), step \(step)")
          if let first = expected.min() { expected.remove(first) }
        case 6:
          var other = AppSet()
          other.insert(app)
          other.insert(apps - 1)
          set.formUnion(other)
          expected.formUnion([app, apps - 1])
        default:
          if random.chance(30) {
            var taken = set.take()
            var found: [Int] = []
            while let app = taken.popFirst() { found.append(app) }
            #expect(found == expected.sorted(), "seed \(seed), step \(step)")
            expected = []
          }
        }
        #expect(set.contains(app) == expected.contains(app), "seed \(seed), step \(step)")
      }
    }
  }
}
