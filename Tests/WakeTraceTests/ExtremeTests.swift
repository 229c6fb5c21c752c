import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("A trace bears all that an event may be")
struct ExtremeTests {
  private let symbols = Symbols()

  private func event(_ time: Int64, device: String = "", _ input: Input) -> Event {
    Event(
      time: Timestamp(nanoseconds: time), device: symbols.devices.intern(device), input: input)
  }

  private func save(_ time: Int64, type: String = "t", source: String = "s", device: String = "")
    -> Event
  {
    event(
      time, device: device,
      .save(
        Sample(type: symbols.types.intern(type), source: symbols.sources.intern(source))))
  }

  /// Writes and reads events; their blocks.
  @discardableResult
  private func expectBack(
    _ events: [Event], _ what: String, symbols: Symbols? = nil, level: Int = 6
  ) throws -> Int {
    let scratch = try ScratchTrace()
    let symbols = symbols ?? self.symbols
    let trace = try TraceMaking.trace(of: events, symbols: symbols, level: level)
    let (contents, errors) = try scratch.read(trace.bytes, symbols: symbols)
    #expect(errors == [], "\(what)")
    let difference = contents.difference(from: TraceContents(events), symbols)
    #expect(difference == nil, "\(what): \(difference ?? "")")
    let found = TraceVerification(of: try TraceFile(path: scratch.path))
    #expect(found.isWhole && found.events == events.count, "\(what): \(found.problems)")
    // Another table gives the same names other numbers.
    let other = Symbols()
    _ = (other.types.intern("another"), other.sources.intern("another"))
    #expect(TraceMaking.read(scratch.path, symbols: other).contents.all.count == events.count)
    return found.blocks
  }

  @Test("times at both ends, and nothing but equal ones")
  func times() throws {
    let end = ExtremeEvents.highestTime
    try expectBack([save(end)], "the last time")
    try expectBack([save(-end)], "the first time")
    for count in [2, 3, 100, 3_000] {
      try expectBack((0..<count).map { save($0.isMultiple(of: 2) ? -end : end) }, "\(count) leaps")
      try expectBack((0..<count).map { _ in save(end) }, "\(count) at the last time")
    }
    var random = SplitMix64(seed: 4)
    try expectBack((0..<5_000).map { _ in save(random.within(-end / 2...end / 2) * 2) }, "any time")
    try expectBack(
      (0..<5_000).map { save(Int64($0) * 1_000 + Int64(random.below(2))) }, "steps of 1 and 1,000")
  }

  @Test("values, details and texts that are easily lost", arguments: UInt64(1)...4)
  func samples(seed: UInt64) throws {
    let (events, symbols) = ExtremeEvents.samples(count: 3_000, seed: seed)
    try expectBack(events, "seed \(seed)", symbols: symbols, level: Int(seed) * 2)
  }

  @Test("each weird value alone")
  func values() throws {
    for value in ExtremeEvents.values {
      let sample = Sample(
        type: symbols.types.intern("t"), source: symbols.sources.intern("s"), value: value)
      try expectBack([event(0, .save(sample)), save(1)], "\(value)")
      let predicate = Predicate(min: value, max: value)
      try expectBack(
        [
          event(
            0,
            .execute(
              app: symbols.apps.intern("a"), query: symbols.queries.intern("q"), type: sample.type,
              predicate: predicate))
        ], "a predicate with \(value)")
    }
  }

