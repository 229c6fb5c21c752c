import Testing
import WakeEvents
import WakeReplay
import WakeScheduling
import WakeTestSupport

@Suite("Replays of traces and the reference scheduler on random inputs")
struct FilesDifferentialTests {
  private static let devices = ["", "watch", "phone", "pad/2"]

  @Test("agree, with any number of threads", arguments: RandomSeeds.orFirst(15))
  func agree(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 1_000)
    let events = random.spread(over: Self.devices)
    let reference = ReferenceScheduler.run(
      events: events, policy: random.policy, symbols: random.symbols)
    let passage = try Passage()
    let trace = try passage.importing(events, symbols: random.symbols)
    var first: Replayed?
    for threads in 1...3 {
      let replayed = try passage.replay([trace], random.policy, threads: threads)
      let difference = try replayed.difference(
        from: reference, random.symbols, unlike: first)
      first = first ?? replayed
      #expect(difference == nil, "seed \(seed), \(threads) threads: \(difference ?? "")")
      #expect(replayed.result.devices == Self.devices.count, "seed \(seed)")
    }
  }

  @Test("agree when paced", arguments: RandomSeeds.orFirst(5))
  func agreePaced(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 1_000)
    let events = random.spread(over: Self.devices)
    let reference = ReferenceScheduler.run(
      events: events, policy: random.policy, symbols: random.symbols)
    let passage = try Passage()
    let trace = try passage.importing(events, symbols: random.symbols)
    let replayed = try passage.replay([trace], random.policy) { $0.speed = .paced(1e15) }
    let difference = try replayed.difference(from: reference, random.symbols)
    #expect(difference == nil, "seed \(seed): \(difference ?? "")")
    #expect(replayed.result.pacing?.speed == 1e15, "seed \(seed)")
    #expect(replayed.result.latency.count == events.count, "seed \(seed): each event is measured")
  }

  @Test("agree after the import has sorted", arguments: RandomSeeds.orFirst(5))
  func agreeSorted(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 1_000)
    let events = random.spread(over: Self.devices)
    let sorted = events.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }.map(\.element)
    let passage = try Passage()
    let trace = try passage.importing(events, symbols: random.symbols, sorted: true)
    // Devices keep the order of their first appearance before sorting.
    let inOrder = PlainMerge.byDevice(sorted, inOrderOf: events)
    let replayed = try passage.replay([trace], random.policy)
    let difference = try replayed.difference(
      from: ReferenceScheduler.run(
        events: inOrder, policy: random.policy, symbols: random.symbols), random.symbols)
    #expect(difference == nil, "seed \(seed): \(difference ?? "")")
  }
}
