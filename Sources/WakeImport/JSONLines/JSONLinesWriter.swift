public import WakeEvents
package import WakeJSON

/// Writes events as JSON Lines (page Rules, section 2); ``JSONLinesReader`` reads equal events back.
///
///     var writer = JSONLinesWriter(symbols: symbols)
///     writer.append(event, to: &buffer)
///
/// The order of fields is fixed and absent ones are left out, so equal events give equal lines:
/// `{"t":1767225600000000000,"device":"watch","k":"launch","app":"com.example.run"}`.
public struct JSONLinesWriter {
  private var types: NameTexts<NameOf.SampleType>
  private var sources: NameTexts<NameOf.Source>
  private var apps: NameTexts<NameOf.App>
  private var queries: NameTexts<NameOf.Query>
  private var devices: NameTexts<NameOf.Device>
  private let times: JSONTimeForm

  /// Makes a writer of events whose names are in `symbols`.
  public init(symbols: Symbols) { self.init(symbols: symbols, times: .nanoseconds) }

  /// Makes a writer of lines with points in time in this form. ``JSONLinesReader`` reads nanoseconds alone.
  package init(symbols: Symbols, times: JSONTimeForm) {
    self.times = times
    types = NameTexts(symbols.types)
    sources = NameTexts(symbols.sources)
    apps = NameTexts(symbols.apps)
    queries = NameTexts(symbols.queries)
    devices = NameTexts(symbols.devices)
  }

  /// Appends the line of `event`, newline included.
  ///
  /// - Precondition: The event's symbols are of the writer's `symbols`, and its doubles are finite.
  /// - Complexity: O(length of the line).
  public mutating func append(_ event: Event, to buffer: inout [UInt8]) {
    var line = JSONWriter(.line, times: times)
    swap(&line.bytes, &buffer)
    line.beginObject()
    line.member("t", time: event.time)
    let device = devices.text(of: event.device)
    if device.count > 2 { line.member("device", text: device) }
    line.member("k", text: kindTexts[Int(event.input.kind.rawValue)])
    append(event.input, to: &line)
    line.endObject()
    line.bytes.append(ASCII.newline)
    swap(&line.bytes, &buffer)
  }

  private mutating func append(_ input: Input, to line: inout JSONWriter) {
    let subject = input.subject
    if let app = subject.app { line.member("app", text: apps.text(of: app)) }
    if let query = subject.query { line.member("query", text: queries.text(of: query)) }
    if let type = subject.type { line.member("type", text: types.text(of: type)) }
    switch input {
    case .save(let sample):
      line.member("type", text: types.text(of: sample.type))
      line.member("source", text: sources.text(of: sample.source))
      if let start = sample.start { line.member("start", time: start) }
      if let end = sample.end { line.member("end", time: end) }
      if let value = sample.value { line.member("value", value) }
    case .delete(let type, let source):
      line.member("type", text: types.text(of: type))
      line.member("source", text: sources.text(of: source))
    case .enable(_, _, let frequency):
      line.member("frequency", frequency.word)
    case .execute(_, _, _, let predicate):
      if let predicate { append(predicate, to: &line) }
    case .complete(_, let item, let result):
      append(item, to: &line)
      if let result { line.member("result", String(describing: result)) }
    case .push(_, let push):
      append(push, to: &line)
    case .refreshInterval(_, let interval):
      append(interval, to: &line)
    case .refreshStatus(let app, let status):
      if let app { line.member("app", text: apps.text(of: app)) } else { line.member("app", "*") }
      line.member("status", String(describing: status))
    case .complication(_, let isActive):
      line.member("active", isActive)
    case .entitlement(_, let isGranted):
      line.member("granted", isGranted)
    case .network(let isGood), .power(let isGood):
      line.member("good", isGood)
    case .disable, .disableAll, .stop, .launch, .background, .terminate, .forceQuit, .lock, .unlock,
      .reboot:
      break
    case .observed(_, let observation):
      append(observation, to: &line)
    }
  }

  private mutating func append(_ observation: Observation, to line: inout JSONWriter) {
    line.member("types", observation.types) { $0.bytes += types.text(of: $1) }
    if let push = observation.push { line.member("push", push) }
    if let refresh = observation.refresh { line.member("refresh", refresh) }
    if let outcome = observation.outcome { line.member("outcome", String(describing: outcome)) }
    if let end = observation.end { line.member("end", time: end) }
  }

  private mutating func append(_ predicate: Predicate, to line: inout JSONWriter) {
    line.key("predicate")
    line.beginObject()
    if let source = predicate.source { line.member("source", text: sources.text(of: source)) }
    if let start = predicate.start { line.member("start", time: start) }
    if let end = predicate.end { line.member("end", time: end) }
    if let strictStart = predicate.strictStart { line.member("strictStart", strictStart) }
    if let strictEnd = predicate.strictEnd { line.member("strictEnd", strictEnd) }
    if let min = predicate.min { line.member("min", min) }
    if let max = predicate.max { line.member("max", max) }
    line.endObject()
  }

  private mutating func append(_ item: CompletionItem, to line: inout JSONWriter) {
    switch item {
    case .everything: break
    case .push: line.member("item", "push")
    case .refresh: line.member("item", "refresh")
    case .type(let type): line.member("item", text: types.text(of: type))
    }
  }

  private func append(_ push: Push, to line: inout JSONWriter) {
    line.member("id", push.id)
    if let aps = push.aps {
      // A newline is white space in JSON, but would end the line.
      line.member("aps", text: aps.json.utf8.map { $0 == ASCII.newline ? ASCII.space : $0 })
    }
    if let pushType = push.pushType { line.member("pushType", pushType) }
    if let priority = push.priority { line.member("priority", priority) }
  }

  private func append(_ interval: RefreshInterval, to line: inout JSONWriter) {
    switch interval {
    case .never: line.member("interval", "never")
    case .minimum: line.member("interval", "minimum")
    case .seconds(let seconds): line.member("interval", seconds)
    }
  }
}

/// The names of a table as JSON strings, made once each.
private struct NameTexts<Namespace> {
  private let table: SymbolTable<Namespace>
  /// By symbol; empty until asked for.
  private var texts: [[UInt8]] = []

  init(_ table: SymbolTable<Namespace>) {
    self.table = table
  }

  mutating func text(of symbol: Symbol<Namespace>) -> [UInt8] {
    let index = Int(symbol.index)
    while texts.count <= index { texts.append([]) }
    if texts[index].isEmpty { texts[index] = JSONWriter.bytes(of: table.name(of: symbol)) }
    return texts[index]
  }
}

/// The words of the kinds as JSON strings.
private let kindTexts = InputKind.allCases.map { JSONWriter.bytes(of: $0.word) }
