import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("The assembler")
struct TraceAssemblerTests {
  private let random: RandomInputs

  init() throws {
    // The first seed that has several devices.
    random = try #require(
      (0..<50).lazy.map { RandomInputs(seed: $0, count: 1_500) }
        .first { Set($0.events.map(\.device)).count > 2 })
  }

  /// The events device by device, each device's sorted by time if asked for, ties as they came.
  private func expected(_ events: [Event], sorted: Bool) -> TraceContents {
    let contents = TraceContents(events)
    guard sorted else { return contents }
    return TraceContents(
      contents.order.flatMap { device in
        contents.all.filter { $0.device == device }.enumerated()
          .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
      })
  }

  @Test(
    "gives the same bytes whether or not it spills, and however often",
    arguments: [true, false])
  func spills(sorted: Bool) throws {
    let scratch = try ScratchTrace()
    let whole = try TraceMaking.trace(of: random.events, symbols: random.symbols, sorted: sorted)
    let (contents, errors) = try scratch.read(whole.bytes, symbols: random.symbols)
    #expect(errors == [])
    let difference = contents.difference(
      from: expected(random.events, sorted: sorted), random.symbols)
    #expect(difference == nil, "\(difference ?? "")")
    // None to 300 spills; no more than 64 are merged at once.
    for eventsInMemory in [5, 23, 24, 700] {
      let spilled = try TraceMaking.trace(
        of: random.events, symbols: random.symbols, sorted: sorted, eventsInMemory: eventsInMemory)
      #expect(spilled.bytes == whole.bytes, "\(eventsInMemory) events in memory")
    }
  }

  @Test("merges merged spills again, in order")
  func manySpills() throws {
    let symbols = Symbols()
    let device = symbols.devices.intern("")
    let other = symbols.devices.intern("other")
    var generator = SplitMix64(seed: 9)
    // The numbers of apps tell equal times apart; one event a spill makes two levels of merges.
    let events = (0..<4_200).map { number in
      Event(
        time: Timestamp(nanoseconds: Int64(generator.below(300))),
        device: generator.chance(70) ? device : other,
        input: .launch(app: symbols.apps.intern("\(number)")))
    }
    let scratch = try ScratchTrace()
    let trace = try TraceMaking.trace(of: events, symbols: symbols, sorted: true, eventsInMemory: 1)
    let contents = try scratch.read(trace.bytes, symbols: symbols).contents
    let difference = contents.difference(from: expected(events, sorted: true), symbols)
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test(
    "gives the same bytes however the devices' events are interleaved", arguments: [true, false])
  func interleavings(sorted: Bool) throws {
    let contents = TraceContents(random.events)
    let original = try TraceMaking.trace(
      of: random.events, symbols: random.symbols, sorted: sorted)
    var generator = SplitMix64(seed: 21)
    for round in 0..<6 {
      // The devices' first events keep their order, as it is the devices'.
      var queues = contents.order.map { device in
        Array(contents.all.filter { $0.device == device }.reversed())
      }
      var events = queues.indices.compactMap { queues[$0].popLast() }
      while true {
        let left = queues.indices.filter { !queues[$0].isEmpty }
        guard !left.isEmpty else { break }
        let queue = generator.pick(left)
        for _ in 0...generator.below(40) {
          if let event = queues[queue].popLast() { events.append(event) }
        }
      }
      let trace = try TraceMaking.trace(
        of: events, symbols: random.symbols, sorted: sorted, eventsInMemory: 200 + 1_000 * round)
      #expect(trace.bytes == original.bytes, "round \(round)")
    }
  }

  @Test("gives the same bytes whatever else the symbol tables hold")
  func otherSymbols() throws {
    let original = try TraceMaking.trace(of: random.events, symbols: random.symbols)
    let symbols = Symbols()
    for number in (0..<40).reversed() {
      _ = symbols.types.intern("type \(number)")
      _ = symbols.sources.intern("source \(number)")
      _ = symbols.apps.intern("app \(number)")
    }
    let scratch = try ScratchTrace()
    let events = try scratch.read(original.bytes, symbols: symbols).contents.all
    #expect(try TraceMaking.trace(of: events, symbols: symbols).bytes == original.bytes)
  }

  @Test("spills for the length of texts, too")
  func longTexts() throws {
    let symbols = Symbols()
    let app = symbols.apps.intern("a")
    let text = String(repeating: "x", count: 3 << 20)
    let devices = ["a", "b"].map(symbols.devices.intern)
    let events = (0..<30).map { number in
      Event(
        time: Timestamp(nanoseconds: 0), device: devices[number % 2],
        input: .push(app: app, Push(id: "\(number)\(text)")))
    }
    let trace = try TraceMaking.trace(of: events, symbols: symbols, sorted: true, level: 1)
    let scratch = try ScratchTrace()
    let contents = try scratch.read(trace.bytes, symbols: symbols).contents
    #expect(contents.all == TraceContents(events).all)
  }

  @Test("says where temporary files cannot be made")
  func noFolder() throws {
    let assembler = TraceAssembler(
      writer: try TraceWriter(
        output: MemoryOutput(), symbols: random.symbols, level: 1, eventsPerBlock: 100),
      symbols: random.symbols, sorted: true, temporaryFolder: "/no such folder", eventsInMemory: 10)
    let error = #expect(throws: TraceError.self) {
      for event in random.events { try assembler.append(event) }
    }
    #expect(error?.code == .inputOutput && error?.file == "/no such folder")
  }
}
