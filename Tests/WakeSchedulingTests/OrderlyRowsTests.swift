import CScheduling
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeScheduling

@Suite("Orderly rows")
struct OrderlyRowsTests {
  /// Rows from 3 on, of which nothing or one thing needs care.
  private struct Rows {
    var times: [Int64] = []
    var kinds: [UInt8] = []
    var types: [UInt32] = []
    let present: Int64
    let typeCount: Int
    let deletes: Int?

    init(using random: inout SplitMix64) {
      let count = 3 + 1 + random.below(OrderlyRows.length)
      var time = Int64(random.below(1_000)) - 500
      typeCount = 1 << random.below(12)
      for _ in 0..<count {
        time += Int64(random.below(3))
        times.append(time)
        kinds.append(random.chance(20) ? 1 : 0)
        types.append(UInt32(random.below(typeCount)))
      }
      let row = 3 + random.below(count - 3)
      var needsCare = true
      var present = times[3]
      switch random.below(5) {
      case 0: present += 1
      case 1: kinds[row] = UInt8(2 + random.below(250))
      case 2: types[row] = UInt32(typeCount + random.below(1 << 20))
      case 3 where row > 3: times[row] = times[row - 1] - 1
      default: needsCare = false
      }
      self.present = present
      deletes = needsCare ? nil : kinds[3...].count { $0 == 1 }
    }
  }

  @Test(
    "are those of which nothing needs care, by eights and one by one", arguments: [false, true])
  func random(byEights: Bool) {
    for seed in 0..<2_000 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let rows = Rows(using: &random)
      let found = OrderlyRows.deletes(
        times: rows.times.span, kinds: rows.kinds.span, types: rows.types.span,
        rows: 3..<rows.times.count, from: rows.present, typeCount: rows.typeCount,
        byEights: byEights && scheduling_is_supported())
      #expect(found == rows.deletes, "seed \(seed), \(rows.times.count - 3) rows")
    }
  }
}
