import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("Sample queries (rule 8.2)")
struct SampleQueryTests {
  @Test("find what looking at every event finds, in the order asked for", arguments: UInt64(0)..<10)
  func againstEveryEvent(seed: UInt64) throws {
    let trace = try QueryTrace(seed: seed, count: 1_500, eventsPerBlock: 97)
    var random = SplitMix64(seed: seed)
    for round in 0..<12 {
      let filter = trace.randomFilter(&random)
      for order in SampleQuery.Order.allCases {
        let limit = random.pick([0, 1, 2, 7, 50, 100_000])
        let query = SampleQuery(filter: filter, order: order, limit: limit)
        let (found, statistics) = try trace.samples(query)
        let expected = Self.expected(query, of: trace)
        #expect(found == expected, "seed \(seed), round \(round): \(query)")
        #expect(statistics.returned == expected.count, "seed \(seed), round \(round): \(query)")
      }
    }
  }

  private static func expected(_ query: SampleQuery, of trace: QueryTrace) -> [SavedSample] {
    var samples = trace.expectedChanges(query.filter).compactMap(\.saved)
    func key(_ saved: SavedSample) -> Int64 {
      let start = (saved.sample.start ?? saved.savedAt).nanoseconds
      switch query.order {
      case .trace: return 0
      case .startAscending, .startDescending: return start
      case .endAscending, .endDescending: return saved.sample.end?.nanoseconds ?? start
      }
    }
    let isDescending = [.startDescending, .endDescending].contains(query.order)
    samples.sort {
      if key($0) == key($1) { return $0.position < $1.position }
      return (key($0) < key($1)) != isDescending
    }
    return query.limit > 0 ? Array(samples.prefix(query.limit)) : samples
  }

  @Test("skip blocks whose headers rule out type, device or time")
  func skipsBlocks() throws {
    var made = SecondBySecond()
    // Ten blocks of ten: steps on the phone, hearts in the fourth; then hearts on the watch.
    for second in 0..<90 {
      made.save(second == 35 ? "heart" : "steps", at: second, device: "phone")
    }
    for second in 0..<10 { made.save("heart", at: second, device: "watch") }
    let trace = try QueryTrace(made.events, symbols: made.symbols, eventsPerBlock: 10)

    func expect(_ filter: SampleFilter, finds count: Int, inBlocks read: Int) throws {
      let (found, statistics) = try trace.samples(SampleQuery(filter: filter))
      #expect(found.count == count, "\(filter)")
      #expect(statistics.blocksRead == read, "\(filter)")
      #expect(statistics.blocksSkipped == 10 - read, "\(filter)")
    }
    let time = SecondBySecond.time
    try expect(SampleFilter(), finds: 100, inBlocks: 10)
    try expect(SampleFilter(types: ["heart"]), finds: 11, inBlocks: 2)
    try expect(SampleFilter(types: ["heart", "steps"]), finds: 100, inBlocks: 10)
    try expect(SampleFilter(types: []), finds: 0, inBlocks: 0)
    try expect(SampleFilter(types: ["weight"]), finds: 0, inBlocks: 0)
    try expect(SampleFilter(devices: ["watch"]), finds: 10, inBlocks: 1)
    try expect(SampleFilter(devices: [""]), finds: 0, inBlocks: 0)
    try expect(SampleFilter(from: time(89)), finds: 1, inBlocks: 1)
    try expect(SampleFilter(from: time(20), to: time(30)), finds: 10, inBlocks: 1)
    try expect(SampleFilter(from: time(20), to: time(31)), finds: 11, inBlocks: 2)
    try expect(SampleFilter(from: time(5), to: time(5)), finds: 0, inBlocks: 2)
    // Without details every sample starts and ends when it was saved, and has no value.
    try expect(SampleFilter(predicate: Predicate(start: time(80))), finds: 10, inBlocks: 1)
    try expect(
      SampleFilter(devices: ["phone"], predicate: Predicate(end: time(10))), finds: 10, inBlocks: 1)
    try expect(
      SampleFilter(devices: ["phone"], predicate: Predicate(end: time(10), strictEnd: true)),
      finds: 11, inBlocks: 2)
    try expect(SampleFilter(predicate: Predicate(min: 0)), finds: 0, inBlocks: 0)
  }

  @Test("read blocks with details, which may say anything of start, end and value")
  func readsDetails() throws {
    var made = SecondBySecond()
    made.save("heart", at: 1_000, start: 5, end: 6, value: 70)
    let trace = try QueryTrace(made.events, symbols: made.symbols)
    let early = SampleFilter(predicate: Predicate(end: SecondBySecond.time(10), min: 60))
    let (found, _) = try trace.samples(SampleQuery(filter: early))
    #expect(found.map(\.start) == [SecondBySecond.time(5)])
    #expect(found.map(\.end) == [SecondBySecond.time(6)])
    #expect(found.map(\.sample.value) == [70])
  }

