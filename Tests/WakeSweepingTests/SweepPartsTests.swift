import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

@testable import WakeSweeping

@Suite("Parts of a sweep")
struct SweepPartsTests {
  @Test("the most times in a window, against counting them", arguments: 0..<20 as Range<UInt64>)
  func peaks(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let window = Int64(random.pick([0, 1, 5, 60]))
    var times: [Int64] = []
    var peak = WindowPeak()
    var most = 0
    for _ in 0..<300 {
      times.append((times.last ?? -100) + Int64(random.below(4)))
      peak.add(times[times.count - 1], window: window)
      let last = times[times.count - 1]
      // A wake itself counts, whatever the window.
      most = max(most, max(1, times.count { last - $0 < window }))
      #expect(peak.peak == most)
    }
    var crowd = WindowPeak()
    for _ in 0..<2_000 { crowd.add(7, window: 5) }
    #expect(crowd.peak == WindowPeak.most)
  }

  @Test("the time for which a device was locked between two times")
  func locks() {
    var locks = LockedTime()
    #expect(locks.isEmpty && locks.locked(from: 0, to: 100) == 0)
    locks.take(.unlock, at: 5)
    #expect(locks.isEmpty)
    for (kind, time) in [
      (.lock, 10), (.lock, 12), (.unlock, 20), (.reboot, 40), (.lock, 41), (.unlock, 45),
      (.launch, 50),
    ] as [(InputKind, Int64)] { locks.take(kind, at: time) }
    for (from, to, expected) in [
      (0, 10, 0), (0, 15, 5), (12, 18, 6), (0, 100, 15), (15, 42, 7), (20, 40, 0), (45, 90, 0),
    ] as [(Int64, Int64, Int64)] {
      #expect(locks.locked(from: from, to: to) == expected, "\(from) to \(to)")
    }
  }

  @Test("saves that come back were owed from what was dropped while their wake was in flight")
  func owedTime() {
    // As in rule 10.1: one type from 10 to 30, another one from 20 to 40, whose wake at 20 carried it in vain.
    var owed = OwedTime()
    owed.carry(oldest: 20, at: 20, leavesSome: true)
    owed.drop(oldest: 10, at: 30, leavesSome: false)
    owed.giveBack()
    owed.drop(oldest: 20, at: 40, leavesSome: false)
    #expect(owed.total == 30)
  }

  @Test("which rows are on the front, and which are better than others")
  func ranking() {
    var result = SweepResult.of([(5, 50), (3, 90), (5, 40), (9, 40), (9, 10), (3, 90), (10, 11)])
    result.rank()
    #expect(
      result.rows.map(\.standing) == [
        .dominated(by: 2), .onFront, .onFront, .dominated(by: 4), .onFront, .onFront,
        .dominated(by: 4),
      ])
  }

  @Test("how each parameter matters, as intervals")
  func sensitivity() {
    // The wakes change with the first parameter up to 3 and with the second between b and c.
    var result = SweepResult.of([])
    result.parameters = ["limit", "carry", "none", "alone"]
    for limit in 1...5 {
      for carry in ["a", "b", "c"] {
        for none in ["x", "y"] {
          let wakes = min(limit, 3) * 10 + (carry == "c" ? 1 : 0)
          var row = SweepResult.of([(wakes, 1)]).rows[0]
          row.values = [String(limit), carry, none, "z"]
          result.rows.append(row)
        }
      }
    }
    #expect(
      result.sensitivities.map(\.inWords) == [
        "limit: unchanged from 3 on", "carry: unchanged up to b",
        "none: makes no difference from x to y",
      ])
  }
}

extension SweepResult {
  /// Rows of so many wakes and nanoseconds behind.
  static func of(_ figures: [(wakes: Int, behind: Int128)]) -> SweepResult {
    let none = WakeCounts().spreads().all
    return SweepResult(
      parameters: ["number"],
      rows: figures.enumerated().map { place, figures in
        var row = Row(
          values: [String(place)], summary: .init(), waited: none, waitedUnlocked: none,
          behind: figures.behind, leastBehind: 0)
        row.summary.wakes = figures.wakes
        return row
      }, devicesInAll: 1, devices: 1, deviceDays: 1, curve: [], cost: .init())
  }
}
