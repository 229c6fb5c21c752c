import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("What a trace says of itself")
struct TraceInfoTests {
  @Test("counts what looking at every event counts", arguments: UInt64(0)..<8)
  func againstEveryEvent(seed: UInt64) throws {
    let trace = try QueryTrace(seed: seed, count: 2_000, eventsPerBlock: 97)
    for depth in TraceInfo.Depth.allCases {
      let info = try TraceInfo(of: trace.open(), depth: depth)
      let place = "seed \(seed), \(depth)"
      try expectTotals(info, trace, place)
      expectDevices(info, trace, depth, place)
      expectTypes(info, trace, depth, place)
      if depth == .events {
        expectCounts(try #require(info.counts, "\(place)"), trace, place)
      } else {
        #expect(info.counts == nil, "\(place)")
      }
    }
  }

  private func expectTotals(_ info: TraceInfo, _ trace: QueryTrace, _ place: String) throws {
    let file = try trace.open()
    #expect(info.file == trace.path, "\(place)")
    #expect(info.bytes == file.length, "\(place)")
    #expect(info.events == trace.events.count, "\(place)")
    #expect(info.earliest == trace.events.map(\.time).min(), "\(place)")
    #expect(info.latest == trace.events.map(\.time).max(), "\(place)")
    #expect(info.streams.map(\.events) == [trace.events.count], "\(place)")
    #expect(info.streams.map(\.blocks) == [info.blocks], "\(place)")
    #expect(info.lost == 0, "\(place)")
    var scan = BlockScan(file)
    var blocks: [BlockEntry] = []
    while let block = try scan.next() { blocks.append(block) }
    func count(_ flag: BlockHeader.Flags) -> Int {
      blocks.count { $0.header.flags.contains(flag) }
    }
    #expect(info.blocks == blocks.count, "\(place)")
    #expect(info.detailBytes == blocks.reduce(0) { $0 + Int64($1.detailsLength) }, "\(place)")
    #expect(info.sortedBlocks == count(.timesSorted), "\(place)")
    #expect(info.samplesOnlyBlocks == count(.samplesOnly), "\(place)")
    #expect(info.predicateBlocks == count(.startsPredicate), "\(place)")
  }

  private func expectDevices(
    _ info: TraceInfo, _ trace: QueryTrace, _ depth: TraceInfo.Depth, _ place: String
  ) {
    let contents = TraceContents(trace.events)
    let names = contents.order.map(trace.symbols.devices.name(of:))
    #expect(info.devices.map(\.hash) == names.map { NameHash.device($0) }, "\(place)")
    if depth == .headers {
      #expect(info.devices.allSatisfy { $0.name == nil }, "\(place)")
    } else {
      #expect(info.devices.map(\.name) == names, "\(place)")
    }
    for (entry, device) in zip(info.devices, contents.order) {
      let times = (contents.events[device] ?? []).map(\.time)
      #expect(entry.events == times.count, "\(place): \(entry)")
      if depth == .events || entry.earliest != nil {
        #expect(entry.earliest == times.min(), "\(place): \(entry)")
        #expect(entry.latest == times.max(), "\(place): \(entry)")
      }
    }
  }

  private func expectTypes(
    _ info: TraceInfo, _ trace: QueryTrace, _ depth: TraceInfo.Depth, _ place: String
  ) {
    var counts: [String: Int] = [:]
    for change in trace.expectedChanges(SampleFilter()) {
      switch change {
      case .saved(let saved):
        counts[trace.symbols.types.name(of: saved.sample.type), default: 0] += 1
      case .deleted(let deleted):
        counts[trace.symbols.types.name(of: deleted.type), default: 0] += 1
      }
    }
    #expect(info.typesAreComplete, "\(place)")
    #expect(info.types.map(\.events) == counts.values.sorted(by: >), "\(place)")
    for entry in info.types where depth != .headers {
      #expect(entry.name.map { counts[$0] } == entry.events, "\(place): \(entry)")
    }
    let hashes = Set(counts.keys.map { NameHash.of($0) })
    #expect(Set(info.types.map(\.hash)) == hashes, "\(place)")
  }

  private func expectCounts(
    _ counts: TraceInfo.EventCounts, _ trace: QueryTrace, _ place: String
  ) {
    for kind in InputKind.allCases {
      #expect(counts[kind] == trace.events.count { $0.input.kind == kind }, "\(place): \(kind)")
    }
    var late = 0
    var latest: [Device: Timestamp] = [:]
    for event in trace.events {
      let previous = latest[event.device] ?? event.time
      if event.time < previous { late += 1 }
      latest[event.device] = max(previous, event.time)
    }
    #expect(counts.late == late, "\(place)")
    let sources = trace.events.compactMap { event in
      switch event.input {
      case .save(let sample): sample.source
      case .delete(_, let source): source
      default: nil
      }
    }
    #expect(counts.sources == Set(sources).count, "\(place)")
    let apps = Set(trace.events.compactMap { $0.input.app })
    #expect(
      counts.apps.map(ExactName.init)
        == apps.map { ExactName(trace.symbols.apps.name(of: $0)) }.sorted(), "\(place)")
  }

