import Foundation
import Testing
import WakeEvents
import WakeReplay
import WakeScheduling
import WakeTestSupport

@testable import WakeTrace

@Suite("Skipping quiet blocks changes nothing")
struct SkippingTests {
  /// Random inputs with bursts of saves and deletes among them.
  private func burstingScene(seed: UInt64) -> SkippingScene {
    let given = RandomInputs(seed: seed, count: 400)
    let events = given.spread(over: seed.isMultiple(of: 3) ? ["", "watch"] : ["watch"])
    var random = SplitMix64(seed: seed &+ 991)
    var scene = SkippingScene(symbols: given.symbols)
    scene.policy = given.policy
    let types = (0..<UInt32(given.symbols.types.count)).map { SampleType(index: $0) }
    let source = given.symbols.sources.intern("burst")
    var latest: [Device: Int64] = [:]
    for event in events {
      scene.events.append(event)
      let present = max(event.time.nanoseconds, latest[event.device] ?? .min)
      latest[event.device] = present
      guard random.chance(8) else { continue }
      // Most bursts lie close together; in some, timers go off.
      let step = random.pick([0, 1, 1_000, 1_000_000, 3_000_000_000])
      let few = (0..<(1 + random.below(3))).map { _ in random.pick(types) }
      var time = present
      for _ in 0..<random.below(80) {
        time = min(time + Int64(random.below(step + 1)), Timestamp.validRange.upperBound)
        let type = random.pick(few)
        let input: Input =
          random.chance(10)
          ? .delete(type: type, source: source) : .save(Sample(type: type, source: source))
        scene.events.append(
          Event(time: Timestamp(nanoseconds: time), device: event.device, input: input))
      }
      latest[event.device] = time
    }
    return scene
  }

  @Test("of bounds, for which blocks with what arrives are decoded", arguments: [false, true])
  func bounds(isSubscribed: Bool) throws {
    var skippedAny = false
    for seed in 0..<6 as Range<UInt64> {
      var scene = burstingScene(seed: seed)
      if !isSubscribed { scene.addSaves(40, of: "nobody's", from: 3.9e9) }
      let (difference, skipped) = try scene.compare(eventsPerBlock: 8) { $0.bounds = .init() }
      #expect(difference == nil, "seed \(seed): \(difference ?? "")")
      skippedAny = skippedAny || skipped.blocks > 0
    }
    #expect(skippedAny || isSubscribed, "nothing was skipped")
  }

  @Test("on random inputs and policies")
  func random() throws {
    var withSkips = 0
    let seeds = RandomSeeds.orFirst(12)
    for seed in seeds {
      let eventsPerBlock = [3, 8, 25][Int(seed % 3)]
      let scene = burstingScene(seed: seed)
      let (difference, skipped) = try scene.compare(eventsPerBlock: eventsPerBlock)
      #expect(difference == nil, "seed \(seed): \(difference ?? "")")
      if skipped.blocks > 5 { withSkips += 1 }
    }
    #expect(withSkips * 2 >= seeds.count, "\(withSkips) of \(seeds.count) runs skipped blocks")
  }

  /// Replays a scene in blocks of four, which must skip so many.
  private func expect(
    _ blocks: Int, of scene: SkippingScene, _ what: String = "",
    at place: SourceLocation = #_sourceLocation,
    change: (inout ReplayOptions) -> Void = { _ in }
  ) throws {
    let (difference, skipped) = try scene.compare(eventsPerBlock: 4, change: change)
    #expect(difference == nil, "\(what): \(difference ?? "")", sourceLocation: place)
    #expect(skipped.blocks == blocks, "\(what)", sourceLocation: place)
    #expect(skipped.events == blocks * 4, "\(what)", sourceLocation: place)
  }

  @Test("where nobody subscribes: all but a device's first block are skipped")
  func nobody() throws {
    var scene = SkippingScene()
    scene.addSaves(40, of: "T", from: 0)
    try expect(9, of: scene)
    // A block of two devices is scheduled; behind it the second device is known.
    scene.device = scene.symbols.devices.intern("phone")
    scene.addSaves(42, of: "T", from: 0)
    scene.events.removeFirst(2)
    try expect(8 + 10, of: scene)
  }

