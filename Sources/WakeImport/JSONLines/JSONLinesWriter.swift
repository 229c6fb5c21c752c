public import WakeEvents

/// Writes events as JSON Lines (SPEC 2); ``JSONLinesReader`` reads equal events back.
///
///     var writer = JSONLinesWriter(symbols: symbols)
///     writer.append(event, to: &buffer)
///
/// Fields stand in a fixed order, and only those that the event has, so equal events give equal
/// lines: `{"t":1767225600000000000,"device":"watch","k":"launch","app":"com.example.run"}`.
public struct JSONLinesWriter {
  private var types: NameTexts<NameOf.SampleType>
  private var sources: NameTexts<NameOf.Source>
  private var apps: NameTexts<NameOf.App>
  private var queries: NameTexts<NameOf.Query>
  private var devices: NameTexts<NameOf.Device>

  /// Makes a writer of events whose names are in `symbols`.
  public init(symbols: Symbols) {
    types = NameTexts(symbols.types)
    sources = NameTexts(symbols.sources)
    apps = NameTexts(symbols.apps)
    queries = NameTexts(symbols.queries)
    devices = NameTexts(symbols.devices)
  }

  /// Appends the line of `event`, newline included.
  ///
  /// - Precondition: The event's symbols came from the writer's `symbols`, and its doubles are
  ///   finite, as everything that was read is.
  /// - Complexity: O(length of the line).
  public mutating func append(_ event: Event, to buffer: inout [UInt8]) {
    var line = LineBuilder(takingFrom: &buffer)
    line.add("t", event.time.nanoseconds)
    let device = devices.text(of: event.device)
    if device.count > 2 { line.add("device", text: device) }
    line.add("k", text: KindTexts.text(of: event.input.kind))
    append(event.input, to: &line)
    line.finish(into: &buffer)
  }

  private mutating func append(_ input: Input, to line: inout LineBuilder) {
    switch input {
    case .save(let sample):
      line.add("type", text: types.text(of: sample.type))
      line.add("source", text: sources.text(of: sample.source))
      if let start = sample.start { line.add("start", start.nanoseconds) }
      if let end = sample.end { line.add("end", end.nanoseconds) }
      if let value = sample.value { line.add("value", value) }
    case .delete(let type, let source):
      line.add("type", text: types.text(of: type))
      line.add("source", text: sources.text(of: source))
    case .enable(let app, let type, let frequency):
      line.add("app", text: apps.text(of: app))
      line.add("type", text: types.text(of: type))
      line.add("frequency", frequency.word)
    case .disable(let app, let type):
      line.add("app", text: apps.text(of: app))
      line.add("type", text: types.text(of: type))
    case .execute(let app, let query, let type, let predicate):
      line.add("app", text: apps.text(of: app))
      line.add("query", text: queries.text(of: query))
      line.add("type", text: types.text(of: type))
      if let predicate { append(predicate, to: &line) }
    case .stop(let app, let query):
      line.add("app", text: apps.text(of: app))
      line.add("query", text: queries.text(of: query))
    case .complete(let app, let item, let result):
      line.add("app", text: apps.text(of: app))
      append(item, to: &line)
      if let result { line.add("result", String(describing: result)) }
    case .disableAll(let app), .launch(let app), .background(let app), .terminate(let app),
      .forceQuit(let app):
      line.add("app", text: apps.text(of: app))
    case .push(let app, let push):
      line.add("app", text: apps.text(of: app))
      append(push, to: &line)
    case .refreshInterval(let app, let interval):
      line.add("app", text: apps.text(of: app))
      append(interval, to: &line)
    case .refreshStatus(let app, let status):
      if let app { line.add("app", text: apps.text(of: app)) } else { line.add("app", "*") }
      line.add("status", String(describing: status))
    case .complication(let app, let isActive):
      line.add("app", text: apps.text(of: app))
      line.add("active", isActive)
    case .entitlement(let app, let isGranted):
      line.add("app", text: apps.text(of: app))
      line.add("granted", isGranted)
    case .network(let isGood), .power(let isGood):
      line.add("good", isGood)
    case .lock, .unlock, .reboot:
      break
    }
  }

  private mutating func append(_ predicate: Predicate, to line: inout LineBuilder) {
    line.beginObject("predicate")
    if let source = predicate.source { line.add("source", text: sources.text(of: source)) }
    if let start = predicate.start { line.add("start", start.nanoseconds) }
    if let end = predicate.end { line.add("end", end.nanoseconds) }
    if let strictStart = predicate.strictStart { line.add("strictStart", strictStart) }
    if let strictEnd = predicate.strictEnd { line.add("strictEnd", strictEnd) }
    if let min = predicate.min { line.add("min", min) }
    if let max = predicate.max { line.add("max", max) }
    line.endObject()
  }

  private mutating func append(_ item: CompletionItem, to line: inout LineBuilder) {
    switch item {
    case .everything: break
    case .push: line.add("item", "push")
    case .refresh: line.add("item", "refresh")
    case .type(let type): line.add("item", text: types.text(of: type))
    }
  }

  private func append(_ push: Push, to line: inout LineBuilder) {
    line.add("id", push.id)
    if let aps = push.aps {
      // Newlines can only be white space in JSON, but would end the line.
      line.add("aps", text: aps.json.utf8.map { $0 == ASCII.newline ? ASCII.space : $0 })
    }
    if let pushType = push.pushType { line.add("pushType", pushType) }
    if let priority = push.priority { line.add("priority", priority) }
  }

  private func append(_ interval: RefreshInterval, to line: inout LineBuilder) {
    switch interval {
    case .never: line.add("interval", "never")
    case .minimum: line.add("interval", "minimum")
    case .seconds(let seconds): line.add("interval", seconds)
    }
  }
}
