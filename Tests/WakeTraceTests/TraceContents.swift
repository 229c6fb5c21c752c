import WakeEvents
import WakeTrace

/// The events of a trace, device by device.
struct TraceContents {
  /// The devices in the order of their first appearance.
  var order: [Device] = []
  /// Their events in order.
  var events: [Device: [Event]] = [:]

  static func byDevice(_ events: [Event]) -> TraceContents {
    var contents = TraceContents()
    for event in events { contents.append(event) }
    return contents
  }

  mutating func append(_ event: Event) {
    if events[event.device] == nil { order.append(event.device) }
    events[event.device, default: []].append(event)
  }

  static func read(_ path: String, symbols: Symbols) throws -> TraceContents {
    let file = try TraceFile(path: path)
    var scan = BlockScan(file)
    let decoder = BlockDecoder(symbols: symbols)
    var contents = TraceContents()
    while let block = try scan.next() {
      try decoder.decode(block, of: file, details: true)
      for run in decoder.runs {
        for row in run.rows {
          contents.append(
            Event(
              time: Timestamp(nanoseconds: decoder.columns.times[row]), device: run.device,
              input: decoder.columns[row]))
        }
      }
    }
    return contents
  }
}
