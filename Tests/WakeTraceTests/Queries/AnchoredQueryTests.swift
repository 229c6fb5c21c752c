import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("Anchored queries (rule 8.3)")
struct AnchoredQueryTests {
  @Test("return every change once, however the way is cut", arguments: UInt64(0)..<10)
  func inPieces(seed: UInt64) throws {
    let trace = try QueryTrace(seed: seed, count: 1_200, eventsPerBlock: 97)
    var random = SplitMix64(seed: seed)
    for round in 0..<6 {
      let filter = trace.randomFilter(&random)
      let expected = trace.expectedChanges(filter)
      let limit = random.pick([3, 20, 96, 97, 98, 500])
      var query = AnchoredQuery(filter: filter, limit: limit)
      var found: [SampleChange] = []
      while true {
        let (changes, outcome) = try trace.changes(query)
        #expect(
          outcome.anchor.eventsBefore > query.anchor.eventsBefore,
          "seed \(seed), round \(round): \(query)")
        #expect(outcome.statistics.returned == changes.count, "seed \(seed), round \(round)")
        found += changes
        query.anchor = try TraceAnchor(parsing: outcome.anchor.description)
        guard changes.count == limit else { break }
        #expect(outcome.anchor.eventsBefore - 1 == changes.last?.position, "seed \(seed)")
        // The last change may be the last event.
        if outcome.anchor.eventsBefore == trace.events.count { break }
      }
      #expect(found == expected, "seed \(seed), round \(round): \(filter), limit \(limit)")
      #expect(query.anchor.eventsBefore == trace.events.count, "seed \(seed), round \(round)")
    }
  }

  @Test("return what follows any anchor, and inflate no block before it")
  func anyAnchor() throws {
    var made = SecondBySecond()
    for second in 0..<20 {
      second % 4 == 3 ? made.delete("steps", at: second) : made.save("steps", at: second)
    }
    let trace = try QueryTrace(made.events, symbols: made.symbols, eventsPerBlock: 5)
    for anchor in 0...20 {
      let query = AnchoredQuery(anchor: TraceAnchor(eventsBefore: anchor))
      let (changes, outcome) = try trace.changes(query)
      #expect(changes.map(\.position) == Array(anchor..<20), "anchor \(anchor)")
      #expect(outcome.anchor.eventsBefore == 20, "anchor \(anchor)")
      #expect(outcome.statistics.blocksSkipped == anchor / 5, "anchor \(anchor)")
      #expect(outcome.statistics.blocksRead == 4 - anchor / 5, "anchor \(anchor)")
    }
  }

  @Test("go on where they ended when the trace has grown")
  func growth() throws {
    var first = SecondBySecond()
    for second in 0..<12 { first.save("steps", at: second) }
    let trace = try QueryTrace(first.events, symbols: first.symbols, eventsPerBlock: 5)
    let anchor = try trace.changes(AnchoredQuery()).outcome.anchor
    #expect(try trace.changes(AnchoredQuery(anchor: anchor)).changes.isEmpty)

    var more = SecondBySecond()
    for second in 0..<7 { more.delete("heart", at: second) }
    try trace.appendBytes(of: try QueryTrace(more.events, symbols: more.symbols))
    let (changes, outcome) = try trace.changes(AnchoredQuery(anchor: anchor))
    #expect(changes.map(\.position) == Array(12..<19))
    #expect(outcome.anchor.eventsBefore == 19)
  }

  @Test("let a delete pass every predicate, but not another type, device or time")
  func deletes() throws {
    var made = SecondBySecond()
    made.save("steps", at: 1, value: 5)
    made.delete("steps", at: 2)
    made.delete("heart", at: 3)
    made.add(.lock, at: 4)
    made.delete("steps", at: 5)
    made.delete("steps", at: 2, device: "watch")
    let trace = try QueryTrace(made.events, symbols: made.symbols)
    let filter = SampleFilter(
      types: ["steps"], devices: [""], predicate: Predicate(min: 10), to: SecondBySecond.time(5))
    let (changes, outcome) = try trace.changes(AnchoredQuery(filter: filter))
    #expect(changes.map(\.position) == [1])
    #expect(changes.first?.saved == nil)
    #expect(outcome.anchor.eventsBefore == 6)
  }

  @Test("refuse an anchor behind the end")
  func beyondTheEnd() throws {
    var made = SecondBySecond()
    made.save("steps", at: 1)
    let trace = try QueryTrace(made.events, symbols: made.symbols)
    for anchor in [2, 1_000, Int.max] {
      let query = AnchoredQuery(anchor: TraceAnchor(eventsBefore: anchor))
      let error = #expect(throws: TraceError.self, "\(anchor)") { try trace.changes(query) }
      #expect(error?.code == .anchorBeyondEnd, "\(anchor)")
      #expect(
        error?.description
          == "\(trace.path): anchor \(anchor) is beyond the end of the trace, "
          + "which has 1 events")
    }
  }

  @Test("read only whole numbers as anchors")
  func anchorTexts() throws {
    #expect(try TraceAnchor(parsing: "0") == .beginning)
    #expect(try TraceAnchor(parsing: "12345").eventsBefore == 12_345)
    for text in ["", "-1", "+1", " 1", "1 ", "1.0", "0x10", "９", "99999999999999999999", "end"] {
      let error = #expect(throws: TraceAnchorSyntaxError.self, "\(text)") {
        try TraceAnchor(parsing: text)
      }
      #expect(error?.description.contains("\"\(text)\" is no anchor") == true, "\(text)")
    }
  }

  @Test("say where the trace is damaged, behind what stands before it")
  func damage() throws {
    var made = SecondBySecond()
    for second in 0..<30 { made.save("steps", at: second) }
    let trace = try QueryTrace(made.events, symbols: made.symbols, eventsPerBlock: 10)
    let offset = try trace.damageBlock(1)
    var taken = 0
    let error = #expect(throws: TraceError.self) {
      try AnchoredQuery().run(on: trace.open(), symbols: trace.symbols) { _ in taken += 1 }
    }
    #expect(error?.code == .damaged)
    #expect(error?.offset == offset)
    #expect(taken == 10)
    let behind = AnchoredQuery(anchor: TraceAnchor(eventsBefore: 20))
    #expect(try trace.changes(behind).changes.count == 10)
  }
}