  @Test("skip blocks that come after the samples held, once those are as many as the limit")
  func skipsBlocksBehindTheLimit() throws {
    var made = SecondBySecond()
    for second in 0..<100 { made.save("steps", at: second) }
    let trace = try QueryTrace(made.events, symbols: made.symbols, eventsPerBlock: 10)
    let (first, ascending) = try trace.samples(SampleQuery(order: .startAscending, limit: 12))
    #expect(first.map(\.position) == Array(0..<12))
    #expect(ascending.blocksRead == 2)
    #expect(ascending.blocksSkipped == 8)
    let (last, descending) = try trace.samples(SampleQuery(order: .endDescending, limit: 3))
    #expect(last.map(\.position) == [99, 98, 97])
    #expect(descending.blocksRead == 10)
    let (head, unsorted) = try trace.samples(SampleQuery(limit: 12))
    #expect(head.map(\.position) == Array(0..<12))
    #expect(unsorted == QueryStatistics(blocksRead: 2, blocksSkipped: 0, returned: 12))
  }

  @Test("keep ties in the trace's order, whichever way the rest is sorted")
  func ties() throws {
    var made = SecondBySecond()
    for second in [5, 3, 5, 3, 5] { made.save("steps", at: second) }
    let trace = try QueryTrace(made.events, symbols: made.symbols, eventsPerBlock: 2)
    for (order, expected) in [
      (SampleQuery.Order.startAscending, [1, 3, 0, 2, 4]), (.startDescending, [0, 2, 4, 1, 3]),
    ] {
      for limit in 0...5 {
        let (found, _) = try trace.samples(SampleQuery(order: order, limit: limit))
        let some = limit == 0 ? expected : Array(expected.prefix(limit))
        #expect(found.map(\.position) == some, "\(order), limit \(limit)")
      }
    }
  }

  @Test("read a block with more types than its header can list")
  func unlistedTypes() throws {
    var made = SecondBySecond()
    for type in 0...TraceLimits.typesListed { made.save("type-\(type)", at: type) }
    let trace = try QueryTrace(made.events, symbols: made.symbols)
    let filter = SampleFilter(types: ["type-17"])
    let (found, statistics) = try trace.samples(SampleQuery(filter: filter))
    #expect(found.map(\.position) == [17])
    #expect(statistics.blocksRead == 1)
  }

  @Test("find a sample whose like was deleted, as a delete names none")
  func deletesTakeNothingAway() throws {
    var made = SecondBySecond()
    made.save("steps", at: 1)
    made.delete("steps", at: 2)
    let trace = try QueryTrace(made.events, symbols: made.symbols)
    let (found, _) = try trace.samples(SampleQuery())
    #expect(found.map(\.position) == [0])
  }

  @Test("keep names apart that only look alike")
  func namesByBytes() throws {
    var made = SecondBySecond()
    made.save("caf\u{E9}", at: 1)
    made.save("cafe\u{301}", at: 2)
    let trace = try QueryTrace(made.events, symbols: made.symbols)
    let filter = SampleFilter(types: ["cafe\u{301}"])
    let (found, _) = try trace.samples(SampleQuery(filter: filter))
    #expect(found.map(\.position) == [1])
  }

  @Test("end with the error of the closure")
  func closureThrows() throws {
    struct Enough: Error {}
    var made = SecondBySecond()
    for second in 0..<5 { made.save("steps", at: second) }
    let trace = try QueryTrace(made.events, symbols: made.symbols)
    for order in [SampleQuery.Order.trace, .startAscending] {
      var taken = 0
      #expect(throws: Enough.self, "\(order)") {
        try SampleQuery(order: order).run(on: trace.open(), symbols: trace.symbols) { _ in
          taken += 1
          if taken == 2 { throw Enough() }
        }
      }
      #expect(taken == 2, "\(order)")
    }
  }

  @Test("say where the trace is damaged, behind what stands before it")
  func damage() throws {
    var made = SecondBySecond()
    for second in 0..<30 { made.save("steps", at: second) }
    let trace = try QueryTrace(made.events, symbols: made.symbols, eventsPerBlock: 10)
    let offset = try trace.damageBlock(1)
    for (order, before) in [(SampleQuery.Order.trace, 10), (.startDescending, 0)] {
      var taken = 0
      let error = #expect(throws: TraceError.self, "\(order)") {
        try SampleQuery(order: order).run(on: trace.open(), symbols: trace.symbols) { _ in
          taken += 1
        }
      }
      #expect(error?.code == .damaged, "\(order)")
      #expect(error?.offset == offset, "\(order)")
      #expect(taken == before, "\(order)")
    }
    // A block that headers rule out is not looked into.
    let later = SampleFilter(from: SecondBySecond.time(20))
    #expect(try trace.samples(SampleQuery(filter: later)).samples.count == 10)
  }
}
