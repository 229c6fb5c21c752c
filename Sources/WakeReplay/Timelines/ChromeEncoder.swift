import WakeEvents
import WakeJSON

/// Writes the Trace Event Format of Chrome's tracing, which many viewers read: JSON with a process for each device and a
/// thread for each track with slices.
///
/// A slice is a begin and an end, not one event with a length: a double loses nanoseconds after 50 days, and then the end
/// of a slice and the beginning of the next one, being equal, are rounded alike.
struct ChromeEncoder: TimelineEncoder {
  private var json = JSONWriter(.line)
  private let process: Int
  private let base: Int64

  init(device name: String, place: Int, base: Int64) {
    process = place + 1
    self.base = base
    metadata("process_name") { $0.member("name", name.isEmpty ? "device" : name) }
  }

  static func header(base: Int64) -> [UInt8] {
    var json = JSONWriter(.line)
    json.beginObject()
    json.member("displayTimeUnit", "ns")
    json.member("otherData") {
      $0.member("base", Timestamp(nanoseconds: base).iso8601)
      // A string, as doubles do not have all such numbers.
      $0.member("baseNanoseconds", String(base))
    }
    json.key("traceEvents")
    json.literal("[")
    return json.bytes
  }

  static var footer: [UInt8] { Array("\n]}\n".utf8) }

  mutating func add(_ track: TimelineTrack) {
    guard track.kind == .slices else { return }
    let name = Self.name(track)
    metadata("thread_name", track) { $0.member("name", name) }
    let order = track.group.number * 10_000 + min(track.rank, 9_999)
    metadata("thread_sort_index", track) { $0.member("sort_index", order) }
  }

  mutating func add(_ slice: TimelineSlice, to track: TimelineTrack) {
    event("B", at: slice.start) { json in
      json.member("tid", track.number)
      json.member("name", slice.name)
      switch slice.flow {
      case .begins(let flow):
        json.member("bind_id", "0x" + String(flow, radix: 16))
        json.member("flow_out", true)
      case .ends(let flow):
        json.member("bind_id", "0x" + String(flow, radix: 16))
        json.member("flow_in", true)
      case nil: break
      }
      guard !slice.values.isEmpty else { return }
      json.member("args") { json in
        for (key, value) in slice.values {
          switch value {
          case .number(let number): json.member(key, number)
          case .text(let text): json.member(key, text)
          }
        }
      }
    }
    event("E", at: slice.end) { $0.member("tid", track.number) }
  }

  mutating func add(_ value: Int, at time: Int64, to track: TimelineTrack) {
    event("C", at: time) { json in
      json.member("name", Self.name(track))
      json.member("args") { $0.member("saves", value) }
    }
  }

  mutating func takeBytes() -> [UInt8] {
    defer { json.bytes.removeAll(keepingCapacity: true) }
    return json.bytes
  }
  var byteCount: Int { json.bytes.count }

  private static func name(_ track: TimelineTrack) -> String {
    track.group.name.isEmpty ? track.name : "\(track.group.name): \(track.name)"
  }

  private mutating func metadata(
    _ name: StaticString, _ track: TimelineTrack? = nil, _ values: (inout JSONWriter) -> Void
  ) {
    begin("M")
    if let track { json.member("tid", track.number) }
    json.member("name", "\(name)")
    json.member("args", values)
    json.endObject()
  }

  private mutating func event(
    _ phase: StaticString, at time: Int64, _ members: (inout JSONWriter) -> Void
  ) {
    begin(phase)
    json.key("ts")
    json.microseconds(time - base)
    members(&json)
    json.endObject()
  }

  private mutating func begin(_ phase: StaticString) {
    // The first event of all is that of the first device.
    json.literal(process == 1 && !hasBegun ? "\n" : ",\n")
    hasBegun = true
    json.beginObject()
    json.member("ph", "\(phase)")
    json.member("pid", process)
  }

  private var hasBegun = false
}

extension JSONWriter {
  /// Writes nanoseconds, 0 or more, as microseconds with three decimals.
  ///
  /// Perfetto multiplies the double by 1,000 and drops the fraction. Where that loses a nanosecond, the next double is
  /// written, which is less than half a nanosecond more.
  fileprivate mutating func microseconds(_ nanoseconds: Int64) {
    let double = Double(nanoseconds) / 1_000
    if nanoseconds < Self.exactNanoseconds, Int64(double * 1_000) != nanoseconds {
      bytes += double.nextUp.description.utf8
      return
    }
    let (whole, fraction) = nanoseconds.quotientAndRemainder(dividingBy: 1_000)
    value(whole)
    let digits = [fraction / 100, fraction / 10 % 10, fraction % 10]
    bytes.append(UInt8(ascii: "."))
    for digit in digits { bytes.append(UInt8(ascii: "0") + UInt8(digit)) }
  }

  /// Below this, which is 50 days, microseconds as doubles are less than a nanosecond apart.
  private static let exactNanoseconds: Int64 = 1_000 << 42
}
