import Testing
import WakeEvents
import WakeReplay
import WakeScheduling
import WakeTestSupport
import WakeTrace

@Suite("A replay of selected inputs is one of just these inputs")
struct SelectionTests {
  /// One selection of each sort, and all at once.
  private static let kinds = ["from", "to", "type", "types", "device", "devices", "all"]

  /// A selection that leaves out a fair part of the events.
  private func selection(
    _ kind: String, _ events: [Event], _ symbols: Symbols, _ random: inout SplitMix64
  ) -> BlockSelection {
    var selection = BlockSelection()
    let times = events.map(\.time.nanoseconds).sorted()
    let all = kind == "all"
    if all || kind == "from" { selection.from = times[times.count / 5] }
    if all || kind == "to" { selection.to = times[times.count * 4 / 5] }
    let types = (0..<symbols.types.count).map {
      ExactName(symbols.types.name(of: SampleType(index: UInt32($0))))
    }
    // Never all of them.
    let some = types.count > 1 ? Array(types.dropLast()) : [ExactName("no such type")]
    if kind == "type" { selection.types = [random.pick(some)] }
    if all || kind == "types" {
      selection.types = [random.pick(some), some[0], ExactName("no such type")]
    }
    if kind == "device" { selection.devices = [ExactName("watch")] }
    if all || kind == "devices" {
      selection.devices = Set(["", "phone", "no such device"].map { ExactName($0) })
    }
    return selection
  }

  /// Whether an event is selected, by the words of the command's help.
  private func isSelected(
    _ event: Event, _ selection: BlockSelection, _ symbols: Symbols
  ) -> Bool {
    if let from = selection.from, event.time.nanoseconds < from { return false }
    if let to = selection.to, event.time.nanoseconds >= to { return false }
    if !selection.devices.isEmpty {
      let name = symbols.devices.name(of: event.device)
      guard selection.devices.contains(ExactName(name)) else {
        return false
      }
    }
    let type: SampleType
    switch event.input {
    case .save(let sample): type = sample.type
    case .delete(let deleted, _): type = deleted
    default: return true
    }
    let name = ExactName(symbols.types.name(of: type))
    return selection.types.isEmpty || selection.types.contains(name)
  }

  @Test("of random inputs, with any number of threads", arguments: kinds, RandomSeeds.orFirst(2))
  func agree(kind: String, seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 1_000)
    let events = random.spread(over: ["", "watch", "phone"])
    var generator = SplitMix64(seed: seed)
    let selection = selection(kind, events, random.symbols, &generator)
    let selected = events.filter { isSelected($0, selection, random.symbols) }
    #expect(selected.count < events.count, "seed \(seed), \(kind): something is left out")
    let reference = ReferenceScheduler.run(
      events: PlainMerge.byDevice(selected, inOrderOf: events), policy: random.policy,
      symbols: random.symbols)
    let passage = try Passage()
    let trace = try passage.importing(events, symbols: random.symbols)
    var first: Replayed?
    for threads in 1...2 {
      let replayed = try passage.replay([trace], random.policy, threads: threads) {
        $0.selection = selection
      }
      let difference = try replayed.difference(
        from: reference, random.symbols, unlike: first)
      first = first ?? replayed
      #expect(
        difference == nil, "seed \(seed), \(kind), \(threads) threads: \(difference ?? "")")
    }
    let paced = try passage.replay([trace], random.policy) {
      $0.selection = selection
      $0.speed = .paced(1e15)
    }
    let difference = try paced.difference(
      from: reference, random.symbols, unlike: first)
    #expect(difference == nil, "seed \(seed), \(kind), paced: \(difference ?? "")")
  }

  @Test("also where whole blocks are passed over, and where streams are merged")
  func severalTraces() throws {
    let random = RandomInputs(seed: 8, count: 2_000)
    let events = random.spread(over: ["", "watch"])
    let sorted = events.sorted { $0.time < $1.time }
    let quarters = (0..<4).map { Array(sorted[$0 * 480..<($0 + 1) * 480]) }
    var selection = BlockSelection()
    selection.from = sorted[600].time.nanoseconds
    selection.to = sorted[1_400].time.nanoseconds
    selection.types = [ExactName(random.symbols.types.name(of: SampleType(index: 0)))]
    let passage = try Passage()
    // The third overlaps the others.
    let parts = [quarters[0], quarters[1], quarters[0] + quarters[3], quarters[2]]
    var paths: [String] = []
    for (number, part) in parts.enumerated() {
      paths.append(
        try passage.importing(part, symbols: random.symbols, as: "\(number)"))
    }
    let merged = try PlainMerge.events(of: paths, symbols: random.symbols)
    let selected = merged.filter { isSelected($0, selection, random.symbols) }
    #expect(!selected.isEmpty && selected.count < merged.count)
    let reference = ReferenceScheduler.run(
      events: selected, policy: random.policy, symbols: random.symbols)
    let replayed = try passage.replay(paths, random.policy) { $0.selection = selection }
    let difference = try replayed.difference(from: reference, random.symbols)
    #expect(difference == nil, "\(difference ?? "")")
  }

  /// A composed and a decomposed é: equal as strings, two names by their bytes.
  private static let names = ["caf\u{E9}", "cafe\u{301}"]

  @Test("keeps names apart by their bytes, as a query does", arguments: names, [true, false])
  func namesByBytes(name: String, inOneBlock: Bool) throws {
    let symbols = Symbols()
    let source = symbols.sources.intern("s")
    let devices = Self.names.map(symbols.devices.intern)
    let saves = Self.names.enumerated().map { number, type in
      Event(
        time: Timestamp(nanoseconds: Int64(number) * 1_000_000_000), device: devices[number],
        input: .save(Sample(type: symbols.types.intern(type), source: source)))
    }
    let passage = try Passage()
    // In traces of their own, blocks are pruned by their headers; in one, rows are left out.
    let parts = inOneBlock ? [saves] : saves.map { [$0] }
    let paths = try parts.enumerated().map {
      try passage.importing($1, symbols: symbols, as: "\($0)")
    }
    for byType in [true, false] {
      let replayed = try passage.replay(paths, ReplayOptions().policy) {
        if byType {
          $0.selection.types = [ExactName(name)]
        } else {
          $0.selection.devices = [ExactName(name)]
        }
      }
      #expect(replayed.result.summary.saves == 1, "replay, by type: \(byType)")
      var found: [String] = []
      for path in paths {
        var query = SampleQuery()
        if byType { query.filter.types = [name] } else { query.filter.devices = [name] }
        try query.run(on: TraceFile(path: path), symbols: symbols) {
          found.append(symbols.types.name(of: $0.sample.type))
        }
      }
      #expect(found.map { ExactName($0) } == [ExactName(name)], "query, by type: \(byType)")
    }
  }

  @Test("of both names, keeps both")
  func bothNames() throws {
    var selection = BlockSelection()
    selection.types = Set(Self.names.map { ExactName($0) })
    #expect(selection.types.count == 2)
  }
}