  @Test("where a save would be the first pending one, blocks are decoded; where it is not, skipped")
  func attention() throws {
    var scene = SkippingScene()
    scene.add(0, scene.enable("T", .hourly))
    scene.addSaves(3, of: "T", from: 1)
    scene.add(2, .complete(app: scene.app(), item: .everything, result: nil))
    scene.addSaves(3, of: "T", from: 3)
    // Something is pending since 3 s, for an hour.
    scene.addSaves(8, of: "T", from: 10)
    scene.addSaves(8, of: "U", from: 20)
    scene.addSaves(4, of: "T", from: 4_000)
    try expect(4, of: scene)
  }

  @Test("up to the last nanosecond before a timer", arguments: [-1, 0, 1] as [Int64])
  func timers(offset: Int64) throws {
    var scene = SkippingScene()
    scene.policy.maxStrikes = 1
    scene.add(0, scene.enable("T"))
    scene.addSaves(3, of: "T", from: 0)
    // The wake of 0 s ends at 30 s.
    scene.addSaves(3, of: "U", from: 29)
    scene.events.append(
      Event(
        time: Timestamp(nanoseconds: 30_000_000_000 + offset), device: scene.device,
        input: scene.save("U")))
    try expect(offset < 0 ? 1 : 0, of: scene, "\(offset)")
  }

  @Test("where no event is late", arguments: [-1, 0, 1] as [Int64])
  func late(offset: Int64) throws {
    var scene = SkippingScene()
    scene.addSaves(4, of: "T", from: 1, apart: 0)
    scene.events.append(
      Event(
        time: Timestamp(nanoseconds: 1_000_000_000 + offset), device: scene.device,
        input: scene.save("T")))
    scene.addSaves(3, of: "T", from: 2)
    try expect(offset < 0 ? 0 : 1, of: scene, "\(offset)")
    // Times that fall within the block.
    var unsorted = SkippingScene()
    for second in [0.0, 1, 2, 3, 4, 6, 5, 7] { unsorted.add(second, unsorted.save("T")) }
    try expect(0, of: unsorted)
  }

  @Test("in the foreground, unless there are predicates")
  func foreground() throws {
    for isFiltered in [false, true] {
      var scene = SkippingScene()
      scene.add(0, scene.enable("T"))
      let type = scene.symbols.types.intern("T")
      scene.add(
        0,
        .execute(
          app: scene.app(), query: scene.symbols.queries.intern("q"), type: type,
          predicate: isFiltered ? Predicate(source: scene.symbols.sources.intern("S")) : nil))
      scene.add(0, .launch(app: scene.app()))
      scene.add(0, .unlock)
      scene.addSaves(8, of: "T", from: 1)
      scene.add(2, .delete(type: type, source: scene.symbols.sources.intern("S")))
      scene.addSaves(3, of: "T", from: 2)
      try expect(isFiltered ? 0 : 3, of: scene, "predicate: \(isFiltered)")
    }
  }

  @Test("before somebody subscribes to a type that only skipped blocks had")
  func laterSubscription() throws {
    var scene = SkippingScene()
    scene.policy.lockBlocksHealth = true
    scene.addSaves(4, of: "T", from: 0)
    scene.addSaves(8, of: "U", from: 1)
    scene.add(2, scene.enable("U"))
    scene.add(2, .lock)
    scene.addSaves(2, of: "U", from: 3)
    scene.addSaves(8, of: "U", from: 4)
    scene.add(5, .unlock)
    try expect(2 + 2, of: scene)
  }

  @Test("with a jump of more than a year, which is told of")
  func jump() throws {
    var scene = SkippingScene()
    scene.addSaves(4, of: "T", from: 0)
    scene.addSaves(2, of: "T", from: 1)
    scene.addSaves(2, of: "T", from: 366 * 86_400)
    scene.addSaves(4, of: "T", from: 366 * 86_400 + 1)
    scene.addSaves(4, of: "T", from: 2 * 366 * 86_400)
    try expect(1, of: scene)
  }

