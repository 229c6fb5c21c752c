import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("Verification")
struct VerificationTests {
  private let scratch: ScratchTrace
  private let random = RandomInputs(seed: 11, count: 1_000)

  init() throws {
    scratch = try ScratchTrace()
  }

  private func trace(eventsPerBlock: Int = 100) throws -> MemoryOutput {
    try TraceMaking.trace(
      of: random.events, symbols: random.symbols, eventsPerBlock: eventsPerBlock)
  }

  @Test("counts what is in a trace, and finds nothing wrong", arguments: UInt64(20)..<30)
  func whole(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 1_000)
    let trace = try TraceMaking.trace(
      of: random.events, symbols: random.symbols, sorted: seed.isMultiple(of: 2),
      eventsPerBlock: 70)
    let found = try scratch.verify(trace.bytes)
    #expect(found.isWhole && found.problems.isEmpty, "seed \(seed): \(found.problems)")
    #expect(found.bytes == Int64(trace.bytes.count) && found.strayBytes == 0)
    #expect(found.events == 1_000 && found.faultyBlocks == 0 && found.streams == 1)
    #expect(found.blocks >= 1_000 / 70)
  }

  @Test("knows joined traces, and tells what was lost in recording")
  func joined() throws {
    var joined = try trace().bytes
    let other = try TraceMaking.trace(
      of: Array(RandomInputs(seed: 12, count: 50).events),
      symbols: RandomInputs(seed: 12, count: 50).symbols)
    for (index, member) in other.members.enumerated() {
      var forged = try ForgedMember(member)
      forged.header.lostBefore = 17
      joined += try forged.bytes()
      if index == 0 { #expect(forged.header.role == .scheduling) }
    }
    let found = try scratch.verify(joined)
    #expect(found.isWhole, "\(found.problems)")
    #expect(found.streams == 2 && found.events == 1_050 && found.lostEvents == 17)
  }

  @Test("finds blocks that are missing, twice or misplaced")
  func sequences() throws {
    let blocks = try trace().blocks()
    try #require(blocks.count >= 9)
    func codes(_ order: [Int]) throws -> [TraceError] {
      try scratch.verify(order.flatMap { blocks[$0] }).problems
    }
    let all = Array(blocks.indices)
    #expect(try codes(all) == [])

    let gap = try codes([0, 1, 5, 6])
    #expect(gap.map(\.code) == [.missingBlocks])
    #expect(gap.first?.offset == Int64(blocks[0].count + blocks[1].count))
    #expect(gap.first?.message.contains("blocks 2 to 4 of") == true, "\(gap)")

    let start = try codes([1, 2])
    #expect(start.map(\.code) == [.missingBlocks] && start.first?.offset == 0, "\(start)")

    let twice = try codes([0, 1, 2, 1, 3])
    #expect(twice.map(\.code) == [.repeatedBlock], "\(twice)")
    #expect(twice.first?.offset == Int64(blocks[0...2].map(\.count).reduce(0, +)))

    let misplaced = try codes([4, 5, 6, 0, 1, 2, 3])
    #expect(misplaced.map(\.code) == [.misplacedBlock], "\(misplaced)")
    let mixed = try codes([0, 2, 1, 7, 5, 3])
    #expect(
      mixed.map(\.code)
        == [.misplacedBlock, .missingBlocks, .missingBlocks, .misplacedBlock, .misplacedBlock]
        || Set(mixed.map(\.code)) == [.misplacedBlock, .missingBlocks], "\(mixed)")
    // Missing are 4 and 6.
    #expect(mixed.count { $0.code == .missingBlocks } == 2, "\(mixed)")

    // Any order at all: as many are missing as are, and nothing traps.
    var generator = SplitMix64(seed: 3)
    for _ in 0..<50 {
      let order = all.filter { _ in generator.chance(60) }
      var shuffled = order
      for place in shuffled.indices { shuffled.swapAt(place, generator.below(shuffled.count)) }
      let found = try codes(shuffled + [blocks.count - 1])
      let lost = Set(all).subtracting(order).subtracting([blocks.count - 1])
      let gaps = lost.filter { !lost.contains($0 - 1) }.count
      #expect(found.count { $0.code == .missingBlocks } == gaps, "\(shuffled): \(found)")
    }
  }

  @Test("bears sequences and losses that no recording has")
  func hugeNumbers() throws {
    let members = try trace().members.prefix(1) + trace().members.prefix(1)
    var bytes: [UInt8] = []
    for member in members {
      var forged = try ForgedMember(member)
      forged.header.flags.remove(.hasDetails)
      forged.header.sequence = .max
      forged.header.lostBefore = .max
      bytes += try forged.bytes()
    }
    let found = try scratch.verify(bytes)
    #expect(found.lostEvents == .max)
    #expect(found.problems.map(\.code) == [.missingBlocks, .repeatedBlock], "\(found.problems)")
  }

  @Test("holds headers against events")
  func contradictions() throws {
    let trace = try trace()
    let blocks = try trace.blocks()
    let lies: [(String, (inout BlockHeader) -> Void)] = [
      ("times are sorted", { $0.flags.formSymmetricDifference(.timesSorted) }),
      ("samples only", { $0.flags.formSymmetricDifference(.samplesOnly) }),
      ("predicate", { $0.flags.formSymmetricDifference(.startsPredicate) }),
      ("types are too many", { $0.flags.formSymmetricDifference(.typesUnlisted) }),
      ("other types", { $0.types.append(BlockHeader.TypeCount(typeHash: 1, events: 1)) }),
      ("other types", { $0.types[0].events += 1 }),
      ("runs differ", { $0.runs[0].deviceHash ^= 1 }),
      ("details of the block", { $0.latest += 1 }),
      ("details of the block", { $0.earliest -= 1 }),
      ("details of the block", { $0.stream ^= 1 }),
      ("details of the block", { $0.lostBefore += 1 }),
    ]
    for (message, lie) in lies {
      var forged = try ForgedMember(trace.members[0])
      lie(&forged.header)
      let rest = blocks[0].dropFirst(trace.members[0].count)
      let found = try scratch.verify(try forged.bytes() + rest + blocks[1])
      let messages = found.problems.map(\.message)
      #expect(messages.contains { $0.contains(message) }, "\(message): \(messages)")
      #expect(found.problems.allSatisfy { $0.code == .malformed || $0.code == .missingBlocks })
      #expect(found.events > 0, "the next block is read")
    }
  }

  @Test("reads no block that starts a query with a predicate and does not say so")
  func hiddenPredicate() throws {
    let member = try #require(
      try trace().members.first {
        let header = try ForgedMember($0).header
        return header.role == .scheduling && header.flags.contains(.startsPredicate)
      })
    var forged = try ForgedMember(member)
    forged.header.flags.subtract([.startsPredicate, .hasDetails])
    let bytes = try forged.bytes()
    // As a replay does, which reads sources only for predicates.
    #expect {
      try BlockDecoder(symbols: Symbols()).decode(scheduling: bytes, details: [])
    } throws: {
      "\($0)".contains("but its header lacks that flag")
    }
  }

  @Test("goes on behind damage and tells all of it")
  func damage() throws {
    let trace = try trace()
    let members = trace.members
    let starts = members.indices.map { members[..<$0].map(\.count).reduce(0, +) }
    // Members 0 and 1 are a block and its details.
    try #require(try ForgedMember(members[1]).header.role == .details)
    var bytes = trace.bytes
    bytes[starts[1] - 12] ^= 0x40
    bytes[starts[2] - 12] ^= 0x40
    bytes[starts[4] + 20] ^= 1
    bytes += Array("here ends the trace, or not".utf8)
    let found = try scratch.verify(bytes)
    #expect(found.faultyBlocks == 1)
    #expect(found.problemCount == found.problems.count)
    let places = found.problems.filter { $0.code != .missingBlocks }.map(\.offset)
    #expect(places.starts(with: [0, Int64(starts[1]), Int64(starts[4])]), "\(found.problems)")
    #expect(found.problems.last?.offset == Int64(trace.bytes.count), "\(found.problems)")
    #expect(found.problems.last?.code == .notATrace)
    #expect(found.strayBytes >= 27 && found.strayBytes < 27 + Int64(2 * members[4].count + 4_000))
    #expect(found.events > 700 && found.events < 1_000)
  }

  @Test("keeps a bounded number of problems")
  func bounded() throws {
    let symbols = Symbols()
    let lock = Event(
      time: Timestamp(nanoseconds: 0), device: symbols.devices.intern(""), input: .lock)
    var forged = try ForgedMember(
      try TraceMaking.trace(of: [lock], symbols: symbols).members[0])
    var bytes: [UInt8] = []
    for number in 0..<2_100 {
      forged.header.sequence = UInt32(2 * number + 1)
      bytes += try forged.bytes()
    }
    let found = try scratch.verify(bytes)
    #expect(found.problemCount == 2_100, "\(found.problems.prefix(2))")
    #expect(found.problems.count == TraceVerification.problemsKept)
    #expect(found.events == 2_100)
  }
}
