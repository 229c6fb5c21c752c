import Testing
import WakeTestSupport

@testable import WakeTrace

@Suite("The order of blocks in their streams")
struct StreamOrderTests {
  private func order(_ numbers: [UInt32]) -> StreamOrder {
    var order = StreamOrder()
    for (last, number) in zip(numbers, numbers.dropFirst()) {
      order.add(number, of: 7, after: last)
    }
    return order
  }

  @Test("tells missing blocks from those that are repeated or out of order")
  func cases() {
    let cases: [(numbers: [UInt32], missing: Int, misplaced: Int)] = [
      ([0, 1, 2, 3], 0, 0), ([5, 6], 0, 0), ([0, 2, 3], 1, 0), ([0, 2, 1, 3], 0, 1),
      ([0, 1, 2, 0, 1, 2], 0, 3), ([0, 3, 0, 3], 2, 2), ([0, 3, 1, 2, 4], 0, 2),
      ([0, 3, 1, 1, 5], 2, 2), ([0, .max], Int(UInt32.max) - 1, 0),
    ]
    for (numbers, missing, misplaced) in cases {
      let order = order(numbers)
      #expect(order.missing == missing && order.misplaced == misplaced, "\(numbers)")
    }
  }

  @Test("adds up over shards, each of which counts some of the blocks", arguments: [2, 3, 5])
  func shards(count: UInt32) {
    for numbers: [UInt32] in [
      [1, 0, 2, 3, 4, 5, 6, 7, 8, 9], [4, 0, 5, 6, 7, 1, 2, 3, 8, 9], [0, 5, 2, 9, 3, 0, 5, 2, 11],
    ] {
      var orders = [StreamOrder](repeating: StreamOrder(), count: Int(count))
      for (last, number) in zip(numbers, numbers.dropFirst()) {
        for shard in orders.indices {
          orders[shard].add(
            number, of: 7, after: last, isCounted: number % count == UInt32(shard))
        }
      }
      let whole = order(numbers)
      #expect(orders.reduce(0) { $0 + $1.missing } == whole.missing, "\(numbers)")
      #expect(orders.reduce(0) { $0 + $1.misplaced } == whole.misplaced, "\(numbers)")
    }
  }

  @Test("agrees with the set of all numbers", arguments: 0..<20 as Range<UInt64>)
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let numbers = (0..<200).map { _ in UInt32(random.below(150)) }
    let order = order(numbers)
    let (seen, first) = (Set(numbers), numbers[0])
    let greatest = numbers.max() ?? 0
    #expect(order.missing == (first...greatest).count { !seen.contains($0) })
    let risen = numbers.dropFirst().reduce(into: (most: first, count: 0)) { state, number in
      if number <= state.most { state.count += 1 }
      state.most = max(state.most, number)
    }
    #expect(order.misplaced == risen.count)
  }
}
