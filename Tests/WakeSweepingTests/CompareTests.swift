import Testing
import WakeEvents
import WakeReplay
import WakeScheduling
import WakeTestSupport
import WakeTrace

@testable import WakeSweeping

@Suite("Comparisons")
struct CompareTests {
  @Test(
    "of two policies count each wake of both once, and agree with the replays",
    arguments: RandomSeeds.orFirst(8))
  func policies(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 800)
    let scene = try SweepScene(random)
    let policies = random.variants(4)
    for other in policies {
      let compared = try PolicyComparison(
        files: [scene.trace], random.policy, against: other, threads: 2, accelerations: .all)
      let (one, two) = (try scene.replay(random.policy), try scene.replay(other))
      #expect(compared.digests == (one.digest, two.digest))
      #expect(compared.isSame == (one.digest == two.digest), "seed \(seed)")
      let counts = compared.all
      #expect(counts.first == one.summary.wakes && counts.second == two.summary.wakes)
      let both = counts.same + counts.changed + counts.earlier + counts.later
      #expect(both + counts.missing == counts.first && both + counts.extra == counts.second)
      #expect(compared.apps.reduce(0) { $0 + $1.counts.same } == counts.same)
      #expect(compared.examples.isEmpty == compared.isSame)
    }
  }

  @Test("of captures take the hours for which an app has a subscription, by day")
  func captures() throws {
    let random = RandomInputs(seed: 11, count: 900)
    let scene = try SweepScene(random)
    let days = try SubscribedDays([scene.trace], random.policy, .all)
    let alone = try scene.replay(random.policy)
    #expect(days.digest == alone.digest && days.inputs == alone.summary.inputs)
    // A wake of an app without a subscription, for a push, is in no day, but counted.
    let wakes = days.days.values.flatMap(\.runs).reduce(0) { $0 + $1.wakes }
    let outside = days.outside.values.reduce(0, +)
    #expect(wakes > 0 && outside > 0 && wakes + outside == alone.summary.wakes)
    #expect(
      days.days.values.flatMap(\.runs).allSatisfy {
        (1...86_400_000_000_000).contains($0.subscribed)
      })
    let same = try CaptureComparison(scene.trace, scene.trace, random.policy, accelerations: .all)
    for rate in same.apps.flatMap(\.rates) {
      #expect(rate.rate.verdict == .cannotTell && (rate.rate.ratio ?? 1) == 1)
    }
  }

  @Test("of captures keep the sums of many days in bounded memory")
  func manyDays() {
    var sums = DaySums()
    let days = 100_003
    for day in 0..<days {
      sums.append(.init(subscribed: 2, wakes: day % 7, expired: day % 5, saves: day % 3))
      if day == DaySums.mostRuns - 1 { #expect(sums.runs.count == DaySums.mostRuns) }
    }
    #expect(sums.days == days && sums.runs.count <= DaySums.mostRuns)
    #expect(sums.runs.count > DaySums.mostRuns / 2)
    // All runs but the last are of equally many days.
    #expect(Set(sums.runs.dropLast().map(\.subscribed)) == [32])
    #expect(sums.runs.reduce(0) { $0 + $1.subscribed } == Int64(2 * days))
    #expect(sums.runs.reduce(0) { $0 + $1.wakes } == (0..<days).reduce(0) { $0 + $1 % 7 })
    #expect(sums.runs.reduce(0) { $0 + $1.expired } == (0..<days).reduce(0) { $0 + $1 % 5 })
    #expect(sums.runs.reduce(0) { $0 + $1.saves } == (0..<days).reduce(0) { $0 + $1 % 3 })
  }

  @Test("tell more, fewer or that they cannot tell, the same each time")
  func ratios() {
    var random = SplitMix64(seed: 5)
    func days(_ rate: Int, _ count: Int) -> [(count: Int, hours: Double)] {
      (0..<count).map { _ in (rate * 20 + random.below(9), 20 + Double(random.below(5))) }
    }
    let (slow, fast) = (days(3, 40), days(4, 30))
    let more = RateRatio(slow, fast)
    #expect(more.verdict == .more && RateRatio(fast, slow).verdict == .fewer)
    #expect(more.interval?.contains(more.ratio ?? 0) == true && more == RateRatio(slow, fast))
    #expect(RateRatio(slow, days(3, 40)).verdict == .cannotTell)
    // Too little to tell.
    #expect(RateRatio([(5, 10)], fast).interval == nil)
    #expect(RateRatio([(0, 10), (0, 10)], fast).ratio == nil)
    #expect(RateRatio([], fast).verdict == .cannotTell)
    #expect(RateRatio([(0, 24), (1, 24), (0, 24)], [(9, 24), (9, 24)]).verdict == .cannotTell)
  }

  @Test("call a rate that rises from nothing if it is many, and as one that falls to it")
  func rare() {
    /// Days of 24 hours, the first `counted` with a count.
    func days(_ counted: Int, of all: Int = 100, count: Int = 1) -> [(count: Int, hours: Double)] {
      (0..<all).map { ($0 < counted ? count : 0, 24) }
    }
    func verdicts(_ one: [(count: Int, hours: Double)], _ other: [(count: Int, hours: Double)])
      -> [RateRatio.Verdict]
    {
      [RateRatio(one, other).verdict, RateRatio(other, one).verdict]
    }
    let none = days(0)
    #expect(verdicts(none, days(60)) == [.more, .fewer])
    #expect(RateRatio(none, days(60)).ratio == nil && RateRatio(days(60), none).ratio == 0)
    #expect(RateRatio(none, days(60)).interval == nil && RateRatio(days(60), none).interval == nil)
    // Six of as many days is the least of which the chance is below 2.5 %: 0.5^6.
    for few in 0...5 { #expect(verdicts(none, days(few)) == [.cannotTell, .cannotTell]) }
    #expect(verdicts(none, days(6)) == [.more, .fewer])
    // Hours count: a tenth of them on the side without a count says little.
    #expect(verdicts(days(0, of: 10), days(20)) == [.cannotTell, .cannotTell])
    #expect(verdicts(days(0, of: 10), days(60)) == [.more, .fewer])
    // Many on one day are one day.
    #expect(verdicts(none, days(1, count: 500)) == [.cannotTell, .cannotTell])
    // Nearly none is treated alike.
    #expect(verdicts(days(2), days(90)) == [.more, .fewer])
    #expect(verdicts(days(2), days(6)) == [.cannotTell, .cannotTell])
    let rising = RateRatio(days(2), days(90))
    #expect(rising.interval?.upperBound == .infinity)
    #expect((rising.interval?.lowerBound ?? 0) > 10 && rising.ratio?.rounded() == 45)
    // Frequent days with little do not make more of what is less in all.
    #expect(verdicts(days(2, count: 1_000), days(90)).contains(.more) == false)
  }

  @Test("call alike rates of rare events rarely, whichever side has more of them")
  func alarms() {
    var random = SplitMix64(seed: 8)
    var (more, fewer) = (0, 0)
    for _ in 0..<200 {
      func days() -> [(count: Int, hours: Double)] {
        (0..<60).map { _ in (random.below(30) == 0 ? 1 : 0, 24) }
      }
      switch RateRatio(days(), days()).verdict {
      case .more: more += 1
      case .fewer: fewer += 1
      case .cannotTell: break
      }
    }
    #expect(more + fewer <= 12, "\(more) more and \(fewer) fewer of 200")
  }
}
