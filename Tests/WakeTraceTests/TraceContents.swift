import WakeEvents
import WakeTestSupport
import WakeTrace

/// The events of a trace, device by device.
struct TraceContents {
  /// The devices in the order of their first appearance.
  private(set) var order: [Device] = []
  /// Their events in order.
  private(set) var events: [Device: [Event]] = [:]

  init(_ events: [Event] = []) {
    for event in events { append(event) }
  }

  mutating func append(_ event: Event) {
    if events[event.device] == nil { order.append(event.device) }
    events[event.device, default: []].append(event)
  }

  /// Adds the block that was read last.
  mutating func append(_ decoder: BlockDecoder) {
    for run in decoder.runs {
      for row in run.rows {
        append(
          Event(
            time: Timestamp(nanoseconds: decoder.columns.times[row]), device: run.device,
            input: decoder.columns[row]))
      }
    }
  }

  /// Reads a whole trace.
  init(_ path: String, symbols: Symbols) throws {
    let file = try TraceFile(path: path)
    var scan = BlockScan(file)
    let decoder = BlockDecoder(symbols: symbols)
    self.init()
    while let block = try scan.next() {
      try decoder.decode(block, of: file, details: true)
      append(decoder)
    }
  }

  /// All events, device by device.
  var all: [Event] { order.flatMap { events[$0] ?? [] } }

  /// A line of JSON for each event, device by device: unlike `==`, it tells -0 from 0.
  func lines(_ symbols: Symbols) -> [String] {
    all.map { CasePrinter.line($0, symbols: symbols) }
  }

  /// What is another in `given`, in words; nil if nothing is.
  func difference(from given: TraceContents, _ symbols: Symbols) -> String? {
    let (lines, expected) = (lines(symbols), given.lines(symbols))
    for (row, (line, wanted)) in zip(lines, expected).enumerated()
    where !line.utf8.elementsEqual(wanted.utf8) {
      return "event \(row) is\n\(line)\nand was\n\(wanted)"
    }
    return lines.count == expected.count ? nil : "\(lines.count) events, and \(expected.count) were"
  }
}
