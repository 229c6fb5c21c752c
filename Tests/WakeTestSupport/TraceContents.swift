public import WakeEvents
import Kernels
package import WakeTrace

/// The events of a trace, device by device.
public struct TraceContents {
  /// The devices in the order of their first appearance.
  public private(set) var order: [Device] = []
  /// Their events in order.
  public private(set) var events: [Device: [Event]] = [:]

  public init(_ events: [Event] = []) {
    for event in events { append(event) }
  }

  public mutating func append(_ event: Event) {
    if events[event.device] == nil { order.append(event.device) }
    events[event.device, default: []].append(event)
  }

  /// Adds the block that was read last.
  package mutating func append(_ decoder: BlockDecoder) {
    for run in decoder.runs {
      for row in run.rows {
        append(
          Event(
            time: Timestamp(nanoseconds: decoder.columns.times[row]), device: run.device,
            input: decoder.columns[row]))
      }
    }
  }

  /// Reads a whole trace, on a processor path that depends on its length.
  public init(_ path: String, symbols: Symbols) throws {
    let file = try TraceFile(path: path)
    var scan = BlockScan(file)
    let paths = ProcessorPath.available
    let decoder = BlockDecoder(symbols: symbols, path: paths[Int(file.length % Int64(paths.count))])
    self.init()
    while let block = try scan.next() {
      try decoder.decode(block, of: file, details: true, observations: true)
      append(decoder)
    }
  }

  /// All events, device by device.
  public var all: [Event] { order.flatMap { events[$0] ?? [] } }

  /// What is another than in `given`, in words; nil if nothing is.
  ///
  /// More is told apart than by `==`: -0 from 0, and texts that are only canonically equivalent.
  public func difference(from given: TraceContents, _ symbols: Symbols) -> String? {
    let (events, expected) = (all, given.all)
    for (row, (event, wanted)) in zip(events, expected).enumerated()
    where !Self.areSame(event, wanted, symbols) {
      return """
        event \(row) is
        \(CasePrinter.line(event, symbols: symbols))
        and was
        \(CasePrinter.line(wanted, symbols: symbols))
        """
    }
    return events.count == expected.count
      ? nil : "\(events.count) events, and \(expected.count) were"
  }

  private static func areSame(_ event: Event, _ other: Event, _ symbols: Symbols) -> Bool {
    guard event == other else { return false }
    switch (event.input, other.input) {
    case (.save(let sample), .save(let otherSample)):
      return sample.value?.bitPattern == otherSample.value?.bitPattern
    case (.execute, _), (.push, _), (.observed, _):
      let lines = [event, other].map { CasePrinter.line($0, symbols: symbols) }
      return lines[0].utf8.elementsEqual(lines[1].utf8)
    default: return true
    }
  }
}
