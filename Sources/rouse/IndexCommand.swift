import CommandLineSupport
import Measurement
import WakeEvents
import WakeJSON
import WakeScheduling
import WakeTrace

enum IndexCommand: Command {
  static let specification = Specification(
    name: "index",
    summary: "Write beside traces where their blocks are and what they hold.",
    operands: "TRACE…",
    operandCount: 1...(.max),
    discussion: """
      TRACE.index is written as JSON Lines (see the page JSON output): a line for the trace, and one for
      each block with its offset and length. These bytes alone are a trace, so that a task can fetch a
      part of a large one. Blocks of the same group have devices in common; what has all blocks of a
      group, and no other, can be replayed by itself and merged ('rouse merge').

      An index is kept if the trace's size and modification time still equal those stored in it.
      TRACE may be @LIST, a file with the path of a trace in each line.
      """,
    options: [
      .init(
        "--check", "Write nothing; fail if an index is missing or of another state of its trace.")
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let checks = arguments.has("--check")
    var status = ExitStatus.success
    for path in try arguments.paths().all {
      do throws(TraceError) {
        guard path != "-" else {
          throw TraceError(
            code: .inputOutput, file: path, message: "an index needs a file beside it")
        }
        let file = try TraceFile(path: path, isRegular: true)
        guard try !file.isCompressed else {
          throw TraceError(
            code: .notATrace, file: path,
            message: "is compressed; decompress it, as an index has offsets in the trace itself")
        }
        let state = try TraceState(of: file)
        let found = TraceState(indexAt: path + ".index")
        if found == state { continue }
        guard !checks else {
          Console.message(
            "\(path.shown).index: "
              + (found == nil ? "is missing or no index" : "is of another state of the trace")
              + "; 'rouse index' writes it")
          status = .failure
          continue
        }
        Console.tellOrder(of: [file])
        let layout = try TraceLayout(of: file)
        // The index would tell of a state that never was.
        guard try TraceState(of: file) == state else {
          throw TraceError(
            code: .inUse, file: path, message: "is being written; index it afterwards")
        }
        let output = try FileOutput(path: path + ".index", isPrivate: file.isPrivate)
        try output.write(lines(layout, of: path, state))
        try output.commit()
        Console.message(
          "\(output.name.shown): \(Quantity.counted(layout.blocks.count, "block")) in "
            + Quantity.counted(layout.groups, "group"))
      } catch {
        // The other traces are still indexed.
        Console.message("\(error)")
        status = .failure
      }
    }
    return status
  }

  private static func lines(_ layout: TraceLayout, of path: String, _ state: TraceState) -> [UInt8]
  {
    var json = JSONWriter(.line)
    json.object { json in
      json.member("blocks", layout.blocks.count)
      json.member("bytes", state.bytes)
      write(layout.devices, to: &json)
      json.member("events", layout.events)
      // The name alone, so that trace and index can be moved together.
      json.member("file", String(path.split(separator: "/").last ?? ""))
      json.member("format", TraceState.format)
      json.member("groups", layout.groups)
      json.member("lost", layout.lost)
      json.member("misplaced", layout.misplaced)
      json.member("missing", layout.missing)
      json.member("modified", state.modified)
    }
    json.bytes.append(UInt8(ascii: "\n"))
    for block in layout.blocks {
      json.object { json in
        write(block.devices, to: &json)
        json.member("earliest", block.earliest)
        json.member("events", block.events)
        json.member("group", block.group)
        json.member("latest", block.latest)
        json.member("length", block.length)
        json.member("offset", block.offset)
      }
      json.bytes.append(UInt8(ascii: "\n"))
    }
    return json.bytes
  }

  private static func write(_ devices: TraceLayout.Devices, to json: inout JSONWriter) {
    func text(_ hash: UInt64) -> String { Digest(value: hash).description }
    if devices.hashes.count == devices.count {
      json.member("deviceHashes", devices.hashes.map(text).joined())
    }
    json.member("devices", devices.count)
    json.member("greatestDevice", text(devices.greatest))
    json.member("leastDevice", text(devices.least))
  }
}

/// By what an index tells whether its trace has changed.
private struct TraceState: Equatable {
  static let format = 1

  var bytes: Int64
  /// Nanoseconds since 1970.
  var modified: Int64

  init(of file: TraceFile) throws(TraceError) {
    guard let status = file.status else {
      throw TraceError(code: .inputOutput, file: file.name, message: "cannot be examined")
    }
    (bytes, modified) = (status.length, status.modified)
  }

  /// The number of whole lines; nil if they cannot be read, or the last has no end.
  private static func lines(of file: TraceFile) -> Int64? {
    var lines: Int64 = 0
    var offset: Int64 = 0
    var bytes: [UInt8] = []
    while let count = try? file.read(1 << 17, at: offset, into: &bytes), count > 0 {
      offset += Int64(count)
      lines += Int64(bytes[..<count].count { $0 == UInt8(ascii: "\n") })
      if offset == file.length { return bytes[count - 1] == UInt8(ascii: "\n") ? lines : nil }
    }
    return nil
  }

  /// What the first line of an index tells; nil if there is none, or the index is not whole.
  init?(indexAt path: String) {
    var bytes: [UInt8] = []
    guard let file = try? TraceFile(path: path, isRegular: true),
      // More than the longest first line.
      let count = try? file.read(1 << 17, at: 0, into: &bytes)
    else { return nil }
    let line = Array(bytes[..<count].prefix { $0 != UInt8(ascii: "\n") })
    var members: [String: Int64] = [:]
    _ = try? line.withJSONBytes { bytes throws(JSONError) in
      var parser = JSONParser(bytes)
      try parser.readMembers { json, key throws(JSONError) in
        let value = try json.readValue()
        if case .number(let number) = value {
          members[json.bytes.string(key)] = number.wholeNumber
        }
      }
    }
    guard members["format"] == Int64(Self.format), let length = members["bytes"],
      let modified = members["modified"], let blocks = members["blocks"],
      Self.lines(of: file) == blocks + 1
    else { return nil }
    (self.bytes, self.modified) = (length, modified)
  }
}
