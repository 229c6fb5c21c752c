import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeScheduling

@Suite("The order of types by name")
struct TypeOrderTests {
  @Test("is that of their names, while types come", arguments: 0..<20 as Range<UInt64>)
  func growing(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let types = SymbolTable<NameOf.SampleType>()
    var order = TypeOrder()
    for turn in 0..<200 {
      if random.chance(20) { _ = types.intern("type \(random.below(1_000))") }
      guard types.count > 0 else { continue }
      // Different ones, as an app's subscriptions have.
      let count = random.pick([0, 1, 2, 5, 16, 17, 40])
      let entries = (0..<types.count).shuffled(using: &random).prefix(count).map {
        TypeOrder.Entry(type: SampleType(index: UInt32($0)), slot: 7 * $0 + 1)
      }
      let names = types.names
      let expected = entries.sorted {
        names[Int($0.type.index)].utf8.lexicographicallyPrecedes(names[Int($1.type.index)].utf8)
      }
      if random.chance(50) {
        let slots = order.slots(of: entries, types)
        #expect(slots == expected.map(\.slot), "seed \(seed), turn \(turn)")
      } else {
        var sorted = entries.map(\.type)
        var span = sorted.mutableSpan
        order.sort(&span, types)
        #expect(sorted == expected.map(\.type), "seed \(seed), turn \(turn)")
      }
    }
  }
}
