import CommandLineSupport
import Measurement
import WakeEvents
import WakeJSON
import WakeScheduling
import WakeTrace

enum InfoCommand: Command {
  static let specification = Specification(
    name: "info",
    summary: "Describe the content of traces.",
    operands: "TRACE…",
    operandCount: 1...(.max),
    discussion: "TRACE may be @LIST, a file with the path of a trace in each line.",
    options: [
      .init(
        "--depth", value: "DEPTH", words: TraceInfo.Depth.allCases.map(\.rawValue),
        "What to decode: headers, names (symbol tables only) or events (default)."),
      .init("--json", "Print a JSON array with an object for each trace."),
      .times,
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let name = arguments.value("--depth") ?? TraceInfo.Depth.events.rawValue
    guard let depth = TraceInfo.Depth(rawValue: name) else {
      throw arguments.usage("--depth: '\(name)' is not one of headers, names, events")
    }
    let times = try arguments.times(in: "--json")
    var infos: [TraceInfo] = []
    var status = ExitStatus.success
    for path in try arguments.paths().all {
      defer { Console.tellLeftRings(of: path) }
      do throws(TraceError) {
        let file = try TraceFile(path: path)
        Console.tellOrder(of: [file])
        infos.append(try TraceInfo(of: file, depth: depth))
      } catch let error {
        // The other traces are still described.
        Console.message("\(error)")
        status = .failure
      }
    }
    try Console.print(
      arguments.has("--json")
        ? Console.json(infos, times: times) { $1.write(to: &$0) } : infos.map(text).joined())
    return status
  }

  private static let listed = 20

  private static func text(_ info: TraceInfo) -> String {
    var lines = [
      info.file.shown,
      "  \(Quantity.counted(info.events, "event")) in \(Quantity.counted(info.blocks, "block")), "
        + "\(Quantity.bytes(info.bytes)), of which \(Quantity.bytes(info.detailBytes)) details "
        + "(\(Console.perEvent(info.events == 0 ? 0 : info.bytes, info.events)) bytes an event)",
    ]
    if info.observations > 0 {
      lines.append(
        "  of them \(Quantity.counted(info.observations, "observation")), which a replay ignores")
    }
    if let earliest = info.earliest, let latest = info.latest {
      lines.append("  from \(earliest.iso8601) to \(latest.iso8601)")
    }
    lines.append(
      "  \(Quantity.counted(info.sortedBlocks, "block")) sorted by time, "
        + "\(info.samplesOnlyBlocks) of samples only, "
        + "\(info.predicateBlocks) that start predicates")
    func list<Element>(_ elements: [Element], _ noun: String, _ line: (Element) -> String) {
      lines += elements.prefix(listed).map(line)
      more(elements.count, noun, &lines)
    }
    list(info.streams, "streams") { stream in
      "  stream \(hexadecimal(stream.id)): \(Quantity.counted(stream.events, "event")) in "
        + "\(Quantity.counted(stream.blocks, "block")), \(stream.lost) lost"
    }
    list(info.devices, "devices") { device in
      let name =
        device.name.map { $0.isEmpty ? "(no name)" : $0.shown } ?? "#" + hexadecimal(device.hash)
      let range =
        if let earliest = device.earliest, let latest = device.latest {
          ", \(earliest.iso8601) to \(latest.iso8601)"
        } else {
          ""
        }
      return "  device \(name): \(Quantity.counted(device.events, "event"))\(range)"
    }
    list(info.types, "types") { type in
      "  type \(type.name?.shown ?? "#" + hexadecimal(type.hash)): \(type.events)"
    }
    if !info.typesAreComplete { lines.append("  some blocks do not list their types") }
    if let counts = info.counts {
      let kinds = InputKind.allCases.filter { counts[$0] > 0 && $0 != .observed }
        .map { "\($0.word) \(counts[$0])" }
      lines.append("  inputs: " + (kinds.isEmpty ? "none" : kinds.joined(separator: ", ")))
      lines.append(
        "  \(Quantity.counted(counts.sources, "source")), "
          + "\(Quantity.counted(counts.late, "event")) earlier than the one before")
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
}

/// A 64-bit number as 16 hexadecimal digits, as digests are shown.
private func hexadecimal(_ value: UInt64) -> String { Digest(value: value).description }

// Keys are sorted.
extension TraceInfo {
  fileprivate func write(to json: inout JSONWriter) {
    if let counts { json.member("apps", counts.apps) { $0.value($1) } }
    json.member("blocks", blocks)
    json.member("blocksInflated", blocksInflated)
    json.member("bytes", bytes)
    json.member("detailBytes", detailBytes)
    json.member("devices", devices) { json, device in
      json.object {
        $0.memberIfPresent("earliest", time: device.earliest)
        $0.member("events", device.events)
        $0.member("hash", hexadecimal(device.hash))
        $0.memberIfPresent("latest", time: device.latest)
        $0.memberIfPresent("name", device.name)
      }
    }
    json.memberIfPresent("earliest", time: earliest)
    json.member("events", events)
    json.member("file", file)
    if let counts {
      json.member("kinds") { json in
        let words = InputKind.allCases.filter { counts[$0] > 0 }.map { ($0.word, counts[$0]) }
        for (word, count) in words.sorted(by: { $0.0 < $1.0 }) {
          json.key(escaping: word)
          json.value(count)
        }
      }
    }
    json.memberIfPresent("late", counts?.late)
    json.memberIfPresent("latest", time: latest)
    json.member("lost", lost)
    json.member("observations", observations)
    json.member("predicateBlocks", predicateBlocks)
    json.member("samplesOnlyBlocks", samplesOnlyBlocks)
    json.member("sortedBlocks", sortedBlocks)
    json.memberIfPresent("sources", counts?.sources)
    json.member("streams", streams) { json, stream in
      json.object {
        $0.member("blocks", stream.blocks)
        $0.member("events", stream.events)
        $0.member("id", hexadecimal(stream.id))
        $0.member("lost", stream.lost)
      }
    }
    json.member("types", types) { json, type in
      json.object {
        $0.member("events", type.events)
        $0.member("hash", hexadecimal(type.hash))
        $0.memberIfPresent("name", type.name)
      }
    }
    json.member("typesAreComplete", typesAreComplete)
  }
}
