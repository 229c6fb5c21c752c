import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("Damage")
struct DamageTests {
  private let symbols: Symbols
  private let scratch: ScratchTrace
  /// Blocks of five events, with the events of each.
  private let blocks: [[UInt8]]
  private let events: [[Event]]

  init() throws {
    let random = RandomInputs(seed: 5, count: 20)
    symbols = random.symbols
    scratch = try ScratchTrace()
    blocks = try TraceMaking.trace(of: random.events, symbols: symbols, eventsPerBlock: 5).blocks()
    var events: [[Event]] = []
    for block in blocks {
      events.append(try scratch.read(block, symbols: symbols).contents.all)
    }
    self.events = events
    #expect(Set(events.joined()) == Set(random.events))
  }

  private func offsets() -> [Int] {
    blocks.indices.map { blocks[..<$0].map(\.count).reduce(0, +) }
  }

  @Test("a file cut at any byte gives the blocks before, and says so")
  func truncated() throws {
    let bytes = Array(blocks.joined())
    let ends = offsets() + [bytes.count]
    for length in 0...bytes.count {
      let (contents, errors) = try scratch.read(Array(bytes[..<length]), symbols: symbols)
      let whole = ends.lastIndex { $0 <= length } ?? 0
      #expect(
        contents.all == TraceContents(Array(events[..<whole].joined())).all,
        "\(length) of \(bytes.count) bytes")
      if length == 0 {
        #expect(errors.map(\.code) == [.empty])
      } else if ends.contains(length) {
        #expect(errors == [], "\(length) of \(bytes.count) bytes")
      } else {
        #expect(errors.map(\.code) == [.truncated], "\(length) of \(bytes.count) bytes: \(errors)")
        let place = errors.first?.offset ?? -1
        #expect(place >= ends[whole] && place <= length, "\(length) of \(bytes.count) bytes")
      }
    }
  }

  @Test("a byte that is another gives an error or the same content")
  func flipped() throws {
    let example = try FormatDocumentTests.exampleTrace()
    for bytes in [Array(blocks.joined()), example] {
      let original = try scratch.read(bytes, symbols: symbols).contents.all
      let known = Set(original)
      var unnoticed = 0
      for place in bytes.indices {
        for change in [UInt8(1) << (place % 8), 0xFF] {
          var damaged = bytes
          damaged[place] ^= change
          let (contents, errors) = try scratch.read(damaged, symbols: symbols)
          if errors.isEmpty {
            unnoticed += 1
            #expect(contents.all == original, "byte \(place) xor \(change)")
          } else {
            #expect(known.isSuperset(of: contents.all), "byte \(place) xor \(change)")
          }
        }
      }
      // Gzip's time, flags of compression and system mean nothing, nor do deflate's bits of padding.
      #expect(unnoticed > 0 && unnoticed < bytes.count / 10, "\(unnoticed) of \(2 * bytes.count)")
    }
  }

  @Test("bytes that are missing, added or others cost only the blocks that they touch")
  func resumed() throws {
    let bytes = Array(blocks.joined())
    let starts = offsets()
    let known = Set(events.joined())
    var random = SplitMix64(seed: 17)
    for place in stride(from: 0, to: bytes.count, by: 2) {
      let length = min(1 + random.below(300), bytes.count - place)
      var damaged = bytes
      var touched = place..<place + length
      switch random.below(3) {
      case 0: damaged.removeSubrange(touched)
      case 1:
        damaged.insert(contentsOf: (0..<length).map { _ in UInt8(random.below(256)) }, at: place)
        touched = place..<place
      default: for index in touched { damaged[index] ^= UInt8(1 + random.below(255)) }
      }
      guard !damaged.isEmpty else { continue }
      let (contents, errors) = try scratch.read(damaged, symbols: symbols)
      let read = Set(contents.all)
      for (number, start) in starts.enumerated() {
        let block = start..<start + blocks[number].count
        let isTouched =
          touched.isEmpty
          ? block.contains(place) && place > start : touched.overlaps(block)
        guard !isTouched else { continue }
        #expect(
          read.isSuperset(of: events[number]),
          "block \(number) is lost, though only \(touched) was touched: \(errors)")
      }
      #expect(known.isSuperset(of: read), "\(touched): other events")
    }
  }

  @Test("details without their block are passed over with it")
  func orphanedDetails() throws {
    let members = try TraceMaking.trace(
      of: RandomInputs(seed: 12, count: 40).events,
      symbols: RandomInputs(seed: 12, count: 40).symbols,
      eventsPerBlock: 7
    ).members
    try #require(try ForgedMember(members[1]).header.role == .details)
    try scratch.hold(Array(members[1...].joined()))
    let file = try TraceFile(path: scratch.path)
    var scan = BlockScan(file)
    let error = #expect(throws: TraceError.self) { _ = try scan.next() }
    #expect(error?.offset == 0 && error?.code == .malformed)
    #expect(try scan.resume() == Int64(members[1].count))
    #expect(try scan.next()?.offset == Int64(members[1].count))

    // Their block's header is damaged: one error, not two.
    var damaged = Array(members.joined())
    damaged[30] ^= 1
    let found = try scratch.verify(damaged)
    #expect(found.problems.map(\.code) == [.damaged, .missingBlocks], "\(found.problems)")
    #expect(found.strayBytes == Int64(members[0].count + members[1].count))
  }
}
