import Testing
import WakeEvents
import WakeReplay
import WakeScheduling
import WakeTestSupport
import WakeTrace

@testable import WakeSweeping

@Suite("Diffs of wakes")
struct DiffTests {
  private let names = DiffNames()

  private func wake(_ time: Int64, _ types: [String] = ["T"], oldest: Int64? = nil) -> DiffWake {
    var wake = DiffWake(time: time, types: names.with { $0.types.number(of: types) })
    wake.oldest = oldest ?? DiffWake.unknown
    return wake
  }

  private func told(_ first: [DiffWake], _ second: [DiffWake], within: Int64 = 0) -> [String] {
    let alignment = WakeAlignment(first, second, within: within, names.with { $0.types })
    var (same, told) = (0, [String]())
    alignment.forEachPair { pair in
      let (what, fields) = alignment.difference(pair)
      let one = pair.first.map { first[$0].time } ?? 0
      let other = pair.second.map { second[$0].time } ?? 0
      switch what {
      case nil: same += 1
      case .otherItems, .otherDetails:
        told.append("changed \(one) \(other) \(fields.words.joined(separator: " "))")
      case .moved: told.append("moved \(one) \(other)")
      case .missing: told.append("missing \(one)")
      case .extra: told.append("extra \(other)")
      }
    }
    return ["same \(same)"] + told
  }

