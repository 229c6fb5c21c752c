import Foundation
import Testing
import WakeTestSupport

/// A timeline as a viewer has it, read from a file of either format.
///
/// Names are ``exact(_:)``.
struct ReadTimeline: Equatable {
  /// A name in ASCII, as Swift takes strings for equal that differ in their bytes.
  static func exact(_ name: String) -> String {
    name.unicodeScalars.map { $0.isASCII ? String($0) : "\\u\($0.value)" }.joined()
  }

  struct Slice: Hashable {
    /// The names from the device down, joined as chrome has them: `watch/com.example.run: wakes`.
    var track: String
    var name: String
    var start: Int64
    var end: Int64
    /// The ids of flows that begin or end here.
    var flowsOut: [Int64] = []
    var flowsIn: [Int64] = []
    var values: [String: String] = [:]
  }

  struct Value: Hashable {
    var track: String
    var time: Int64
    var value: Int64
  }

  /// In the order of the file.
  var slices: [Slice] = []
  var values: [Value] = []
  /// How many tracks there are with slices or values.
  var tracks = 0

  /// Reads a Perfetto trace, and checks what its readers rely on.
  init(perfetto bytes: [UInt8]) throws {
    var tracks: [Int64: (name: String, parent: Int64?)] = [:]
    var names: [Int64: [Int64: [Int64: String]]] = [:]
    var open: [Int64: Int] = [:]
    var used: Set<Int64> = []
    var snapshots = 0
    func path(_ uuid: Int64) throws -> String {
      let track = try #require(tracks[uuid], "no track \(uuid)")
      guard let parent = track.parent else { return track.name }
      let group = try #require(tracks[parent], "no parent \(parent)")
      guard let device = group.parent else { return "\(group.name)/\(track.name)" }
      return "\(try path(device))/\(group.name): \(track.name)"
    }
    for packet in try ProtobufMessage(bytes).messages(1) {
      let sequence = try #require(packet.integer(10), "a packet is of no sequence")
      if let snapshot = try packet.message(6) {
        snapshots += 1
        let clock = try snapshot.message(1)
        #expect(snapshot.integer(2) == 1 && clock?.integer(1) == 1)
      }
      if packet.integer(13) == 1 { names[sequence] = [:] }
      if let descriptor = try packet.message(60) {
        let uuid = try #require(descriptor.integer(1))
        #expect(tracks[uuid] == nil, "track \(uuid) is described twice")
        #expect(descriptor.integer(15) == 2, "track \(uuid) may be merged")
        let name = Self.exact(try #require(descriptor.string(2)))
        tracks[uuid] = (name, descriptor.integer(5))
      }
      if let interned = try packet.message(12) {
        for field in [2, 3] {
          for entry in try interned.messages(field) {
            let (id, name) = (try #require(entry.integer(1)), try #require(entry.string(2)))
            names[sequence]?[Int64(field), default: [:]][id] = name
          }
        }
      }
      guard let event = try packet.message(11) else { continue }
      let time = try #require(packet.integer(8), "an event has no time")
      let uuid = try #require(event.integer(11))
      used.insert(uuid)
      func name(_ field: Int64, _ id: Int64?) throws -> String {
        try #require(id.flatMap { names[sequence]?[field]?[$0] }, "no name \(id ?? -1)")
      }
      switch event.integer(9) {
      case 1:
        #expect(open[uuid] == nil, "a slice begins on track \(uuid) within another")
        open[uuid] = slices.count
        var slice = Slice(
          track: try path(uuid), name: Self.exact(try name(2, event.integer(10))), start: time,
          end: time)
        if let flow = event.integer(47) { slice.flowsOut.append(flow) }
        if let flow = event.integer(48) { slice.flowsIn.append(flow) }
        for annotation in try event.messages(4) {
          slice.values[try name(3, annotation.integer(1))] =
            annotation.string(6) ?? annotation.integer(4).map { String($0) }
        }
        slices.append(slice)
      case 2:
        let slice = open.removeValue(forKey: uuid)
        slices[try #require(slice, "nothing ends on track \(uuid)")].end = time
      case 4:
        values.append(
          Value(track: try path(uuid), time: time, value: try #require(event.integer(30))))
      default: Issue.record("an event of type \(event.integer(9) ?? -1)")
      }
    }
    #expect(open.isEmpty, "\(open.count) slices have no end")
    #expect(snapshots == 1)
    self.tracks = used.count
  }

  /// Reads JSON in the Trace Event Format; times as a double has them, to the nearest nanosecond.
  init(chrome text: String) throws {
    let file = try JSONValue.parsing(text)
    let base = try #require(file["otherData"]?["baseNanoseconds"]?.string.flatMap { Int64($0) })
    var names: [String: String] = [:]
    var open: [String: Int] = [:]
    var used: Set<String> = []
    for event in file["traceEvents"]?.elements ?? [] {
      let process = try #require(event["pid"]?.wholeNumber)
      let place = "\(process)/\(event["tid"]?.wholeNumber ?? 0)"
      if event["ph"]?.string == "M" {
        guard event["name"]?.string != "thread_sort_index" else { continue }
        #expect(names[place] == nil, "\(place) is named twice")
        names[place] = Self.exact(try #require(event["args"]?["name"]?.string))
        continue
      }
      let double: Double
      switch event["ts"] {
      case .number(let number): double = number
      case .integer(let number): double = Double(number)
      default: throw ProtobufMessage.Malformed(offset: 0)
      }
      let time = base + Int64((double * 1_000).rounded())
      #expect(Int64(double * 1_000) + base == time, "\(double) is another time where it is cut off")
      let device = try #require(names["\(process)/0"])
      func track() throws -> String { "\(device)/\(try #require(names[place], "no \(place)"))" }
      switch event["ph"]?.string {
      case "B":
        #expect(open[place] == nil, "a slice begins on \(place) within another")
        open[place] = slices.count
        var slice = Slice(
          track: try track(), name: Self.exact(try #require(event["name"]?.string)),
          start: time, end: time)
        let flow = event["bind_id"]?.string.flatMap { Int64($0.dropFirst(2), radix: 16) }
        if event["flow_out"] == .bool(true) { slice.flowsOut.append(try #require(flow)) }
        if event["flow_in"] == .bool(true) { slice.flowsIn.append(try #require(flow)) }
        for key in event["args"]?.keys ?? [] {
          let value = event["args"]?[key]
          slice.values[key] = value?.string ?? value?.wholeNumber.map { String($0) }
        }
        used.insert(slice.track)
        slices.append(slice)
      case "E":
        let slice = open.removeValue(forKey: place)
        slices[try #require(slice, "nothing ends on \(place)")].end = time
      case "C":
        let track = "\(device)/\(Self.exact(try #require(event["name"]?.string)))"
        used.insert(track)
        values.append(
          Value(
            track: track, time: time, value: try #require(event["args"]?["saves"]?.wholeNumber)))
      default: Issue.record("an event of phase \(event["ph"]?.text ?? "")")
      }
    }
    #expect(open.isEmpty, "\(open.count) slices have no end")
    tracks = used.count
  }

  /// The slices of the tracks with an end of their names.
  func slices(_ end: String) -> [Slice] { slices.filter { $0.track.hasSuffix(end) } }
}
