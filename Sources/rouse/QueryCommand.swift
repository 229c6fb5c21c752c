import CommandLineSupport
import Measurement
import WakeEvents
import WakeImport
import WakeJSON
import WakeTrace

enum QueryCommand: Command {
  static let specification = Specification(
    name: "query",
    summary: "Find saved samples in a trace, or the changes since an anchor.",
    operands: "TRACE",
    operandCount: 1...1,
    discussion: """
      Prints JSON Lines. Without --after: the saved samples, in the order of --sort. With --after: the
      saves and deletes after the anchor, in the order of the trace; the new anchor goes to standard
      error, or into the object of --json. With --observed: the wakes that a real system gave apps.
      Blocks whose headers rule out a result are not decoded. T is a time such as 2026-01-01 or
      2026-01-01T08:00:00Z, or nanoseconds since 1970.
      """,
    options: [
      .init("--type", value: "TYPE", repeats: true, "Only samples of this type (repeatable)."),
      .init(
        "--device", value: "NAME", repeats: true,
        "Only this device (repeatable; '' is the unnamed one)."),
      .init("--source", value: "NAME", "Only samples of this source."),
      .init("--start", value: "T", "Only samples that end at or after T."),
      .init("--end", value: "T", "Only samples that start before T."),
      .init("--strict-start", "With --start T: only samples that start at or after T."),
      .init("--strict-end", "With --end T: only samples that end at or before T."),
      .init("--min", value: "X", "Only samples with a value of at least X."),
      .init("--max", value: "X", "Only samples with a value of at most X."),
      .init("--from", value: "T", "Only samples saved at or after T."),
      .init("--to", value: "T", "Only samples saved before T."),
      .init(
        "--sort", value: "ORDER", words: orders.map(\.key),
        "start, end, -start or -end (descending); default trace order."),
      .init("--limit", value: "N", "At most N results; 0 (default) is no limit."),
      .init("--observed", "Observations instead; --type is then one of the wake's types."),
      .init("--after", value: "ANCHOR", "Saves and deletes after the anchor; 0 is the beginning."),
      .init("--json", "Print one JSON object with results, anchor and block counts."),
      .times,
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let symbols = Symbols()
    let filter = try filter(arguments, symbols: symbols)
    let limit = try arguments.number("--limit", in: 0...(.max)) ?? 0
    let order = try order(arguments)
    let times = try arguments.times()
    let file = try TraceFile(path: arguments.operands[0])
    Console.tellOrder(of: [file])
    var printer = try ResultPrinter(
      symbols: symbols, asObject: arguments.has("--json"), times: times)
    if arguments.has("--observed") {
      let others = [
        "--after", "--sort", "--source", "--start", "--end", "--strict-start", "--strict-end",
        "--min", "--max",
      ]
      for option in others where arguments.has(option) {
        throw arguments.usage("\(option) cannot be combined with --observed")
      }
      let query = ObservationQuery(filter: filter, limit: limit)
      try printer.finish(
        try query.run(on: file, symbols: symbols) { try printer.print($0) }, anchor: nil)
    } else if let text = arguments.value("--after") {
      guard order == .trace else {
        throw arguments.usage(
          "--after cannot be combined with --sort: changes have the order of the trace")
      }
      let anchor: TraceAnchor
      do {
        anchor = try TraceAnchor(parsing: text)
      } catch let error {
        throw arguments.usage("--after: \(error)")
      }
      let query = AnchoredQuery(filter: filter, anchor: anchor, limit: limit)
      let outcome = try query.run(on: file, symbols: symbols) { try printer.print($0.event) }
      try printer.finish(outcome.statistics, anchor: outcome.anchor)
      remark(on: filter, file)
    } else {
      let query = SampleQuery(filter: filter, order: order, limit: limit)
      let statistics = try query.run(on: file, symbols: symbols) { try printer.print($0.event) }
      try printer.finish(statistics, anchor: nil)
      let range = SampleFilter(from: filter.from, to: filter.to)
      remark(on: filter, file, isEmpty: statistics.returned == 0 && filter == range)
    }
    return .success
  }

  /// Tells what of a filter matches nothing in the trace.
  ///
  /// - Parameter isEmpty: Whether nothing is in its range.
  private static func remark(on filter: SampleFilter, _ file: TraceFile, isEmpty: Bool = false) {
    guard filter.types != nil || filter.devices != nil || filter.from != nil || filter.to != nil,
      let names = try? TraceNames([file])
    else { return }
    let remarks =
      names.unmatched(types: filter.types ?? []) + names.unmatched(devices: filter.devices ?? [])
      + names.outside(filter.from?.nanoseconds, filter.to?.nanoseconds, isEmpty: isEmpty)
    for remark in remarks { Console.message(remark) }
  }

  private static func filter(_ arguments: Arguments, symbols: Symbols) throws -> SampleFilter {
    var predicate = Predicate()
    predicate.source = arguments.value("--source").map(symbols.sources.intern)
    predicate.start = try arguments.time("--start")
    predicate.end = try arguments.time("--end")
    for (strict, bound) in [("--strict-start", "--start"), ("--strict-end", "--end")]
    where arguments.has(strict) && !arguments.has(bound) {
      throw arguments.usage("\(strict) requires \(bound)")
    }
    if arguments.has("--strict-start") { predicate.strictStart = true }
    if arguments.has("--strict-end") { predicate.strictEnd = true }
    predicate.min = try value("--min", arguments)
    predicate.max = try value("--max", arguments)
    var filter = SampleFilter()
    if arguments.has("--type") { filter.types = arguments.all("--type") }
    if arguments.has("--device") { filter.devices = arguments.all("--device") }
    if predicate != Predicate() { filter.predicate = predicate }
    filter.from = try arguments.time("--from")
    filter.to = try arguments.time("--to")
    return filter
  }

  private static func value(_ option: String, _ arguments: Arguments) throws -> Double? {
    guard let text = arguments.value(option) else { return nil }
    guard let value = Double(text), value.isFinite else {
      throw arguments.usage("\(option): '\(text)' is not a number")
    }
    return value
  }

  private static let orders: KeyValuePairs<String, SampleQuery.Order> = [
    "start": .startAscending, "end": .endAscending, "-start": .startDescending,
    "-end": .endDescending,
  ]

  private static func order(_ arguments: Arguments) throws -> SampleQuery.Order {
    guard let name = arguments.value("--sort") else { return .trace }
    guard let order = orders.first(where: { $0.key == name })?.value else {
      throw arguments.usage("--sort: '\(name)' is not one of start, end, -start, -end")
    }
    return order
  }
}

/// Prints events as JSON Lines, or as the results of one JSON object.
private struct ResultPrinter {
  private let output: FileOutput
  private var writer: JSONLinesWriter
  private let asObject: Bool
  private var bytes: [UInt8] = []
  private var count = 0

