import WakeEvents
import WakeTestSupport

@testable import WakeTrace

/// A trace of a test's own, in small blocks, with its events in the file's order.
struct QueryTrace {
  let symbols: Symbols
  let events: [Event]
  let path: String
  private let folder: ScratchFolder

  /// Writes events in the order given; those of a device must stand together.
  init(
    _ events: [Event], symbols: Symbols, eventsPerBlock: Int = TraceLimits.eventsPerBlock
  ) throws {
    folder = try ScratchFolder()
    path = folder.file("query.wtrace")
    self.symbols = symbols
    self.events = events
    try Self.write(events, symbols, to: path, eventsPerBlock)
  }

  /// Random events of every kind, device after device.
  init(seed: UInt64, count: Int, eventsPerBlock: Int) throws {
    let random = RandomInputs(seed: seed, count: count)
    let contents = TraceContents(random.events)
    try self.init(
      contents.order.flatMap { contents.events[$0] ?? [] }, symbols: random.symbols,
      eventsPerBlock: eventsPerBlock)
  }

  static func write(
    _ events: [Event], _ symbols: Symbols, to path: String, _ eventsPerBlock: Int
  ) throws {
    let output = try FileOutput(path: path)
    let writer = try TraceWriter(
      output: output, symbols: symbols, level: 1, eventsPerBlock: eventsPerBlock)
    for event in events { try writer.append(event) }
    try writer.finish()
    try output.commit()
  }

  func open() throws -> TraceFile { try TraceFile(path: path) }

  func samples(_ query: SampleQuery) throws -> (samples: [SavedSample], QueryStatistics) {
    var samples: [SavedSample] = []
    let statistics = try query.run(on: open(), symbols: symbols) { samples.append($0) }
    return (samples, statistics)
  }

  func changes(
    _ query: AnchoredQuery
  ) throws -> (changes: [SampleChange], outcome: AnchoredQuery.Outcome) {
    var changes: [SampleChange] = []
    let outcome = try query.run(on: open(), symbols: symbols) { changes.append($0) }
    return (changes, outcome)
  }

  /// What passes a filter, by looking at every event.
  func expectedChanges(_ filter: SampleFilter) -> [SampleChange] {
    events.enumerated().compactMap { position, event in
      let type: SampleType
      switch event.input {
      case .save(let sample): type = sample.type
      case .delete(let deleted, _): type = deleted
      default: return nil
      }
      if let types = filter.types, !types.contains(symbols.types.name(of: type)) { return nil }
      if let devices = filter.devices,
        !devices.contains(symbols.devices.name(of: event.device))
      {
        return nil
      }
      if let from = filter.from, event.time < from { return nil }
      if let to = filter.to, event.time >= to { return nil }
      if case .save(let sample) = event.input {
        if let predicate = filter.predicate, !predicate.matches(sample, writtenAt: event.time) {
          return nil
        }
        return .saved(
          SavedSample(
            sample: sample, device: event.device, savedAt: event.time, position: position))
      }
      guard case .delete(_, let source) = event.input else { return nil }
      return .deleted(
        DeletedSample(
          type: type, source: source, device: event.device, deletedAt: event.time,
          position: position))
    }
  }

  /// A filter of which each part is there or not.
  func randomFilter(_ random: inout SplitMix64) -> SampleFilter {
    func names<Namespace>(
      _ table: SymbolTable<Namespace>, _ random: inout SplitMix64
    ) -> [String] {
      (0..<1 + random.below(2)).map { _ in
        table.name(of: Symbol(index: UInt32(random.below(table.count))))
      }
    }
    func time(_ random: inout SplitMix64) -> Timestamp { random.pick(events).time }
    var filter = SampleFilter()
    if random.chance(50) { filter.types = names(symbols.types, &random) }
    if random.chance(30) { filter.devices = names(symbols.devices, &random) }
    if random.chance(30) { filter.from = time(&random) }
    if random.chance(30) { filter.to = time(&random) }
    if random.chance(40) {
      var predicate = Predicate()
      if random.chance(30) { predicate.source = Source(index: 0) }
      if random.chance(40) { predicate.start = time(&random) }
      if random.chance(40) { predicate.end = time(&random) }
      if random.chance(40) { predicate.strictStart = true }
      if random.chance(40) { predicate.strictEnd = true }
      if random.chance(30) { predicate.min = Double(random.below(100)) }
      if random.chance(30) { predicate.max = Double(random.below(200)) }
      filter.predicate = predicate
    }
    return filter
  }
}

extension SampleChange {
  var saved: SavedSample? {
    guard case .saved(let saved) = self else { return nil }
    return saved
  }
}

/// Saves of one type each second, with the names of types, devices and sources made as needed.
struct SecondBySecond {
  let symbols = Symbols()
  private(set) var events: [Event] = []

  static func time(_ second: Int) -> Timestamp {
    Timestamp(nanoseconds: Int64(second) * 1_000_000_000)
  }

  mutating func save(
    _ type: String, at second: Int, device: String = "", start: Int? = nil, end: Int? = nil,
    value: Double? = nil
  ) {
    let sample = Sample(
      type: symbols.types.intern(type), source: symbols.sources.intern("watch"),
      start: start.map(Self.time), end: end.map(Self.time), value: value)
    add(.save(sample), at: second, device: device)
  }

  mutating func delete(_ type: String, at second: Int, device: String = "") {
    let input = Input.delete(
      type: symbols.types.intern(type), source: symbols.sources.intern("watch"))
    add(input, at: second, device: device)
  }

  mutating func add(_ input: Input, at second: Int, device: String = "") {
    events.append(
      Event(
        time: Self.time(second), device: symbols.devices.intern(device), input: input))
  }
}
