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
      let listed = Set((0..<random.below(8)).map { _ in random.below(types.count) }).sorted()
      let entries = listed.shuffled(using: &random).map {
        TypeOrder.Entry(type: SampleType(index: UInt32($0)), slot: 7 * $0 + 1)
      }
      let names = types.names
      let expected =
        entries
        .sorted {
          names[Int($0.type.index)].utf8.lexicographicallyPrecedes(names[Int($1.type.index)].utf8)
        }
        .map(\.slot)
      #expect(order.slots(of: entries, types) == expected, "seed \(seed), turn \(turn)")
    }
  }
}