  @Test("pair the nearest within the tolerance, and what may have moved between pairs")
  func alignment() {
    let log = [wake(0), wake(9), wake(30), wake(50)]
    #expect(told(log, log) == ["same 4"])
    #expect(
      told(log, [wake(10), wake(31), wake(50)], within: 1) == ["same 3", "missing 0"])
    #expect(
      told(log, [wake(10), wake(31), wake(50)])
        == ["same 1", "moved 0 10", "moved 9 31", "missing 30"])
    // Nothing waited for both.
    #expect(
      told([wake(10, oldest: 5)], [wake(20, oldest: 15)]) == ["same 0", "missing 10", "extra 20"])
    #expect(told([wake(10, oldest: 5)], [wake(20, oldest: 5)]) == ["same 0", "moved 10 20"])
    // Other types are other wakes unless they share one.
    #expect(told([wake(10)], [wake(20, ["U"])]) == ["same 0", "missing 10", "extra 20"])
    #expect(told([wake(10)], [wake(20, ["U", "T"])]) == ["same 0", "moved 10 20"])
    #expect(told([wake(10)], [wake(10, ["U", "T"])]) == ["same 0", "changed 10 10 types"])
    #expect(told([], [wake(1)]) == ["same 0", "extra 1"])
    // A wake at the end of the tolerance is not taken by one that is further away.
    #expect(told([wake(0), wake(10)], [wake(10)], within: 10) == ["same 1", "missing 0"])
  }

  @Test("pair wakes at the same time, and those between them for which the same may have waited")
  func oldest() {
    func wakes(_ times: [(oldest: Int64, time: Int64)]) -> [DiffWake] {
      times.map { wake($0.time, oldest: $0.oldest) }
    }
    let first = wakes([(0, 10), (20, 30), (40, 50), (60, 60), (90, 95)])
    let second =
      wakes([(0, 10), (20, 35), (60, 60), (70, 71)]) + [wake(95, ["T", "U"], oldest: 90)]
    #expect(
      told(first, second)
        == ["same 2", "moved 30 35", "missing 50", "extra 71", "changed 95 95 types"])
  }

  @Test("pair what is the same at one instant, whatever its place there")
  func instants() {
    #expect(told([wake(10), wake(10, ["U"])], [wake(10, ["U"])]) == ["same 1", "missing 10"])
    #expect(told([wake(10, ["U"])], [wake(10), wake(10, ["U"])]) == ["same 1", "extra 10"])
    #expect(
      told([wake(10), wake(10, ["U"]), wake(12)], [wake(10, ["U"]), wake(10), wake(12)])
        == ["same 3"])
    // In the tolerance, too; the same items are nearer than others.
    #expect(
      told([wake(10), wake(11, ["U"])], [wake(10, ["U"]), wake(11)], within: 1) == ["same 2"])
    #expect(
      told([wake(10)], [wake(10, ["T", "U"]), wake(10, ["U"])])
        == ["same 0", "changed 10 10 types", "extra 10"])
    #expect(told([wake(10)], [wake(10, ["U"])]) == ["same 0", "changed 10 10 types"])
    // Details decide between equal items.
    var (one, other) = (wake(10, oldest: 4), wake(10, oldest: 7))
    (one.end, other.end) = (10, 11)
    #expect(told([one, other], [other]) == ["same 1", "missing 10"])
    #expect(told([one, other], [other, one], within: 2) == ["same 2"])
    // As do pushes.
    (one.push, other.push) = (1, 2)
    #expect(told([one, other], [other, one]) == ["same 2"])
    // A wake that tells less is equal to one that tells more.
    #expect(told([one, wake(10, ["U"])], [wake(10, ["U"]), wake(10)]) == ["same 2"])
    #expect(told([one], [other, wake(10)]) == ["same 1", "extra 10"])
    #expect(told([other, wake(10)], [one]) == ["same 1", "missing 10"])
  }

  @Test("find what moved although other wakes lie between, but no wake that carries the same")
  func unrelated() {
    #expect(
      told([wake(10, oldest: 10)], [wake(12, ["U"], oldest: 12), wake(15, oldest: 10)])
        == ["same 0", "moved 10 15", "extra 12"])
    #expect(
      told([wake(10), wake(12, ["U"])], [wake(12, ["U"]), wake(15)]) == ["same 1", "moved 10 15"])
    #expect(
      told([wake(10), wake(12)], [wake(12), wake(15)]) == ["same 1", "missing 10", "extra 15"])
    // The oldest save decides before the order, and the same items before an item in common.
    #expect(
      told([wake(10), wake(20, oldest: 9)], [wake(25, oldest: 9), wake(30)])
        == ["same 0", "moved 10 30", "moved 20 25"])
    #expect(
      told([wake(10)], [wake(15, ["T", "U"]), wake(20)]) == ["same 0", "moved 10 20", "extra 15"])
    #expect(
      told(
        [wake(10, ["U"], oldest: 10), wake(12, oldest: 12)], [wake(20, ["T", "U"], oldest: 10)])
        == ["same 0", "moved 10 20", "missing 12"])
    #expect(
      told(
        [wake(10, oldest: 10), wake(12, ["U"], oldest: 12)], [wake(20, ["T", "U"], oldest: 10)])
        == ["same 0", "moved 10 20", "missing 12"])
    // A wake elsewhere with the same items is nearer than one at the same time with none of them.
    #expect(
      told([wake(10)], [wake(10, ["U"]), wake(15)]) == ["same 0", "moved 10 15", "extra 10"])
    // A wake at the same time with an item in common is nearer than one elsewhere.
    #expect(
      told([wake(10)], [wake(10, ["T", "U"]), wake(15)])
        == ["same 0", "changed 10 10 types", "extra 15"])
    // Pushes of other ids are other wakes.
    var (one, other) = (wake(10, []), wake(12, []))
    (one.push, other.push) = (1, 2)
    var late = wake(15, [])
    late.push = 1
    #expect(told([one], [other, late]) == ["same 0", "moved 10 15", "extra 12"])
  }

  @Test("count each wake once, and swap with the sides", arguments: RandomSeeds.orFirst(40))
  func swapped(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    /// Wakes that all tell the same, or each something else.
    func log(isEven: Bool) -> [DiffWake] {
      var time: Int64 = 0
      let even = random.below(16)
      return (0..<random.below(60)).map { _ in
        let told = isEven ? even : random.below(16)
        time += Int64(random.below(4))
        var wake = wake(time, random.pick([["T"], ["U"], ["T", "U"], ["V"], []]))
        if told & 1 != 0 { wake.oldest = time - Int64(random.below(9)) }
        if told & 2 != 0 { wake.push = UInt64(random.below(3)) }
        if told & 4 != 0 { wake.refresh = Int8(random.below(2)) }
        if told & 8 != 0 { wake.saves = Int32(random.below(2)) }
        return wake
      }
    }
    for (within, isEven) in [(0, true), (0, false), (1, true), (5, false)] as [(Int64, Bool)] {
      let (one, other) = (log(isEven: isEven), log(isEven: isEven))
      let lines = told(one, other, within: within)
      let same = Int(lines[0].dropFirst(5)) ?? 0
      func count(_ what: String) -> Int { lines.count { $0.hasPrefix(what) } }
      let both = same + count("changed") + count("moved")
      #expect(both + count("missing") == one.count && both + count("extra") == other.count)
      #expect(told(one, one, within: within) == ["same \(one.count)"])
      let swapped = told(other, one, within: within)
      // The nearest of one side need not be that of the other; nor what is equal to two that differ.
      if within == 0, isEven { #expect(swapped[0] == lines[0], "seed \(seed)") }
    }
  }

  @Test("many wakes at one instant, or that all may be the same, take no time of their square")
  func many() {
    let count = 30_000
    let types = (0..<50).map { ["T\($0)"] }
    let one = (0..<count).map { wake(10, types[$0 % 50]) }
    #expect(told(one, one.reversed()) == ["same \(count)"])
    let spread = (0..<count).map { wake(Int64($0), types[$0 % 50]) }
    #expect(told(spread, spread.shuffledTimes(), within: 1_000_000).first == "same \(count)")
    let shared = (0..<count).map { wake(Int64($0), ["T", "U\($0 % 50)"]) }
    let others = (0..<count).map { wake(Int64($0 + count), ["T", "V\($0 % 50)"]) }
    #expect(told(shared, others).count == count + 1)
  }

  @Test("what is not told is equal; ends and firsts have the tolerance of times")
  func unknown() {
    var one = wake(10, oldest: 4)
    (one.saves, one.outcome, one.end, one.refresh, one.push) = (2, 1, 20, 0, 0)
    #expect(told([one], [wake(10)]) == ["same 1"])
    var other = one
    (other.end, other.oldest) = (21, 3)
    #expect(told([one], [other]) == ["same 0", "changed 10 10 oldest end"])
    #expect(told([one], [other], within: 1) == ["same 1"])
    other.outcome = 2
    other.push = 77
    #expect(told([one], [other], within: 1) == ["same 0", "changed 10 10 push outcome"])
    other.end = DiffWake.none
    #expect(told([one], [other], within: 1) == ["same 0", "changed 10 10 push outcome end"])
  }

  @Test(
    "of a random replay with what another policy does count each wake once, with reasons",
    arguments: RandomSeeds.orFirst(8))
  func policies(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 800)
    let scene = try SweepScene(random)
    for policy in random.variants(3) {
      let other = try scene.replay(policy)
      let sides = WakeDiff.sides(DiffSide.Selection())
      var observed = sides.1
      try fill(&observed, scene, policy)
      #expect(observed.count == other.summary.wakes)
      var options = ReplayOptions()
      options.policy = random.policy
      options.measuresLatency = false
      let diff = try WakeDiff(
        rules: sides.0, of: [scene.trace], options, observed: observed, within: 0, shown: nil)
      let counts = diff.all
      // Nothing is the same but what stands in both logs.
      #expect(counts.same == (try common(scene, random.policy, policy)), "seed \(seed)")
      let compared = try PolicyComparison(
        files: [scene.trace], random.policy, against: policy, threads: 1, accelerations: .all)
      #expect(compared.all == counts)
      let both = counts.same + counts.otherItems + counts.otherDetails + counts.moved
      let own = try scene.replay(random.policy)
      #expect(counts.first == own.summary.wakes && counts.second == other.summary.wakes)
      #expect(both + counts.missing == counts.first && both + counts.extra == counts.second)
      #expect(diff.differences.count == counts.different)
      #expect(diff.isSame == (own.digest == other.digest), "seed \(seed)")
      for difference in diff.differences where difference.what == .moved {
        let isEarlier =
          (difference.first?.time ?? .init(nanoseconds: 0))
          > (difference.second?.time ?? .init(nanoseconds: 0))
        #expect((difference.reasons != nil) == isEarlier)
      }
      let asked = diff.differences.compactMap(\.reasons)
      #expect(asked.count == counts.earlier + counts.extra)
      #expect(asked.count { $0.isEmpty } == diff.unwaited)
    }
  }

  /// How many lines the wake logs of two policies have in common.
  private func common(_ scene: SweepScene, _ one: Policy, _ other: Policy) throws -> Int {
    func lines(_ policy: Policy) throws -> [String: Int] {
      let wakes = try collect(scene, policy).wakes
      return Dictionary(
        wakes.map { ("\($0.device) \($0.wake.withoutNumber)", 1) }, uniquingKeysWith: +)
    }
    let (first, second) = (try lines(one), try lines(other))
    return first.reduce(0) { $0 + min($1.value, second[$1.key] ?? 0) }
  }

  private func collect(_ scene: SweepScene, _ policy: Policy) throws -> PlainCollector {
    var options = ReplayOptions()
    options.policy = policy
    options.measuresLatency = false
    let collector = PlainCollector()
    _ = try Replayer(files: [scene.trace], options: options).run(
      observer: collector, progress: nil)
    return collector
  }

  private func fill(_ side: inout DiffSide, _ scene: SweepScene, _ policy: Policy) throws {
    let collector = try collect(scene, policy)
    for wake in collector.wakes {
      side.append(
        DiffSide.Wake(
          time: wake.wake.time, types: wake.wake.types, saves: wake.wake.saves,
          oldest: .some(wake.wake.oldest), push: .some(wake.wake.push),
          refresh: wake.wake.refresh,
          outcome: Observation.Outcome(rawValue: wake.wake.outcome.rawValue - 1),
          end: .some(wake.wake.end)),
        device: collector.symbols?.devices.intern(wake.device) ?? Device(index: 0),
        app: wake.wake.app, collector.symbols ?? Symbols())
    }
  }
}