  @Test("one event of each kind alone, and none but those without fields")
  func kinds() throws {
    // The first seed that has all kinds.
    let random = try #require(
      (0..<50).lazy.map { RandomInputs(seed: $0, count: 1_000) }
        .first { Set($0.events.map(\.input.kind)).count == InputKind.allCases.count - 1 })
    for kind in InputKind.allCases where kind != .observed {
      let found = try #require(random.events.first { $0.input.kind == kind }, "\(kind)")
      try expectBack([found], "\(kind)", symbols: random.symbols)
    }
    // No source, no type, no app is known at all.
    for inputs: [Input] in [[.lock], [.lock, .unlock, .reboot], [.power(isGood: true)]] {
      try expectBack(inputs.map { event(0, $0) }, "\(inputs)")
    }
    try expectBack([event(0, .launch(app: symbols.apps.intern("a")))], "a launch")
    try expectBack(
      [event(0, device: "a", .lock), save(0, device: "b"), event(0, device: "c", .lock)],
      "runs with and without samples")
  }

  @Test("any text")
  func texts() throws {
    let texts = [
      "", "\u{0}", "a\u{0}b", "é", "e\u{301}", "👩‍👩‍👧", "\u{FEFF}", "\u{10FFFF}", "\r\n", "\"\\",
      String(repeating: "x", count: 10_000),
    ]
    var events: [Event] = []
    for (index, text) in texts.enumerated() {
      let time = Int64(index)
      let app = symbols.apps.intern(text)
      events.append(save(time, type: text, source: text, device: text))
      events.append(
        event(
          time, device: text,
          .push(
            app: app,
            Push(
              id: text,
              aps: .init(
                json: "{\"category\":\(text.count)}", contentAvailable: nil, isShownToUser: false),
              pushType: text))))
      events.append(event(time, device: text, .stop(app: app, query: symbols.queries.intern(text))))
    }
    try expectBack(events, "texts")
    // Names that are one by `==` stay two.
    #expect(symbols.types.intern("é") != symbols.types.intern("e\u{301}"))
  }

  @Test("blocks that are just full", arguments: [(65_536, 1), (65_537, 2)])
  func fullBlocks(count: Int, blocks: Int) throws {
    #expect(try expectBack((0..<count).map { save(Int64($0)) }, "\(count)", level: 1) == blocks)
  }

  @Test("many devices of one event each")
  func devices() throws {
    let events = (0..<5_000).map { save(Int64($0), device: "device \($0)") }
    #expect(try expectBack(events, "devices") == 3)
  }

  @Test("more types than a header lists, and than a block has events")
  func types() throws {
    let events = (0..<70_000).map { save(Int64($0), type: "type \($0)", source: "s \($0 % 3)") }
    #expect(try expectBack(events, "types", level: 1) == 2)
    #expect(try expectBack((0..<2_048).map { save(0, type: "type \($0)") }, "listed") == 1)
    #expect(try expectBack((0..<2_049).map { save(0, type: "type \($0)") }, "unlisted") == 1)
  }

  @Test("the longest names, and blocks that are split for their names")
  func longNames() throws {
    let longest = String(repeating: "n", count: TraceLimits.nameBytes)
    try expectBack([save(0, type: longest), save(1, source: longest)], "long names", level: 1)
    let names = (0..<600).map { String($0 + 1_000) + longest.dropFirst(4) }
    let events = names.enumerated().map { save(Int64($0), type: $1) }
    #expect(try expectBack(events, "39 MB of names", level: 1) == 2)
  }

  @Test("texts that are too long are refused")
  func tooLong() throws {
    let long = String(repeating: "n", count: TraceLimits.nameBytes + 1)
    let longText = String(repeating: "n", count: TraceLimits.textBytes + 1)
    let app = symbols.apps.intern("a")
    let events = [
      save(0, type: long), save(0, source: long), save(0, device: long),
      event(0, .launch(app: symbols.apps.intern(long))),
      event(0, .push(app: app, Push(id: longText))),
      event(0, .push(app: app, Push(id: "", pushType: longText))),
    ]
    for (index, event) in events.enumerated() {
      let error = #expect(throws: TraceError.self) {
        try TraceMaking.trace(of: [save(0), event, save(0)], symbols: symbols, level: 1)
      }
      #expect(error?.code == .tooLarge, "event \(index): \(String(describing: error))")
    }
  }

  @Test("times and numbers that no event may have are refused, not written")
  func invalid() throws {
    let (type, source) = (symbols.types.intern("t"), symbols.sources.intern("s"))
    let (app, query) = (symbols.apps.intern("a"), symbols.queries.intern("q"))
    let beyond = Timestamp(nanoseconds: ExtremeEvents.highestTime + 1)
    func execute(_ predicate: Predicate) -> Event {
      event(0, .execute(app: app, query: query, type: type, predicate: predicate))
    }
    func push(_ push: Push) -> Event { event(0, .push(app: app, push)) }
    let events = [
      save(.min), save(.max), save(beyond.nanoseconds), event(-beyond.nanoseconds, .lock),
      event(0, .save(Sample(type: type, source: source, start: beyond))),
      event(0, .save(Sample(type: type, source: source, end: beyond))),
      event(0, .save(Sample(type: type, source: source, value: .nan))),
      event(0, .save(Sample(type: type, source: source, value: -.infinity))),
      execute(Predicate(start: beyond)), execute(Predicate(end: beyond)),
      execute(Predicate(min: .nan)), execute(Predicate(max: .infinity)),
      push(Push(id: "", priority: .nan)),
      push(
        Push(id: "", aps: .init(json: "{}", contentAvailable: .infinity, isShownToUser: false))),
      event(0, .refreshInterval(app: app, .seconds(.nan))),
      event(0, .refreshInterval(app: app, .seconds(-1))),
      event(0, .refreshInterval(app: app, .seconds(1.1e9))),
    ]
    for (index, event) in events.enumerated() {
      let error = #expect(throws: TraceError.self, "event \(index)") {
        try TraceMaking.trace(of: [save(0), event], symbols: symbols)
      }
      #expect(error?.code == .invalidEvent, "event \(index): \(String(describing: error))")
    }
  }
}
