import Testing
import WakeScheduling
import WakeTestSupport

@Suite("The search for the greatest gains")
struct GainSearchTests {
  @Test("takes what a sorted list has, in as many passes as it needs")
  func random() {
    for seed in 0..<300 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let gains = Self.gains(&random)
      let sorted = gains.sorted(by: >)
      let mostSizes = random.pick([0, 1, 3, 50, 8_192])
      let wanted = random.pick([0, 1, gains.count / 3, gains.count, gains.count + 2])
      let greatest = sorted.prefix(wanted).reduce(0, +)
      #expect(
        Self.taken(.count(wanted), gains, mostSizes) == (min(wanted, gains.count), greatest),
        "seed \(seed), \(wanted) of \(gains.count) gains")

      let goal = random.pick([0, 1, greatest, greatest + 1, sorted.reduce(0, +)])
      var (count, sum) = (0, Int64(0))
      while sum < goal, count < sorted.count {
        sum += sorted[count]
        count += 1
      }
      #expect(
        Self.taken(.sum(goal), gains, mostSizes) == (count, sum), "seed \(seed), to reach \(goal)")
    }
  }

  @Test("needs two passes for gains that differ, and one for few sizes")
  func passes() {
    var random = SplitMix64(seed: 7)
    let many = (0..<100_000).map { _ in Int64(random.below(1 << 40)) + 1 }
    #expect(Self.passes(.count(50_000), many) == 2)
    #expect(Self.passes(.sum(1 << 50), many) == 2)
    let few = (0..<100_000).map { Int64($0 % 8_000) * 1_000_000_007 + 1 }
    #expect(Self.passes(.count(50_000), few) == 1)
  }

  @Test("has cells that hold all gains, each in its own", arguments: [5, 10])
  func cells(bits: Int) {
    let gains: [Int64] = [1, 2, 63, 64, 65, 2_047, 2_048, 2_049, 1 << 40, .max / 2, .max]
    for gain in gains {
      for least in [1, gain / 2 + 1, gain] {
        var buckets = GainBuckets(from: least, bits: bits)
        buckets.add(gain, times: 1)
        let cells = buckets.cells
        #expect(cells.count == 1 && cells[0].values.contains(gain), "\(gain) from \(least)")
        #expect(cells[0].values.upperBound - gain <= gain >> Int64(bits), "\(gain) from \(least)")
      }
    }
  }

  private static func gains(_ random: inout SplitMix64) -> [Int64] {
    let count = random.below(400)
    // The sum of real gains is a time, so it does not overflow.
    let spread = random.pick([4, 1 << 12, 1 << 30, 1 << 52])
    let start = Int64(random.pick([0, 1 << 20, 1 << 52]))
    return (0..<count).map { _ in start + 1 + Int64(random.below(spread)) }
  }

  private static func taken(
    _ goal: GainSearch.Goal, _ gains: [Int64], _ mostSizes: Int
  ) -> (Int, Int64) {
    var search = GainSearch(goal)
    while let open = search.open {
      var counter = GainCounter(open, mostSizes: mostSizes)
      for gain in gains { counter.add(gain) }
      search.narrow(to: counter.cells)
    }
    return (search.count, search.sum)
  }

  private static func passes(_ goal: GainSearch.Goal, _ gains: [Int64]) -> Int {
    var search = GainSearch(goal)
    var passes = 0
    while let open = search.open {
      passes += 1
      var counter = GainCounter(open)
      for gain in gains { counter.add(gain) }
      search.narrow(to: counter.cells)
    }
    return passes
  }
}
