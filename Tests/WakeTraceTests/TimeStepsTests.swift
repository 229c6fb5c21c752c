import Testing
import WakeTestSupport

@testable import WakeTrace

@Suite("Time steps")
struct TimeStepsTests {
  /// The times that steps give, wrapping around as a reader's do.
  private func times(from first: Int64, _ steps: [Int64]) -> [Int64] {
    steps.reduce(into: [first]) { times, step in times.append(times[times.count - 1] &+ step) }
  }

  private func extremes(
    of times: [Int64], steps: ClosedRange<Int64>?
  ) -> (earliest: Int64, latest: Int64, onlyRise: Bool) {
    TimeSteps.extremes(of: times.span, stepsInClimb: TimeSteps.stepsInClimb(steps))
  }

  @Test("have the extremes of their times, also where those wrap around", arguments: 0..<200)
  func haveExtremes(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let size: Int64 = random.pick([3, 1_000, 1 << 40, .max / 4, .max])
    let lowest: Int64 = random.chance(50) ? 0 : -size
    let steps = (0..<random.below(12)).map { _ in
      lowest &+ Int64(bitPattern: random.next() % UInt64(size)) / 2
    }
    let first: Int64 = random.pick([0, -4 << 60, 3 << 60, .max - 5])
    let times = times(from: first, steps)
    let bounds = min(0, steps.min() ?? 0)...max(0, steps.max() ?? 0)
    for known in [bounds, nil] {
      let found = extremes(of: times, steps: known)
      #expect(found.earliest == times.min(), "seed \(seed), \(times)")
      #expect(found.latest == times.max(), "seed \(seed), \(times)")
      #expect(!found.onlyRise || times == times.sorted(), "seed \(seed), \(times)")
    }
  }

  @Test("prove that times never fall, also where a column of the longest ones would wrap around")
  func proveOrder() {
    let times = times(from: -4_000_000_000_000_000_000, [Int64](repeating: 7, count: 999))
    for longest in [0, 1 << 54, 1 << 62] as [Int64] {
      let found = extremes(of: times, steps: 0...longest)
      #expect(found == (times[0], times[999], true), "\(longest)")
    }
    #expect(!extremes(of: times, steps: 0...(.max)).onlyRise)
    let late = [Int64.max - (1 << 62) + 1, .max]
    #expect(extremes(of: late, steps: 0...(1 << 62)) == (late[0], late[1], false))
  }

  @Test("lie between bounds unless those wrap around")
  func lieBetweenBounds() {
    #expect(TimeSteps.bounds(-2...3, unit: 10) == -20...30)
    #expect(TimeSteps.bounds(0...(.max / 2), unit: 3) == nil)
    #expect(TimeSteps.bounds((.min)...0, unit: 2) == nil)
    #expect(TimeSteps.bounds(nil, unit: 1) == nil)
  }
}
