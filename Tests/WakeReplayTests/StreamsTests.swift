import Foundation
import Testing
import WakeEvents
import WakeReplay
import WakeScheduling
import WakeTestSupport

@testable import WakeTrace

@Suite("Streams that share devices replay as their merge")
struct StreamsTests {
  private static let devices = ["", "watch", "phone"]

  /// Writes a stream in blocks of few events, so that blocks of streams can lie between each other.
  private func write(
    _ events: [Event], symbols: Symbols, to path: String, eventsPerBlock: Int
  ) throws {
    let output = try FileOutput(path: path)
    let writer = try TraceWriter(
      output: output, symbols: symbols, level: 1, eventsPerBlock: eventsPerBlock)
    for event in PlainMerge.byDevice(events, inOrderOf: events) { try writer.append(event) }
    try writer.finish()
    try output.commit()
  }

  /// Splits events among streams, by chance.
  private func split(_ events: [Event], into count: Int, seed: UInt64) -> [[Event]] {
    var random = SplitMix64(seed: seed &+ 5)
    var streams = [[Event]](repeating: [], count: count)
    // In turns of uneven length, so that streams lie one after another here and mixed there.
    var turn = (stream: 0, left: 0)
    for event in events {
      if turn.left == 0 {
        turn = (random.below(count), 1 + random.below(random.pick([1, 5, 200])))
      }
      turn.left -= 1
      streams[turn.stream].append(event)
    }
    return streams.filter { !$0.isEmpty }
  }

