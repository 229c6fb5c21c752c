import CScheduling
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeScheduling

@Suite("Orderly rows")
struct OrderlyRowsTests {
  /// Rows from 3 on, of which nothing or some need care.
  private struct Rows {
    var columns = InputColumns()
    var present: Int64
    let typeCount: Int
    /// How many of the first need no care, and how many of those are deletes.
    private(set) var orderly = OrderlyRows(count: 0, deletes: 0)

    init(using random: inout SplitMix64) {
      let count = 3 + 1 + random.below(OrderlyRows.length)
      var time = Int64(random.below(1_000)) - 500
      typeCount = 1 << random.below(12)
      for _ in 0..<count {
        time += Int64(random.below(3))
        columns.times.append(time)
        columns.kinds.append(random.chance(20) ? 1 : 0)
        columns.types.append(UInt32(random.below(typeCount)))
      }
      present = columns.times[3]
      for _ in 0..<random.below(4) {
        let row = 3 + random.below(count - 3)
        switch random.below(4) {
        case 0: present += 1
        case 1: columns.kinds[row] = UInt8(2 + random.below(250))
        case 2: columns.types[row] = UInt32(typeCount + random.below(1 << 20))
        default: columns.times[row] -= Int64(1 + random.below(3))
        }
      }
      var previous = present
      for row in 3..<count {
        guard columns.times[row] >= previous, columns.kinds[row] <= 1,
          Int(columns.types[row]) < typeCount
        else { return }
        previous = columns.times[row]
        orderly.count += 1
        orderly.deletes += Int(columns.kinds[row])
      }
    }
  }

  @Test(
    "are the first of which nothing needs care, by eights and one by one", arguments: [false, true])
  func random(byEights: Bool) {
    for seed in 0..<4_000 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let rows = Rows(using: &random)
      let all = 3..<rows.columns.count
      let found = OrderlyRows.leading(
        times: rows.columns.times.span.extracting(all),
        kinds: rows.columns.kinds.span.extracting(all),
        types: rows.columns.types.span.extracting(all), from: rows.present,
        typeCount: rows.typeCount, byEights: byEights && scheduling_is_supported())
      let isAllOrNone = !byEights || !scheduling_is_supported()
      let expected =
        isAllOrNone && rows.orderly.count < rows.columns.count - 3
        ? OrderlyRows(count: 0, deletes: 0) : rows.orderly
      #expect(found == expected, "seed \(seed), \(rows.columns.count - 3) rows")
    }
  }

  @Test("are none where no type is known, by eights and one by one", arguments: [false, true])
  func noTypes(byEights: Bool) {
    var columns = InputColumns()
    columns.append(
      .delete(type: SampleType(index: 0), source: Source(index: 0)),
      at: Timestamp(nanoseconds: 0))
    let found = OrderlyRows.leading(
      times: columns.times.span, kinds: columns.kinds.span, types: columns.types.span, from: .min,
      typeCount: 0,
      byEights: byEights && scheduling_is_supported())
    #expect(found == OrderlyRows(count: 0, deletes: 0))
  }

  @Test("tell the first that is not before a time", arguments: [false, true])
  func firstNotBefore(byEights: Bool) {
    for seed in 0..<2_000 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var times = (0..<3 + 1 + random.below(OrderlyRows.length)).map { _ in
        Int64(random.below(100)) - 50
      }
      times.sort()
      let rows = random.below(3)..<times.count
      let time = min(times[times.count - 1], Int64(random.below(120)) - 60)
      let found = OrderlyRows.place(
        ofFirstNotBefore: time, times: times.span, rows: rows,
        byEights: byEights && scheduling_is_supported())
      let expected = rows.first { times[$0] >= time }
      #expect(found == expected, "seed \(seed), \(times.count) rows")
    }
  }
}