extension [DiffWake] {
  /// The same wakes with their times in the reverse order of their contents.
  fileprivate func shuffledTimes() -> [DiffWake] {
    zip(self, reversed()).map { time, wake in
      var wake = wake
      wake.time = time.time
      return wake
    }
  }
}

extension Wake {
  /// What a wake log tells of it, by symbols.
  fileprivate var withoutNumber: String {
    "\(time) \(app) \(types) \(saves) \(oldest as Any) \(push as Any) \(refresh) \(outcome) \(end as Any)"
  }
}

/// The wakes of a replay on one thread.
private final class PlainCollector: ReplayObserver, @unchecked Sendable {
  // Sendable: one thread replays.
  var wakes: [(device: String, wake: Wake)] = []
  var symbols: Symbols?

  func observer(ofDevice name: String, place: Int, _ symbols: Symbols) -> any DeviceObserver {
    self.symbols = symbols
    return OfDevice(self, name)
  }

  private final class OfDevice: DeviceObserver {
    let collector: PlainCollector
    let name: String

    init(_ collector: PlainCollector, _ name: String) {
      (self.collector, self.name) = (collector, name)
    }

    func take(_ phase: WaitPhase, _ wait: borrowing Wait) {}
    func end(_ wake: borrowing Wake) { collector.wakes.append((name, copy wake)) }
    func handOver(isLast: Bool) throws(TraceError) {}
  }
}