  private func check(
    _ paths: [String], _ random: RandomInputs, _ passage: Passage, _ what: String
  ) throws {
    let events = try PlainMerge.events(of: paths, symbols: random.symbols)
    let reference = ReferenceScheduler.run(
      events: events, policy: random.policy, symbols: random.symbols)
    var first: Replayed?
    for threads in 1...3 {
      let replayed = try passage.replay(paths, random.policy, threads: threads)
      let difference = try replayed.difference(
        from: reference, random.symbols, unlike: first)
      first = first ?? replayed
      #expect(
        difference == nil,
        "seed \(random.seed), \(what), \(threads) threads: \(difference ?? "")")
    }
    let paced = try passage.replay(paths, random.policy) { $0.speed = .paced(1e15) }
    let difference = try paced.difference(
      from: reference, random.symbols, unlike: first)
    #expect(difference == nil, "seed \(random.seed), \(what), paced: \(difference ?? "")")
  }

  @Test("as several files, joined, and with their blocks mixed", arguments: RandomSeeds.orFirst(10))
  func merge(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 600)
    let passage = try Passage()
    let streams = split(random.spread(over: Self.devices), into: 3, seed: seed)
    var paths: [String] = []
    for (number, stream) in streams.enumerated() {
      paths.append(passage.folder.file("\(number).wtrace"))
      try write(
        stream, symbols: random.symbols, to: paths[number], eventsPerBlock: [7, 64, 1_000][number])
    }
    try check(paths, random, passage, "files")

    let joined = passage.folder.file("joined.wtrace")
    var bytes = Data()
    for path in paths { bytes += try Data(contentsOf: URL(filePath: path)) }
    try bytes.write(to: URL(filePath: joined))
    try check([joined], random, passage, "joined")

    var generator = SplitMix64(seed: seed)
    var blocks = try paths.map { try PlainMerge.blocks(of: $0)[...] }
    var mixed: [UInt8] = []
    while blocks.contains(where: { !$0.isEmpty }) {
      let stream = generator.below(blocks.count)
      if let block = blocks[stream].popFirst() { mixed += block }
    }
    try Data(mixed).write(to: URL(filePath: joined))
    try check([joined], random, passage, "mixed")
  }

  @Test("also where blocks only touch: the stream that appeared first goes first")
  func touchingBlocks() throws {
    let symbols = Symbols()
    let device = symbols.devices.intern("watch")
    let sources = ["first", "second"].map(symbols.sources.intern)
    let type = symbols.types.intern("T")
    func save(_ time: Int64, _ stream: Int) -> Event {
      Event(
        time: Timestamp(nanoseconds: time * 1_000_000_000), device: device,
        input: .save(Sample(type: type, source: sources[stream])))
    }
    let app = symbols.apps.intern("app")
    let enable = Event(
      time: Timestamp(nanoseconds: 0), device: device,
      input: .enable(app: app, type: type, frequency: .immediate))
    let lock = Event(
      time: Timestamp(nanoseconds: 30_000_000_000), device: device, input: .lock)
    let passage = try Passage()
    let paths = [passage.folder.file("0.wtrace"), passage.folder.file("1.wtrace")]
    // The lock of the first stream comes before the second's save of the same instant.
    try write(
      [enable, save(1, 0), lock, save(40, 0)], symbols: symbols, to: paths[0], eventsPerBlock: 2)
    try write([save(20, 1), save(30, 1)], symbols: symbols, to: paths[1], eventsPerBlock: 2)
    let blocks = try paths.map(PlainMerge.blocks)
    let joined = passage.folder.file("joined.wtrace")
    try Data(blocks[0][0] + blocks[1][0] + blocks[0][1]).write(to: URL(filePath: joined))

    // The app answers at once, so that only the lock keeps it from the last saves.
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 0
    let reference = ReferenceScheduler.run(
      events: [enable, save(1, 0), save(20, 1), lock, save(30, 1), save(40, 0)],
      policy: policy, symbols: symbols)
    #expect(reference.summary.wakes == 2)
    let difference = try passage.replay([joined], policy).difference(from: reference, symbols)
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test("also where only an earlier part, or a late one, says that they overlap", arguments: 0..<3)
  func mergeForAnyPart(kind: Int) throws {
    let symbols = Symbols()
    let device = symbols.devices.intern("watch")
    let source = symbols.sources.intern("s")
    let type = symbols.types.intern("T")
    func event(_ time: Int64, _ input: Input) -> Event {
      Event(time: Timestamp(nanoseconds: time * 1_000_000_000), device: device, input: input)
    }
    func save(_ time: Int64) -> Event { event(time, .save(Sample(type: type, source: source))) }
    func lock(_ time: Int64) -> Event { event(time, .lock) }
    let app = symbols.apps.intern("app")
    let enable = event(0, .enable(app: app, type: type, frequency: .immediate))
    // Each stream's events, how many a block, and in which order streams' blocks stand.
    let (streams, size, order): ([[Event]], Int, [Int]) = [
      ([[enable, save(1), lock(30)], [save(20)]], 3, [0, 1]),
      ([[enable, lock(30), save(5), save(6)], [save(20)]], 2, [0, 0, 1]),
      (
        [[enable, save(10)], [save(20), save(30), lock(40), save(41)], [save(30), save(40)]], 2,
        [0, 1, 2, 1]
      ),
    ][kind]
    let passage = try Passage()
    var blocks: [ArraySlice<[UInt8]>] = []
    for (number, stream) in streams.enumerated() {
      let path = passage.folder.file("\(number).wtrace")
      try write(stream, symbols: symbols, to: path, eventsPerBlock: size)
      blocks.append(try PlainMerge.blocks(of: path).map { Array($0) }[...])
    }
    var bytes: [UInt8] = []
    for stream in order { bytes += blocks[stream].popFirst() ?? [] }
    let joined = passage.folder.file("joined.wtrace")
    try Data(bytes).write(to: URL(filePath: joined))
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 0
    let events = try PlainMerge.events(of: [joined], symbols: symbols)
    let reference = ReferenceScheduler.run(events: events, policy: policy, symbols: symbols)
    for threads in 1...2 {
      let replay = try passage.replay([joined], policy, threads: threads)
      let difference = try replay.difference(from: reference, symbols)
      #expect(difference == nil, "\(kind): \(difference ?? "")")
    }
  }

  @Test("and damage in one of them is told once, with any number of threads")
  func damageIsToldOnce() throws {
    let random = RandomInputs(seed: 3, count: 900)
    let passage = try Passage()
    let streams = split(random.spread(over: Self.devices), into: 3, seed: 3)
    var bytes: [UInt8] = []
    var damaged: [Int64] = []
    for (number, stream) in streams.enumerated() {
      let path = passage.folder.file("\(number).wtrace")
      try write(stream, symbols: random.symbols, to: path, eventsPerBlock: 100)
      for (place, block) in try PlainMerge.blocks(of: path).enumerated() {
        var block = block
        if place == 1 {
          damaged.append(Int64(bytes.count))
          block[block.count / 2] ^= 0xFF
        }
        bytes += block
      }
    }
    let path = passage.folder.file("damaged.wtrace")
    try Data(bytes).write(to: URL(filePath: path))
    var summaries: Set<Summary> = []
    for threads in 1...3 {
      let replayed = try passage.replay([path], random.policy, threads: threads) {
        $0.keepsGoing = true
      }
      #expect(replayed.result.loss.damages.count == damaged.count, "\(threads) threads")
      for (damage, offset) in zip(replayed.result.loss.damages, damaged) {
        #expect(damage.file == path)
        #expect((damage.offset ?? -1) >= offset, "\(threads) threads: in the order of the file")
      }
      summaries.insert(replayed.result.summary)
    }
    #expect(summaries.count == 1, "the result does not depend on the threads")
  }
}
