import CommandLineSupport
import FoundationEssentials
import Measurement
import WakeEvents
import WakeScheduling
import WakeTrace

/// `rouse info`
enum InfoCommand: Command {
  static let name = "info"
  static let specification = Specification(
    name: name,
    summary: "Tell what traces hold.",
    operands: "TRACE…",
    operandCount: 1...(.max),
    options: [
      .init(
        "--depth", value: "DEPTH",
        "headers: inflate nothing; names: only what names need; events (default): all."),
      .init("--json", "Print JSON: an array of an object for each trace."),
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let name = arguments.value("--depth") ?? TraceInfo.Depth.events.rawValue
    guard let depth = TraceInfo.Depth(rawValue: name) else {
      throw arguments.usage("--depth: '\(name)' is none of headers, names, events")
    }
    var infos: [TraceInfo] = []
    var status = ExitStatus.success
    for path in arguments.operands {
      do throws(TraceError) {
        let file = try TraceFile(path: path)
        infos.append(try TraceInfo(of: file, depth: depth))
      } catch let error {
        // The other traces are still looked at.
        Console.message("\(error)")
        status = .failure
      }
    }
    try Console.print(arguments.has("--json") ? try json(infos) : infos.map(text).joined())
    return status
  }

  private static let listed = 20

  private static func text(_ info: TraceInfo) -> String {
    let perEvent = info.events == 0 ? 0 : Double(info.bytes) / Double(info.events)
    var lines = [
      info.file,
      "  \(Console.counted(info.events, "event")) in \(Console.counted(info.blocks, "block")), "
        + "\(Quantity.bytes(info.bytes)), "
        + "of which \(Quantity.bytes(info.detailBytes)) details "
        + "(\(rounded(perEvent)) bytes an event)",
    ]
    if let earliest = info.earliest, let latest = info.latest {
      lines.append("  from \(earliest.iso8601) to \(latest.iso8601)")
    }
    lines.append(
      "  \(info.sortedBlocks) blocks sorted by time, \(info.samplesOnlyBlocks) of samples only, "
        + "\(info.predicateBlocks) that start predicates")
    for stream in info.streams.prefix(listed) {
      let id = hexadecimal(stream.id)
      lines.append(
        "  stream \(id): \(Console.counted(stream.events, "event")) in "
          + "\(Console.counted(stream.blocks, "block")), \(stream.lost) lost")
    }
    more(info.streams.count, "streams", &lines)
    for device in info.devices.prefix(listed) {
      let name =
        device.name.map { $0.isEmpty ? "(no name)" : $0.shown } ?? "#" + hexadecimal(device.hash)
      let range =
        if let earliest = device.earliest, let latest = device.latest {
          ", \(earliest.iso8601) to \(latest.iso8601)"
        } else {
          ""
        }
      lines.append("  device \(name): \(device.events) events\(range)")
    }
    more(info.devices.count, "devices", &lines)
    for type in info.types.prefix(listed) {
      lines.append("  type \(type.name?.shown ?? "#" + hexadecimal(type.hash)): \(type.events)")
    }
    more(info.types.count, "types", &lines)
    if !info.typesAreComplete { lines.append("  some blocks do not list their types") }
    if let counts = info.counts {
      let kinds = InputKind.allCases.filter { counts[$0] > 0 }.map { "\($0.word) \(counts[$0])" }
      lines.append("  inputs: " + kinds.joined(separator: ", "))
      lines.append("  \(counts.sources) sources, \(counts.late) events before their predecessors")
      if !counts.apps.isEmpty {
        lines.append("  apps: " + counts.apps.prefix(listed).map(\.shown).joined(separator: ", "))
        more(counts.apps.count, "apps", &lines)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func more(_ count: Int, _ noun: String, _ lines: inout [String]) {
    if count > listed { lines.append("  and \(count - listed) more \(noun) (--json has them all)") }
  }

  private static func rounded(_ value: Double) -> String {
    let thousandths = Int((value * 1_000).rounded())
    return "\(thousandths / 1_000).\(String(thousandths % 1_000 + 1_000).dropFirst())"
  }

  private static func json(_ infos: [TraceInfo]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(infos.map(InfoRecord.init)), as: UTF8.self) + "\n"
  }
}

/// A 64-bit number as 16 hexadecimal digits, as digests are shown.
private func hexadecimal(_ value: UInt64) -> String { Digest(value: value).description }

/// The JSON of a trace's information; times are nanoseconds since the Unix epoch.
private struct InfoRecord: Encodable {
  struct Device: Encodable {
    var name: String?
    var hash: String
    var events: Int
    var earliest: Int64?
    var latest: Int64?
  }
  struct SampleType: Encodable {
    var name: String?
    var hash: String
    var events: Int
  }
  struct Stream: Encodable {
    var id: String
    var blocks: Int
    var events: Int
    var lost: UInt64
  }

  var file: String
  var bytes: Int64
  var detailBytes: Int64
  var blocks: Int
  var blocksInflated: Int
  var sortedBlocks: Int
  var samplesOnlyBlocks: Int
  var predicateBlocks: Int
  var events: Int
  var lost: UInt64
  var earliest: Int64?
  var latest: Int64?
  var devices: [Device]
  var types: [SampleType]
  var typesAreComplete: Bool
  var streams: [Stream]
  var kinds: [String: Int]?
  var late: Int?
  var sources: Int?
  var apps: [String]?

  init(_ info: TraceInfo) {
    file = info.file
    bytes = info.bytes
    detailBytes = info.detailBytes
    blocks = info.blocks
    blocksInflated = info.blocksInflated
    sortedBlocks = info.sortedBlocks
    samplesOnlyBlocks = info.samplesOnlyBlocks
    predicateBlocks = info.predicateBlocks
    events = info.events
    lost = info.lost
    earliest = info.earliest?.nanoseconds
    latest = info.latest?.nanoseconds
    devices = info.devices.map {
      Device(
        name: $0.name, hash: hexadecimal($0.hash), events: $0.events,
        earliest: $0.earliest?.nanoseconds, latest: $0.latest?.nanoseconds)
    }
    types = info.types.map {
      SampleType(name: $0.name, hash: hexadecimal($0.hash), events: $0.events)
    }
    typesAreComplete = info.typesAreComplete
    streams = info.streams.map {
      Stream(id: hexadecimal($0.id), blocks: $0.blocks, events: $0.events, lost: $0.lost)
    }
    if let counts = info.counts {
      kinds = [:]
      for kind in InputKind.allCases where counts[kind] > 0 { kinds?[kind.word] = counts[kind] }
      late = counts.late
      sources = counts.sources
      apps = counts.apps
    }
  }
}
