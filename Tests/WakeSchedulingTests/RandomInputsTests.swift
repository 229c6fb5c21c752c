import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

@Suite("Random inputs")
struct RandomInputsTests {
  @Test("are the same for the same seed, and others for another")
  func repeats() {
    let (one, other) = (RandomInputs(seed: 7, count: 300), RandomInputs(seed: 7, count: 300))
    #expect(one.events == other.events && one.policy == other.policy)
    #expect(one.events != RandomInputs(seed: 8, count: 300).events)
  }

  @Test("come back from their text", arguments: 0..<20 as Range<UInt64>)
  func survivePrinting(seed: UInt64) throws {
    let given = RandomInputs(seed: seed, count: 300)
    #expect(
      try PolicyReader.policy(of: CasePrinter.policyText(given.policy)) == given.policy,
      "seed \(seed): \(CasePrinter.policyText(given.policy))")
    for event in given.events {
      let line = CasePrinter.line(event, symbols: given.symbols)
      let read = try EventReader.event(of: line, symbols: given.symbols)
      #expect(read == event, "seed \(seed): \(line)")
    }
  }

  @Test("come to every situation in which schedulers go wrong")
  func reachEverything() {
    let seeds = RandomSeeds.orFirst(30)
    var counts: [String: Int] = [:]
    for seed in seeds {
      let given = RandomInputs(seed: seed, count: seeds.count > 30 ? 2000 : 700)
      for device in given.events.devices {
        var reference = ReferenceScheduler(
          policy: given.policy, symbols: given.symbols, device: device)
        for event in given.events where event.device == device {
          reference.take(event.input, at: event.time)
        }
        let (_, summary) = reference.finish()
        for (key, path) in Summary.counts { counts[key, default: 0] += summary[keyPath: path] }
        counts["stoppedApps", default: 0] += summary.stoppedApps.count
        for happening in Happening.allCases {
          counts[happening.rawValue, default: 0] += reference.reached[happening, default: 0]
        }
      }
    }
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
      // What is left at the end comes at most once for an app, all else as often as inputs let it.
      let isAtEnd = ["open", "pushesHeldAtEnd", "stoppedApps"].contains(name)
      let least = isAtEnd ? seeds.count / 3 : seeds.count
      #expect(count >= least, "\(name) happened \(count) times in \(seeds.count) seeds")
    }
    if seeds.count > 30 {
      for (name, count) in counts.sorted(by: { $0.key < $1.key }) { print("\(name)\t\(count)") }
    }
  }
}