  @Test("inflates no block for headers, and few for names")
  func inflatesLittle() throws {
    var made = SecondBySecond()
    for second in 0..<95 { made.save(second < 50 ? "steps" : "heart", at: second) }
    made.save("steps", at: 200, device: "watch")
    let trace = try QueryTrace(made.events, symbols: made.symbols, eventsPerBlock: 10)
    #expect(try TraceInfo(of: trace.open(), depth: .headers).blocksInflated == 0)
    // The first, that with the first heart, and that with the watch.
    let names = try TraceInfo(of: trace.open(), depth: .names)
    #expect(names.blocksInflated == 3)
    #expect(names.types.map(\.name) == ["steps", "heart"])
    #expect(names.devices.map(\.name) == ["", "watch"])
    #expect(try TraceInfo(of: trace.open()).blocksInflated == 10)
  }

  @Test("tells streams apart, and what each counts as late")
  func streams() throws {
    var first = SecondBySecond()
    for second in [10, 20, 15, 30] { first.save("steps", at: second) }
    var second = SecondBySecond()
    for time in [1, 2] { second.save("steps", at: time) }
    let trace = try QueryTrace(first.events, symbols: first.symbols)
    try trace.appendBytes(of: try QueryTrace(second.events, symbols: second.symbols))
    let info = try TraceInfo(of: trace.open())
    #expect(info.streams.map(\.events) == [4, 2])
    #expect(Set(info.streams.map(\.id)).count == 2)
    #expect(info.devices.map(\.events) == [6])
    #expect(info.devices.first?.earliest == SecondBySecond.time(1))
    // The second stream's events are merged before the first's, so they are not late.
    #expect(info.counts?.late == 1)
    #expect(info.sortedBlocks == 1)
  }

  @Test("counts types that a header does not list, or says that it cannot")
  func unlistedTypes() throws {
    var made = SecondBySecond()
    for type in 0...TraceLimits.typesListed { made.save("type-\(type)", at: type) }
    let trace = try QueryTrace(made.events, symbols: made.symbols)
    let headers = try TraceInfo(of: trace.open(), depth: .headers)
    #expect(!headers.typesAreComplete)
    #expect(headers.types.isEmpty)
    for depth in [TraceInfo.Depth.names, .events] {
      let info = try TraceInfo(of: trace.open(), depth: depth)
      #expect(info.typesAreComplete, "\(depth)")
      #expect(info.types.count == TraceLimits.typesListed + 1, "\(depth)")
      #expect(info.types.allSatisfy { $0.name != nil && $0.events == 1 }, "\(depth)")
    }
  }

  @Test("says where the trace is damaged")
  func damage() throws {
    var made = SecondBySecond()
    for second in 0..<30 { made.save("steps", at: second) }
    let trace = try QueryTrace(made.events, symbols: made.symbols, eventsPerBlock: 10)
    let offset = try trace.damageBlock(2)
    let error = #expect(throws: TraceError.self) { try TraceInfo(of: trace.open()) }
    #expect(error?.offset == offset)
    #expect(try TraceInfo(of: trace.open(), depth: .names).events == 30)
  }
}
