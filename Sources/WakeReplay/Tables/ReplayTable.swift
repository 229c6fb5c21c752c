package import WakeEvents

/// The tables that a trace and its replay can be exported as.
package enum ReplayTable: String, CaseIterable, Sendable {
  /// A row for each wake.
  case wakes
  /// A row for each type, push or refresh that a wake carries.
  case items
  /// A row for each stretch of waiting with the same reasons, of waits that are over for good.
  case waits
  /// A row for each save and delete.
  case samples
  /// A row for each app, all devices together.
  case apps

  package var columns: [String] {
    switch self {
    case .wakes:
      [
        "device", "wake", "t", "app", "types", "saves", "oldest", "push", "refresh", "outcome",
        "end",
      ]
    case .items: ["device", "wake", "t", "app", "item", "name", "saves", "since"]
    case .waits:
      [
        "device", "wake", "app", "item", "name", "since", "from", "to", "ns", "reasons", "ending",
      ]
    case .samples: ["device", "t", "kind", "type", "source", "start", "end", "value"]
    case .apps: ["app"] + ReplayResult.App.counts.map(\.key)
    }
  }

  /// The header's row.
  package var header: CSVWriter { CSVWriter(header: columns) }
}

extension CSVWriter {
  /// Writes a row of ``ReplayTable/samples``; nothing for other inputs.
  package mutating func row(_ event: Event, _ symbols: Symbols) {
    switch event.input {
    case .save(let sample):
      begin(event, "save", sample.type, sample.source, symbols)
      field(sample.start)
      field(sample.end)
      field(sample.value)
      endRow()
    case .delete(let type, let source):
      begin(event, "delete", type, source, symbols)
      for _ in 0..<3 { field(nil as String?) }
      endRow()
    default:
      break
    }
  }

  private mutating func begin(
    _ event: Event, _ kind: String, _ type: SampleType, _ source: Source, _ symbols: Symbols
  ) {
    field(device: symbols.devices.name(of: event.device))
    field(event.time)
    field(kind)
    field(symbols.types.name(of: type))
    field(symbols.sources.name(of: source))
  }

  /// Writes a row of ``ReplayTable/apps``.
  package mutating func row(_ app: ReplayResult.App) {
    field(app.app)
    for (_, path) in ReplayResult.App.counts { field(app[keyPath: path]) }
    endRow()
  }
}
