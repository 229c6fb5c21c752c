import Foundation
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

/// What joined streams are to a device, put plainly: merged by time, ties in the order in which the
/// streams first appear, each in its own order (DESIGN, "The trace file").
enum PlainMerge {
  /// The events of files, device by device in the order of first appearance.
  static func events(of paths: [String], symbols: Symbols) throws -> [Event] {
    var devices: [Device] = []
    var streams: [Device: [(stream: UInt64, events: [Event])]] = [:]
    for path in paths {
      try forEachBlock(of: path) { file, block in
        let decoder = BlockDecoder(symbols: symbols)
        try decoder.decode(block, of: file, details: true)
        for run in decoder.runs {
          if streams[run.device] == nil { devices.append(run.device) }
          let events = run.rows.map { row in
            Event(
              time: Timestamp(nanoseconds: decoder.columns.times[row]), device: run.device,
              input: decoder.columns[row])
          }
          let known = streams[run.device]?.firstIndex { $0.stream == block.header.stream }
          if let known {
            streams[run.device]?[known].events += events
          } else {
            streams[run.device, default: []].append((block.header.stream, events))
          }
        }
      }
    }
    return devices.flatMap { merge(streams[$0]?.map(\.events) ?? []) }
  }

  /// Merges streams in the order of their first appearance.
  static func merge(_ streams: [[Event]]) -> [Event] {
    var rests = streams.map { $0[...] }
    var merged: [Event] = []
    while true {
      var next: Int?
      for (place, rest) in rests.enumerated() {
        guard let time = rest.first?.time else { continue }
        if let best = next, let earliest = rests[best].first?.time, earliest <= time { continue }
        next = place
      }
      guard let next else { return merged }
      merged.append(rests[next].removeFirst())
    }
  }

  /// The blocks of a trace as bytes.
  static func blocks(of path: String) throws -> [[UInt8]] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var blocks: [[UInt8]] = []
    try forEachBlock(of: path) { _, block in
      let start = Int(block.offset)
      blocks.append(Array(bytes[start..<start + block.length]))
    }
    return blocks
  }

  /// Events with those of one device together, devices in the order in which `order` has them first.
  static func byDevice(_ events: [Event], inOrderOf order: [Event]) -> [Event] {
    var devices: [Device] = []
    for event in order where !devices.contains(event.device) { devices.append(event.device) }
    return devices.flatMap { device in events.filter { $0.device == device } }
  }

  private static func forEachBlock(
    of path: String, _ take: (TraceFile, BlockEntry) throws -> Void
  ) throws {
    let file = try TraceFile(path: path)
    var scan = BlockScan(file)
    while let block = try scan.next() { try take(file, block) }
  }
}