  @Test("with inputs left out")
  func selections() throws {
    var scene = SkippingScene()
    scene.add(0, scene.enable("T"))
    scene.addSaves(35, of: "T", from: 1, apart: 1_000)
    scene.addSaves(4, of: "U", from: 36)
    // Decoded are the first block, those that the times cut, and those between which a wake ends.
    for (from, to) in [(nil, nil), (9.5, nil), (nil, 20.5), (6.0, 14.0)] as [(Double?, Double?)] {
      let (difference, skipped) = try scene.compare(eventsPerBlock: 4) {
        $0.selection.from = from.map { Int64($0 * 1e9) }
        $0.selection.to = to.map { Int64($0 * 1e9) }
      }
      #expect(difference == nil, "\(String(describing: from)): \(difference ?? "")")
      #expect(skipped.blocks >= 1, "\(String(describing: from))")
    }
    try expect(0, of: scene, "of a type") { $0.selection.types = [ExactName("U")] }
    try expect(0, of: scene, "that keeps going") { $0.keepsGoing = true }
  }

  @Test("with streams that overlap in time, whose blocks are decoded")
  func streams() throws {
    let passage = try Passage()
    var paths: [String] = []
    let symbols = Symbols()
    for offset in [0.0, 0.0005] {
      var scene = SkippingScene(symbols: symbols)
      scene.addSaves(20, of: "T", from: offset)
      paths.append(passage.folder.file("\(paths.count).wtrace"))
      try scene.write(to: paths[paths.count - 1], eventsPerBlock: 4)
    }
    let (difference, skipped) = try SkippingScene.compare(paths, .iOS, passage)
    #expect(difference == nil, "\(difference ?? "")")
    #expect(skipped.blocks == 0)
  }

  @Test("and the speed is that of the events that were scheduled")
  func speed() throws {
    func speedLine(blocks: Int, skipping: Bool) throws -> String {
      var scene = SkippingScene()
      scene.addSaves(4 * blocks, of: "T", from: 0)
      let passage = try Passage()
      let path = passage.folder.file("scene.wtrace")
      try scene.write(to: path, eventsPerBlock: 4)
      let result = try passage.replay([path], .iOS) { $0.skipsQuiet = skipping }.result
      #expect((result.skipped?.events ?? 0) == (skipping ? 4 * (blocks - 1) : 0))
      return result.report.split(separator: "\n").first { $0.hasPrefix("Speed ") }.map(String.init)
        ?? ""
    }
    #expect(try speedLine(blocks: 10, skipping: true).contains("/s scheduled, "))
    #expect(try speedLine(blocks: 1, skipping: true).contains("/s in all, "))
    #expect(try speedLine(blocks: 10, skipping: false).contains("/s in all, "))
  }

  @Test("of which early writers told no deletes, or whose types are too many to be told")
  func untold() throws {
    var scene = SkippingScene()
    scene.addSaves(4, of: "T", from: 0)
    for number in 0...TraceLimits.typesListed {
      scene.add(1 + Double(number) / 1_000, scene.save("T\(number)"))
    }
    let many = try scene.compare(eventsPerBlock: 4 + TraceLimits.typesListed / 2)
    #expect(many.difference == nil && many.skipped.blocks == 1, "\(many)")
    let unlisted = try scene.compare(eventsPerBlock: 8_000)
    #expect(unlisted.difference == nil && unlisted.skipped.blocks == 0, "\(unlisted)")

    let passage = try Passage()
    let path = passage.folder.file("early.wtrace")
    scene.events.removeLast(TraceLimits.typesListed + 1 - 8)
    try scene.write(to: path, eventsPerBlock: 4)
    #expect(try SkippingScene.compare([path], .iOS, passage).skipped.blocks == 2)
    let early = try PlainMerge.blocks(of: path).flatMap { block -> [UInt8] in
      var block = block
      block[18] &= ~32
      let end = 16 + Int(block[14]) + Int(block[15]) << 8 - 4
      let check = Checksum.crc32(block, in: 16..<end)
      for byte in 0..<4 { block[end + byte] = UInt8(truncatingIfNeeded: check >> (8 * byte)) }
      return block
    }
    try Data(early).write(to: URL(filePath: path))
    let untold = try SkippingScene.compare([path], .iOS, passage)
    #expect(untold.difference == nil && untold.skipped.blocks == 0, "\(untold)")
  }
}
