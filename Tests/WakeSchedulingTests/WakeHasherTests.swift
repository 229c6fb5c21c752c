import CKernels
import Kernels
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeScheduling

@Suite("Hashes of wakes")
struct WakeHasherTests {
  /// The hash of a wake, one field after the other (rules, 7).
  private static func hash(_ wake: WakeRecord, device: UInt64) -> UInt64 {
    var hash = WakeHash()
    hash.combine(device)
    for field in [
      UInt64(wake.number), UInt64(bitPattern: wake.time), wake.app, wake.types, UInt64(wake.saves),
      UInt64(bitPattern: wake.oldest), wake.push, wake.refresh, wake.outcome,
      UInt64(bitPattern: wake.end),
    ] { hash.combine(field) }
    return hash.value
  }

  private static func wake(of app: UInt64, using random: inout SplitMix64) -> WakeRecord {
    let time = Int64(bitPattern: random.next()) / 4
    var wake = WakeRecord(
      number: random.below(1 << 40), time: time, app: app, types: random.next(),
      saves: random.below(900), oldest: random.chance(50) ? time : 0,
      push: random.chance(20) ? random.next() : 0, refresh: random.chance(30) ? 1 : 0)
    wake.end(random.pick(WakeOutcome.allCases), at: random.chance(80) ? time : nil)
    return wake
  }

  @Test("have as many fields and lanes as the kernels read")
  func lengths() {
    #expect(MemoryLayout<WakeHasher.HashedWake>.stride == 8 * KERNELS_WAKE_FIELDS)
    #expect(WakeHasher.Lanes.count == WakeHasher.lanes)
    #expect(
      MemoryLayout<WakeHasher.HashedCohort>.stride == MemoryLayout<kernels_cohort_wakes>.stride)
  }

  @Test(
    "add up to what they are one by one, of apps alone and in cohorts",
    arguments: ProcessorPath.available)
  func sums(path: ProcessorPath) {
    for seed in 0..<50 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let device = random.next()
      var hasher = WakeHasher(isShared: seed % 2 == 0)
      let start = WakeHasher.start(device: device)
      hasher.path = path
      var apps = UncheckedArray<AppState>()
      for app in 0..<40 {
        apps.append(
          AppState(symbol: App(index: UInt32(app)), nameHash: random.next()))
      }
      let names = apps.indices.map { apps[$0].wake.app }
      var expected: UInt64 = 0
      for number in 0..<random.below(60) {
        let count = random.chance(50) ? 1 : 1 + random.below(20)
        let leader = random.below(apps.count - count)
        apps[leader].cohort = count
        apps[leader].wake = Self.wake(of: apps[leader].wake.app, using: &random)
        let inLanes = random.chance(80)
        hasher.add(apps, leader: leader, names: names, start: start, inLanes: inLanes)
        for place in 0..<count {
          var wake = apps[leader].wake
          wake.number += place
          wake.app = apps[leader + place].wake.app
          expected &+= Self.hash(wake, device: device)
        }
        if random.chance(10) {
          #expect(hasher.takeDigest() == expected, "seed \(seed), after wakes \(number)")
          expected = 0
        }
      }
      #expect(hasher.takeDigest() == expected, "seed \(seed)")
      #expect(hasher.takeDigest() == 0, "seed \(seed)")
    }
  }

  @Test("of devices that share one are what those of each are", arguments: ProcessorPath.available)
  func sharing(path: ProcessorPath) {
    for seed in 0..<20 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var apps = UncheckedArray<AppState>()
      for app in 0..<20 {
        apps.append(
          AppState(symbol: App(index: UInt32(app)), nameHash: random.next()))
      }
      let names = apps.indices.map { apps[$0].wake.app }
      let devices = (0..<3).map { _ in random.next() }
      var shared = WakeHasher()
      shared.path = path
      var expected: UInt64 = 0
      for _ in 0..<random.below(60) {
        let device = random.pick(devices)
        let count = random.chance(70) ? 1 : 1 + random.below(12)
        apps[0].cohort = count
        apps[0].wake = Self.wake(of: apps[0].wake.app, using: &random)
        shared.add(
          apps, leader: 0, names: names, start: WakeHasher.start(device: device), inLanes: true)
        for place in 0..<count {
          var wake = apps[0].wake
          wake.number += place
          wake.app = apps[place].wake.app
          expected &+= Self.hash(wake, device: device)
        }
      }
      #expect(shared.takeDigest() == expected, "seed \(seed)")
      #expect(shared.takeDigest() == 0, "seed \(seed), once more")
    }
  }

  @Test("a subscription, of which each wake touches some, is as long as a line of cache")
  func subscriptionIsALine() {
    #expect(MemoryLayout<SubscriptionState>.stride == 64)
  }
}
