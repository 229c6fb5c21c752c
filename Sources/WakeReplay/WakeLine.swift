import WakeEvents
import WakeJSON
import WakeScheduling

/// Writes wakes as lines of the wake log (page Rules, section 7).
struct WakeLine {
  let symbols: Symbols
  /// Its name as a JSON string; nil for the device without a name.
  private let device: [UInt8]?
  private let times: JSONTimeForm

  init(symbols: Symbols, device: String, times: JSONTimeForm) {
    self.symbols = symbols
    self.times = times
    self.device = device.isEmpty ? nil : JSONWriter.bytes(of: device)
  }

  /// Appends a line with its end.
  func append(_ wake: borrowing Wake, to bytes: inout [UInt8]) {
    var json = JSONWriter(.line, times: times)
    swap(&json.bytes, &bytes)
    json.beginObject()
    if let device { json.member("device", text: device) }
    json.member("t", time: wake.time)
    json.member("app", symbols.apps.name(of: wake.app))
    json.member("types", wake.types) { $0.value(symbols.types.name(of: $1)) }
    json.member("saves", wake.saves)
    json.member("oldest", time: wake.oldest)
    json.member("push", wake.push)
    json.member("refresh", wake.refresh)
    json.member("outcome", wake.outcome.word)
    json.member("end", time: wake.end)
    json.endObject()
    json.bytes.append(UInt8(ascii: "\n"))
    swap(&json.bytes, &bytes)
  }
}
