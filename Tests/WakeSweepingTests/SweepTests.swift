import Testing
import WakeEvents
import WakeReplay
import WakeScheduling
import WakeTestSupport
import WakeTrace

@testable import WakeSweeping

@Suite("A sweep over policies")
struct SweepTests {
  @Test(
    "has in each row what a replay alone has, replayed or proved",
    arguments: RandomSeeds.orFirst(12))
  func rows(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 800)
    let scene = try SweepScene(random)
    let policies = random.variants(12)
    for (proves, threads) in [(true, 1), (false, 2)] {
      let result = try scene.sweep(policies) {
        $0.proves = proves
        $0.threads = threads
      }
      #expect(result.rows.count == policies.count)
      for (row, policy) in zip(result.rows, policies) {
        let alone = try scene.replay(policy)
        let what =
          "seed \(seed), row \(row.values), \(threads) threads, \(row.proof.debugDescription)"
        #expect(row.summary == alone.summary, "\(what)")
        let bounds = try #require(alone.bounds)
        #expect(row.behind == bounds.apps.reduce(0) { $0 + Int128($1.behind) }, "\(what)")
        #expect(row.leastBehind == bounds.apps.reduce(0) { $0 + Int128($1.leastBehind) }, "\(what)")
        for (name, value) in row.waited.named where name != "max" && name != "p95" {
          #expect(value == alone.staleness.percentiles[String(name.dropFirst())], "\(what)")
        }
        #expect(row.waited.maximum == alone.staleness.maximum, "\(what)")
        #expect(!proves || row.proof == nil || result.rows[row.proof?.row ?? 0].proof == nil)
      }
      #expect(result.cost.replayed == result.rows.count { $0.proof == nil })
    }
  }

  /// Pairs of a seed, so that 40 seeds make 2,000.
  private static let pairs = 50

  @Test(
    "proves of no pair of policies that it is the same if replays differ",
    arguments: RandomSeeds.orFirst(40))
  func proofs(seed: UInt64) throws {
    let random = RandomInputs(seed: seed &+ 5_000, count: 130)
    let scene = try SweepScene(random)
    let policies = random.variants(Self.pairs + 1)
    let replayed = try scene.sweep(policies) { $0.proves = false }
    let places = Dictionary(
      replayed.rows.enumerated().map { ($0.element.values, $0.offset) }, uniquingKeysWith: { $1 })
    #expect(places.count == policies.count)
    // Each pair by itself, so that each is compared from the first or the second.
    for place in 1..<policies.count {
      let pair = try scene.sweep([policies[place - 1], policies[place]])
      for (row, of) in zip(pair.rows, [place - 1, place]) {
        #expect(
          row.summary == replayed.rows[of].summary,
          "seed \(seed), row \(of): \(row.proof?.reasons ?? [])")
        #expect(row.behind == replayed.rows[of].behind, "seed \(seed), row \(of)")
      }
    }
  }

  @Test("sweeps a sample of the devices by their names")
  func sample() throws {
    let random = RandomInputs(seed: 3, count: 600)
    let scene = try SweepScene(random)
    for part in [0.1, 0.3, 0.6, 0.9] {
      let result = try scene.sweep([random.policy]) { $0.sample = part }
      let names = SweepScene.devices.filter { Sweep.isSampled(NameHash.device($0), part) }
      #expect(result.devices == names.count && result.devicesInAll == SweepScene.devices.count)
      var digest: UInt64 = 0
      for name in names {
        var options = ReplayOptions()
        options.policy = random.policy
        options.selection.devices = [ExactName(name)]
        digest &+= try Replayer(files: [scene.trace], options: options).run().digest.value
      }
      #expect(result.rows[0].summary.digest.value == digest, "\(part)")
    }
  }
}
