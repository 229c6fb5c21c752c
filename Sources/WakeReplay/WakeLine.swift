import WakeEvents
import WakeScheduling

/// Writes wakes as lines of the wake log (SPEC 7).
struct WakeLine {
  let symbols: Symbols
  /// The beginning of every line: a brace, and the device if it has a name.
  private let start: [UInt8]

  init(symbols: Symbols, device: String) {
    self.symbols = symbols
    var start = Array("{".utf8)
    if !device.isEmpty {
      start += "\"device\":".utf8
      JSONText.append(device, to: &start)
      start.append(UInt8(ascii: ","))
    }
    self.start = start
  }

  /// Appends a line with its end.
  func append(_ wake: borrowing Wake, to bytes: inout [UInt8]) {
    bytes += start
    bytes += "\"t\":".utf8
    JSONText.append(wake.time.nanoseconds, to: &bytes)
    bytes += ",\"app\":".utf8
    JSONText.append(symbols.apps.name(of: wake.app), to: &bytes)
    bytes += ",\"types\":[".utf8
    for (index, type) in wake.types.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      JSONText.append(symbols.types.name(of: type), to: &bytes)
    }
    bytes += "],\"saves\":".utf8
    JSONText.append(Int64(wake.saves), to: &bytes)
    append("oldest", wake.oldest, to: &bytes)
    bytes += ",\"push\":".utf8
    if let push = wake.push { JSONText.append(push, to: &bytes) } else { bytes += "null".utf8 }
    bytes += ",\"refresh\":".utf8
    bytes += (wake.refresh ? "true" : "false").utf8
    bytes += ",\"outcome\":\"".utf8
    bytes += wake.outcome.word.utf8
    bytes.append(UInt8(ascii: "\""))
    append("end", wake.end, to: &bytes)
    bytes += "}\n".utf8
  }

  private func append(_ key: String, _ time: Timestamp?, to bytes: inout [UInt8]) {
    bytes += ",\"\(key)\":".utf8
    if let time {
      JSONText.append(time.nanoseconds, to: &bytes)
    } else {
      bytes += "null".utf8
    }
  }
}