  init(symbols: Symbols, asObject: Bool, times: JSONTimeForm) throws {
    output = try FileOutput(path: "-")
    writer = JSONLinesWriter(symbols: symbols, times: times)
    self.asObject = asObject
    if asObject { bytes += "{\"results\":[\n".utf8 }
  }

  mutating func print(_ event: Event) throws {
    if asObject, count > 0 { bytes += ",\n".utf8 }
    writer.append(event, to: &bytes)
    if asObject { bytes.removeLast() }
    count += 1
    if bytes.count > 1 << 16 {
      try output.write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
  }

  mutating func finish(_ statistics: QueryStatistics, anchor: TraceAnchor?) throws {
    if asObject {
      let anchorField = anchor.map { ",\"anchor\":\"\($0)\"" } ?? ""
      bytes +=
        """
        \n],"returned":\(statistics.returned),"blocksRead":\(statistics.blocksRead),\
        "blocksSkipped":\(statistics.blocksSkipped)\(anchorField)}\n
        """.utf8
    }
    try output.write(bytes)
    try output.commit()
    guard !asObject else { return }
    if let anchor { Console.message("anchor \(anchor)") }
    Console.message(
      """
      \(Quantity.counted(statistics.returned, "result")); \
      \(Quantity.counted(statistics.blocksRead, "block")) read, \
      \(statistics.blocksSkipped) skipped
      """)
  }
}

extension SavedSample {
  fileprivate var event: Event { Event(time: savedAt, device: device, input: .save(sample)) }
}

extension SampleChange {
  fileprivate var event: Event {
    switch self {
    case .saved(let saved): saved.event
    case .deleted(let deleted):
      Event(
        time: deleted.deletedAt, device: deleted.device,
        input: .delete(type: deleted.type, source: deleted.source))
    }
  }
}
