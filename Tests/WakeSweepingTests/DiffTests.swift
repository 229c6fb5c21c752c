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
    let alignment = DiffAlignment(first, second, within: within, names.with { $0.types })
    return ["same \(alignment.same)"]
      + alignment.differences.map { difference in
        switch difference {
        case .changed(let one, let other, let fields):
          "changed \(one.time) \(other.time) \(fields.words.joined(separator: " "))"
        case .moved(let one, let other, _): "moved \(one.time) \(other.time)"
        case .missing(let one): "missing \(one.time)"
        case .extra(let other): "extra \(other.time)"
        }
      }
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

  private func fill(_ side: inout DiffSide, _ scene: SweepScene, _ policy: Policy) throws {
    var options = ReplayOptions()
    options.policy = policy
    options.measuresLatency = false
    let collector = PlainCollector()
    _ = try Replayer(files: [scene.trace], options: options).run(
      observer: collector, progress: nil)
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
